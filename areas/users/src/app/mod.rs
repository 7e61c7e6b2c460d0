//! The operations on users and what belongs to them, one a file. They know records and rules, and
//! nothing of HTTP.

pub mod change_custom_fields;
pub mod count_custom_fields;
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
mod tell_consortium;
pub mod write_user;
pub mod write_users;

pub use refusal::Refusal;

use std::sync::Arc;

use octavo_platform::Platform;
use octavo_records::{Collection, Stamp, Tenant, instant};
use serde_json::{Map, Value};

/// What an operation works with.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// What serves.
    pub platform: &'a Platform,
    /// Whose records they are.
    pub tenant: &'a Tenant,
    /// Who asks, and when.
    pub stamp: Stamp,
}

impl<'a> Context<'a> {
    /// A collection of this area's.
    fn collection(&self, table: &'static str) -> &'a Arc<Collection> {
        self.platform
            .store
            .catalog
            .get(table)
            .expect("invariant: users declares its own tables")
    }

    /// The instant of the operation in the stored notation.
    fn now(&self) -> String {
        instant::format(self.stamp.at)
    }
}

/// The properties of a document.
fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(document) => document,
        _ => Map::new(),
    }
}
