//! mod-users over HTTP: requests and responses, no decisions.

pub mod address_types;
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
