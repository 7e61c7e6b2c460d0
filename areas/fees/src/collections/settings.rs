//! What a library sets up before it charges: owners, types of fee, ways to pay and reasons.

use octavo_records::{Collection, Index};

/// Whom fees are owed to.
#[must_use]
pub fn owners() -> Collection {
    Collection::new("owners", "owners", include_str!("../shapes/owners.shape"))
}

/// The types of fee and fine. An owner has each type once.
#[must_use]
pub fn fee_fine_types() -> Collection {
    Collection::new(
        "feefines",
        "feefines",
        include_str!("../shapes/feefines.shape"),
    )
    .faceted()
    .reference("ownerId", "owners")
    .index(Index::unique("feeFineType").with(&["ownerId"]))
}

/// Ways to pay.
#[must_use]
pub fn payments() -> Collection {
    Collection::new(
        "payments",
        "payments",
        include_str!("../shapes/payments.shape"),
    )
    .faceted()
}

/// Reasons to waive. FOLIO's list key is `waivers`.
#[must_use]
pub fn waives() -> Collection {
    Collection::new("waives", "waivers", include_str!("../shapes/waives.shape")).faceted()
}

/// Accounts that charges are transferred to.
#[must_use]
pub fn transfers() -> Collection {
    Collection::new(
        "transfers",
        "transfers",
        include_str!("../shapes/transfers.shape"),
    )
    .faceted()
}

/// Reasons to refund.
#[must_use]
pub fn refunds() -> Collection {
    Collection::new(
        "refunds",
        "refunds",
        include_str!("../shapes/refunds.shape"),
    )
    .faceted()
}

/// Which actions need a comment.
#[must_use]
pub fn comments() -> Collection {
    Collection::new(
        "comments",
        "comments",
        include_str!("../shapes/comments.shape"),
    )
    .faceted()
}

/// When charges are transferred.
#[must_use]
pub fn transfer_criteria() -> Collection {
    Collection::new(
        "transfer_criteria",
        "transferCriterias",
        include_str!("../shapes/transfer_criteria.shape"),
    )
}
