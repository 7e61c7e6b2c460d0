//! Settings of fees and fines: owners, fee types, payment methods and reasons.

use octavo_records::{Collection, Index, QueryRefusal};

/// One of the eleven lists whose handlers mod-feesfines wrote by hand, not with its library: "not found"
/// has special messages, and an invalid query is an error.
pub(super) fn handwritten_list(collection: Collection, missing: &'static str) -> Collection {
    collection
        .missing(missing, "Record Not Found")
        .refusing_queries(QueryRefusal::Failing)
}

/// The fee/fine owners.
#[must_use]
pub fn owners() -> Collection {
    handwritten_list(
        Collection::new("owners", "owners", include_str!("../shapes/owners.shape")).reads_cached(),
        "OwnerObject does not exist",
    )
}

/// The types of fee and fine. An owner has each type once.
#[must_use]
pub fn fee_fine_types() -> Collection {
    handwritten_list(
        Collection::new(
            "feefines",
            "feefines",
            include_str!("../shapes/feefines.shape"),
        )
        .reads_cached()
        .faceted(),
        "FeefineObject does not exist",
    )
    .reference("ownerId", "owners")
    .index(Index::unique("feeFineType").with(&["ownerId"]))
}

/// Payment methods.
#[must_use]
pub fn payments() -> Collection {
    handwritten_list(
        Collection::new(
            "payments",
            "payments",
            include_str!("../shapes/payments.shape"),
        )
        .reads_cached()
        .faceted(),
        "PaymentObject does not exist",
    )
}

/// Reasons to waive. FOLIO's list key is `waivers`.
#[must_use]
pub fn waives() -> Collection {
    handwritten_list(
        Collection::new("waives", "waivers", include_str!("../shapes/waives.shape"))
            .reads_cached()
            .faceted(),
        "WaiveObject does not exist",
    )
}

/// Accounts that charges are transferred to.
#[must_use]
pub fn transfers() -> Collection {
    handwritten_list(
        Collection::new(
            "transfers",
            "transfers",
            include_str!("../shapes/transfers.shape"),
        )
        .reads_cached()
        .faceted(),
        "TransferObject does not exist",
    )
}

/// Reasons to refund.
#[must_use]
pub fn refunds() -> Collection {
    handwritten_list(
        Collection::new(
            "refunds",
            "refunds",
            include_str!("../shapes/refunds.shape"),
        )
        .reads_cached()
        .faceted(),
        "RefundObject does not exist",
    )
}

/// Which actions need a comment.
#[must_use]
pub fn comments() -> Collection {
    handwritten_list(
        Collection::new(
            "comments",
            "comments",
            include_str!("../shapes/comments.shape"),
        )
        .reads_cached()
        .faceted(),
        "CommentObject does not exist",
    )
}

/// When charges are transferred.
#[must_use]
pub fn transfer_criteria() -> Collection {
    handwritten_list(
        Collection::new(
            "transfer_criteria",
            "transferCriterias",
            include_str!("../shapes/transfer_criteria.shape"),
        ),
        "TransferCriteriaObject does not exist",
    )
}
