//! Order lines, and the lists of users that a subscription circulates among.

use octavo_records::{Collection, Index};

use super::MOST_COUNTED;

/// Lines before routing lists.
#[must_use]
pub(super) fn all() -> Vec<Collection> {
    vec![po_line(), routing_list()]
}

fn po_line() -> Collection {
    let line = Collection::new(
        "po_line",
        "poLines",
        include_str!("../shapes/po_line.shape"),
    )
    // Every piece that arrives and every invoice changes a status of it.
    .often_updated()
    .exact_count(MOST_COUNTED)
    .plain_conflicts()
    .events("ACQ_ORDER_LINE_CHANGED")
    .crossing(
        "purchaseOrderId",
        "purchase_order",
        "poLine",
        "purchaseOrder",
    )
    .index(Index::plain("poLineNumber"))
    .index(Index::gin("poLineNumber").on_demand());
    texts(dates(statuses(line)))
}

fn statuses(line: Collection) -> Collection {
    line.index(Index::plain("receiptStatus"))
        .index(Index::plain("paymentStatus"))
        .index(Index::plain("orderFormat"))
        .index(Index::full_text("orderFormat").on_demand())
        .index(Index::plain("source").on_demand())
        .index(Index::plain("acquisitionMethod"))
        .index(Index::plain("collection").on_demand())
        .index(Index::plain("rush").on_demand())
        .index(Index::plain("eresource.activated").on_demand())
        .index(Index::plain("eresource.trial").on_demand())
        .index(Index::plain("eresource.accessProvider").on_demand())
        .index(Index::plain("eresource.materialType").on_demand())
        .index(Index::plain("physical.materialType").on_demand())
        .index(Index::plain("physical.volumes").on_demand())
        .index(Index::gin("physical.volumes").on_demand())
        .index(Index::plain("instanceId").present())
        .index(Index::plain("packagePoLineId").on_demand())
}

fn dates(line: Collection) -> Collection {
    line.index(Index::plain("eresource.expectedActivation").on_demand())
        .index(Index::plain("details.subscriptionFrom").on_demand())
        .index(Index::plain("details.subscriptionTo").on_demand())
        .index(Index::plain("physical.receiptDue").on_demand())
        .index(Index::plain("physical.expectedReceiptDate").on_demand())
        .index(Index::plain("receiptDate").on_demand())
        .index(Index::plain("metadata.createdDate"))
        .index(Index::plain("metadata.updatedDate"))
}

fn texts(line: Collection) -> Collection {
    line.index(Index::plain("titleOrPackage"))
        .index(Index::full_text("titleOrPackage"))
        .index(Index::gin("titleOrPackage").on_demand())
        .index(Index::gin("fundDistribution").on_demand())
        .index(
            Index::full_text("fundDistribution")
                .keep_accents()
                .elements("fundId", &["fundId"]),
        )
        .index(Index::gin("details.productIds").on_demand())
        .index(
            Index::full_text("productIds")
                .over(&["details.productIds[*].productId"])
                .on_demand(),
        )
        .index(Index::gin("donorOrganizationIds").on_demand())
        .index(Index::gin("vendorDetail.vendorAccount").on_demand())
        .index(
            Index::gin("vendorDetail.referenceNumbers")
                .elements("refNumber", &["refNumberType", "vendorDetailsSource"])
                .on_demand(),
        )
        .index(
            Index::full_text("vendorDetail.referenceNumbers")
                .elements("refNumber", &["refNumberType", "vendorDetailsSource"]),
        )
        .index(
            Index::full_text("locations")
                .keep_accents()
                .elements("holdingId", &["holdingId"]),
        )
        .index(Index::gin("tags").on_demand())
        .index(Index::gin("contributors").on_demand())
        .index(Index::gin("requester").on_demand())
        .index(Index::gin("publisher").on_demand())
        .index(Index::gin("donor").on_demand())
        .index(Index::gin("selector").on_demand())
        .index(Index::gin("searchLocationIds").on_demand())
}

fn routing_list() -> Collection {
    Collection::new(
        "routing_list",
        "routingLists",
        include_str!("../shapes/routing_list.shape"),
    )
    .exact_count(MOST_COUNTED)
    .plain_conflicts()
    .locked()
    .crossing("poLineId", "po_line", "routing_list", "poLine")
    .index(Index::unique("name"))
}
