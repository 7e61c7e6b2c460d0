//! The tenants: which there are, how one is made, brought up to date and removed (`tenants`), and how its
//! modules come and go (`lifecycle`). Must not know requests.

pub mod lifecycle;
pub mod tenants;
