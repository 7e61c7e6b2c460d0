//! The circulation log.

use octavo_records::{Collection, Index};

/// The circulation log. Lines are never changed. Every operation at a desk pays for each index, so there
/// are only indexes for selective filters of the log's page and for its order by date; unselective
/// filters (objects, sources) are found quickly along that order. Patrons' barcodes and descriptions are
/// searched by substring, items by whole words of all their properties.
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
