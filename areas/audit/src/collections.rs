//! The record type of audit data that other programs write.

use octavo_records::{Collection, Index};

/// The table of audit data.
pub const AUDIT_DATA: &str = "audit_data";

/// What gateways and other programs tell of requests.
#[must_use]
pub fn audit_data() -> Collection {
    Collection::new(AUDIT_DATA, "audit", include_str!("shapes/audit.shape"))
        .keeping_unknown()
        .index(Index::gin("target_id"))
}
