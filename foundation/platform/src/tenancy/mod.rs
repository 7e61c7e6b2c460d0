//! Tenants: their creation, upgrade and deletion (`tenants`), and the enabling and disabling of
//! their modules (`lifecycle`). Must not know requests.

pub mod lifecycle;
pub mod tenants;
