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
        .index(Index::plain("acqUnitIds"))
        .index(Index::full_text("acqUnitIds"))
        .index(Index::plain("claimingActive").except(&["false"]))
        .index(Index::plain("instanceId").present())
        .index(Index::plain("title"))
        .index(Index::plain("poLineNumber"))
        .index(Index::plain("receivingNote").present())
        .index(Index::plain("packageName").present())
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
        .index(Index::plain("format"))
        .index(Index::plain("itemId").present())
        .index(Index::plain("locationId").present())
        .index(Index::plain("holdingId").present())
        .index(Index::plain("receivingStatus"))
        .index(Index::full_text("receivingStatus"))
        .index(Index::plain("receivedDate").present())
        .index(Index::plain("receiptDate").present())
        .index(Index::plain("supplement").except(&["false"]))
        .index(Index::plain("bindItemId").present())
        .index(Index::plain("receivingTenantId").present())
        .index(Index::gin("displaySummary"))
        .index(Index::full_text("comment"))
}
