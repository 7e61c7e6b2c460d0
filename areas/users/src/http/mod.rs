//! mod-users over HTTP: requests in, answers out; no decisions.

pub mod address_types;
pub mod custom_fields;
pub mod departments;
pub mod patron_pin;
pub mod profile_pictures;
pub mod proxies;
pub(crate) mod refusal;
pub mod settings;
pub mod staging_users;
pub mod timers;
pub mod user_tenants;
pub mod users;

use octavo_platform::Call;
use octavo_records::Collection;

use crate::app::Context;

/// What an operation works with, of a request.
fn context(call: &Call) -> Context<'_> {
    Context {
        platform: &call.platform,
        tenant: &call.tenant,
        stamp: call.stamp(),
    }
}

fn collection<'a>(call: &'a Call, table: &'static str) -> &'a Collection {
    call.platform
        .store
        .catalog
        .get(table)
        .expect("invariant: users declares its own tables")
}
