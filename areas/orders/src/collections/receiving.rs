//! The titles of order lines and the pieces that are received of them.

use octavo_records::{Collection, Index};

use super::MOST_COUNTED;

/// Titles before pieces.
#[must_use]
pub(super) fn all() -> Vec<Collection> {
    vec![titles(), pieces()]
}

fn titles() -> Collection {
    Collection::new("titles", "titles", include_str!("../shapes/title.shape"))
        .exact_count(MOST_COUNTED)
        .plain_conflicts()
        .crossing("poLineId", "po_line", "titles", "poLine")
        .shorthand("purchaseOrder", "poLine.purchaseOrder")
        .index(Index::plain("acqUnitIds").on_demand())
        .index(Index::full_text("acqUnitIds").on_demand())
        .index(Index::plain("claimingActive").except(&["false"]))
        .index(Index::plain("instanceId").present())
        .index(Index::plain("title"))
        .index(Index::plain("poLineNumber"))
        .index(Index::plain("receivingNote").on_demand())
        .index(Index::plain("packageName").on_demand())
}

fn pieces() -> Collection {
    Collection::new("pieces", "pieces", include_str!("../shapes/piece.shape"))
        .often_updated()
        .exact_count(MOST_COUNTED)
        .plain_conflicts()
        .events("ACQ_PIECE_CHANGED")
        .crossing("poLineId", "po_line", "pieces", "poLine")
        .crossing("titleId", "titles", "pieces", "titles")
        .shorthand("purchaseOrder", "poLine.purchaseOrder")
        .index(Index::plain("format").on_demand())
        .index(Index::plain("itemId").present())
        .index(Index::plain("locationId").present())
        .index(Index::plain("holdingId").present())
        .index(Index::plain("receivingStatus"))
        .index(Index::full_text("receivingStatus").on_demand())
        .index(Index::plain("receivedDate").on_demand())
        .index(Index::plain("receiptDate").on_demand())
        .index(Index::plain("supplement").on_demand())
        .index(Index::plain("bindItemId").present())
        .index(Index::plain("receivingTenantId").on_demand())
        .index(Index::gin("displaySummary").on_demand())
        .index(Index::full_text("comment").on_demand())
}
