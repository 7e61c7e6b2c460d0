//! What patrons owe: one account for each charge, and the actions on it.

use octavo_records::{Collection, Index};

use crate::store::reports::{by_date, by_source};

/// The charges.
#[must_use]
pub fn accounts() -> Collection {
    Collection::new(
        "accounts",
        "accounts",
        include_str!("../shapes/accounts.shape"),
    )
    .faceted()
    .index(Index::plain("userId").keep_accents())
    .index(Index::plain("loanId").keep_accents())
    .index(Index::plain("itemId").keep_accents())
    .index(Index::plain("ownerId").keep_accents())
    .index(Index::plain("status.name"))
}

/// The history of the charges.
#[must_use]
pub fn actions() -> Collection {
    Collection::new(
        "feefineactions",
        "feefineactions",
        include_str!("../shapes/feefineactions.shape"),
    )
    .index(Index::plain("accountId").keep_accents())
    .index(Index::plain("userId").keep_accents())
    .index(Index::plain("typeAction"))
    .index(by_date())
    .index(by_source())
}
