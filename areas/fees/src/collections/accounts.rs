//! What patrons owe: one account for each charge, and the actions on it.

use octavo_records::{Collection, Index};

use super::settings::handwritten_list;
use crate::store::reports::{by_date, by_source};

/// The charges.
#[must_use]
pub fn accounts() -> Collection {
    handwritten_list(
        Collection::new(
            "accounts",
            "accounts",
            include_str!("../shapes/accounts.shape"),
        )
        .faceted(),
        "AccountObject does not exist",
    )
    .index(Index::plain("userId").keep_accents())
    .index(Index::plain("loanId").keep_accents())
    .index(Index::plain("itemId").keep_accents())
    .index(Index::plain("ownerId").keep_accents())
    .index(Index::plain("status.name"))
}

/// The history of the charges.
#[must_use]
pub fn actions() -> Collection {
    handwritten_list(
        Collection::new(
            "feefineactions",
            "feefineactions",
            include_str!("../shapes/feefineactions.shape"),
        ),
        "FeefineactionObject does not exist",
    )
    .index(Index::plain("accountId").keep_accents())
    .index(Index::plain("userId").keep_accents())
    .index(Index::plain("typeAction"))
    .index(by_date())
    .index(by_source())
}
