//! The circulation log.

use octavo_records::{Collection, Index};

/// Who did what to which loan, when and from which service point. Lines are never changed, except that those about an
/// anonymized loan forget its borrower. Each act
/// at the desk pays for each index: they are those that the log's page finds few lines by, and its
/// order by date, in which what many lines have (objects, sources, acts at the desk, service points) is
/// soon found. A part of a patron's barcode is looked up among the barcodes that the log has (`PATRONS`),
/// each of which is there once: trigrams of every line cost an act twice what all other indexes cost. Items are
/// found by the words of their barcodes, not by the ids beside these.
#[must_use]
pub fn circulation_logs() -> Collection {
    Collection::new(
        "circulation_logs",
        "logRecords",
        include_str!("../shapes/circulation_log.shape"),
    )
    .index(Index::plain("date").keep_accents())
    .index(Index::plain("userBarcode").keep_accents())
    .index(barcode_parts().on_demand())
    .index(Index::plain("action").keep_accents().except(&[
        "Checked out",
        "Checked in",
        "Closed loan",
    ]))
    .index(Index::plain("servicePointId").keep_accents().on_demand())
    .index(Index::gin("description").on_demand())
    .index(Index::full_text("items").over(&["items[*].itemBarcode"]))
}

/// The table of the patrons' barcodes that the log has, filled by a trigger of the migration `log_patrons`.
pub const PATRONS: &str = "circulation_log_patron";

/// The index of that table by which parts of barcodes are found.
#[must_use]
pub fn barcode_parts() -> Index {
    Index::gin("userBarcode").keep_accents()
}
