//! Organizations, their contacts, interfaces, credentials and bank accounts; and the acquisitions units that
//! protect records of all acquisitions areas.

pub mod app;
pub mod collections;
pub mod http;
pub mod routes;
pub mod rules;
mod store;
pub mod units;

pub use routes::modules;
