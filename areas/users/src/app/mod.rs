//! The operations on users and related records, one per file. They know nothing of HTTP.

mod consortium_events;
pub mod delete_address_type;
pub mod delete_user;
pub mod expire_users;
pub mod keep_pictures;
pub mod keep_pins;
pub mod keep_settings;
pub mod keep_user_tenants;
pub mod merge_staging;
mod refusal;
pub mod register;
pub mod write_user;
pub mod write_users;

pub use refusal::Refusal;

use std::ops::Deref;

use octavo_platform::{Call, Platform};
use octavo_records::{Context, Stamp, Tenant};
use serde_json::{Map, Value};

/// What an operation on users works with: the platform is needed to invalidate caches after a change.
#[derive(Debug, Clone, Copy)]
pub struct UserContext<'a> {
    /// Store, tenant, user and instant.
    pub context: Context<'a>,
    pub platform: &'a Platform,
}

impl<'a> UserContext<'a> {
    /// The context of an operation on a tenant's users.
    #[must_use]
    pub fn new(platform: &'a Platform, tenant: &'a Tenant, stamp: Stamp) -> UserContext<'a> {
        UserContext {
            context: Context {
                store: &platform.store,
                tenant,
                stamp,
            },
            platform,
        }
    }

    /// The context of a request.
    #[must_use]
    pub fn of(call: &'a Call) -> UserContext<'a> {
        UserContext::new(&call.platform, &call.tenant, call.stamp())
    }
}

impl<'a> Deref for UserContext<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

/// The properties of a document.
fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(document) => document,
        _ => Map::new(),
    }
}
