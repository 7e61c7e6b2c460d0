//! The record types of users, and of what users may do. Tables, indexes and shapes only: no
//! routes and no decisions.

mod access;
mod people;

pub use access::{auth_attempts, auth_credentials, permissions, permissions_users};
pub use people::{address_types, departments, groups, proxies, users};
