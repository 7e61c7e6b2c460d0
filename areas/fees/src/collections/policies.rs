//! The policies that circulation rules name for overdue and lost items.

use octavo_records::{Collection, Index};

/// Overdue fine policies.
#[must_use]
pub fn overdue_fine_policies() -> Collection {
    Collection::new(
        "overdue_fine_policy",
        "overdueFinePolicies",
        include_str!("../shapes/overdue_fine_policy.shape"),
    )
    .reads_cached()
    .index(Index::unique("name"))
}

/// When loans are lost, and the fees for lost items.
#[must_use]
pub fn lost_item_fee_policies() -> Collection {
    Collection::new(
        "lost_item_fee_policy",
        "lostItemFeePolicies",
        include_str!("../shapes/lost_item_fee_policy.shape"),
    )
    .reads_cached()
    .index(Index::unique("name"))
}
