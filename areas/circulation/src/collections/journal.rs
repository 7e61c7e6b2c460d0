//! The circulation log.

use octavo_records::{Collection, Index};

/// Who did what to which loan, when and from which service point. Lines are never changed. Each act
/// at the desk pays for each index: they are those that the log's page finds few lines by, and its
/// order by date, in which what many lines have (objects, sources) is soon found. Patrons' barcodes
/// and descriptions are found by a part, items by whole words of all that is kept of them.
#[must_use]
pub fn circulation_logs() -> Collection {
    Collection::new(
        "circulation_logs",
        "logRecords",
        include_str!("../shapes/circulation_log.shape"),
    )
    .index(Index::plain("date").keep_accents())
    .index(Index::plain("userBarcode").keep_accents())
    .index(Index::gin("userBarcode").keep_accents())
    .index(Index::plain("action").keep_accents())
    .index(Index::plain("servicePointId").keep_accents())
    .index(Index::gin("description"))
    .index(Index::full_text("items"))
}
