//! The statements of this area.

pub mod departments;
pub mod expiring;
pub mod pictures;
pub mod pins;
pub mod references;
pub mod staging;
pub mod user_tenants;
