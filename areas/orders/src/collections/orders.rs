//! Orders without their lines, and which invoices are about them.

use octavo_records::{Collection, Index};

/// mod-orders-storage counts up to this many records exactly.
pub const MOST_COUNTED: i64 = 50_000;

/// Orders before what refers to them.
#[must_use]
pub(super) fn all() -> Vec<Collection> {
    vec![purchase_order(), order_invoice_relationship()]
}

fn purchase_order() -> Collection {
    Collection::new(
        "purchase_order",
        "purchaseOrders",
        include_str!("../shapes/purchase_order.shape"),
    )
    // Opening, closing and each new line change it.
    .often_updated()
    .exact_count(MOST_COUNTED)
    .plain_conflicts()
    .events("ACQ_ORDER_CHANGED")
    .shorthand("titles", "poLine.titles")
    .shorthand("pieces", "poLine.pieces")
    .index(
        Index::unique("exactPoNumber")
            .over(&["poNumber"])
            .case_sensitive()
            .keep_accents(),
    )
    .index(Index::plain("poNumber"))
    .index(Index::gin("poNumber").on_demand())
    .index(Index::plain("acqUnitIds").on_demand())
    .index(Index::full_text("acqUnitIds").on_demand())
    .index(Index::plain("assignedTo").on_demand())
    .index(Index::plain("metadata.createdDate"))
    .index(Index::gin("metadata.createdDate").on_demand())
    .index(Index::plain("metadata.updatedDate"))
    .index(Index::plain("metadata.createdByUserId").on_demand())
    .index(Index::plain("workflowStatus"))
    .index(Index::full_text("workflowStatus").on_demand())
    .index(Index::plain("approved").on_demand())
    .index(Index::plain("dateOrdered"))
    .index(Index::gin("dateOrdered").on_demand())
    .index(Index::plain("orderType"))
    .index(Index::full_text("orderType").on_demand())
    .index(Index::plain("reEncumber").on_demand())
    .index(Index::plain("vendor"))
    .index(Index::plain("ongoing.manualRenewal").on_demand())
    .index(Index::plain("ongoing.renewalDate").on_demand())
    .index(Index::plain("ongoing.reviewPeriod").on_demand())
    .index(Index::full_text("closeReason.reason").on_demand())
    .index(Index::full_text("closeReason.note").on_demand())
    // Whether a prefix or suffix is used.
    .index(Index::plain("poNumberPrefix").present())
    .index(Index::plain("poNumberSuffix").present())
}

fn order_invoice_relationship() -> Collection {
    Collection::new(
        "order_invoice_relationship",
        "orderInvoiceRelationships",
        include_str!("../shapes/order_invoice_relationship.shape"),
    )
    .exact_count(MOST_COUNTED)
    .plain_conflicts()
    .crossing(
        "purchaseOrderId",
        "purchase_order",
        "orderInvoiceRel",
        "purchase_order",
    )
    .index(Index::plain("invoiceId"))
    .index(
        Index::unique("purchaseOrderId_invoiceId")
            .over(&["purchaseOrderId"])
            .with(&["invoiceId"]),
    )
}
