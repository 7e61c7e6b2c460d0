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
    .index(Index::gin("poLineNumber"));
    texts(dates(statuses(line)))
}

fn statuses(line: Collection) -> Collection {
    line.index(Index::plain("receiptStatus"))
        .index(Index::plain("paymentStatus"))
        .index(Index::plain("orderFormat"))
        .index(Index::full_text("orderFormat"))
        .index(Index::plain("source"))
        .index(Index::plain("acquisitionMethod"))
        .index(Index::plain("collection").except(&["false"]))
        .index(Index::plain("rush").except(&["false"]))
        .index(Index::plain("eresource.activated").except(&["false"]))
        .index(Index::plain("eresource.trial").except(&["false"]))
        .index(Index::plain("eresource.accessProvider").present())
        .index(Index::plain("eresource.materialType").present())
        .index(Index::plain("physical.materialType").present())
        .index(Index::plain("physical.volumes").on_demand())
        .index(Index::gin("physical.volumes").on_demand())
        .index(Index::plain("instanceId").present())
        .index(Index::plain("packagePoLineId").present())
}

fn dates(line: Collection) -> Collection {
    line.index(Index::plain("eresource.expectedActivation").present())
        .index(Index::plain("details.subscriptionFrom").present())
        .index(Index::plain("details.subscriptionTo").present())
        .index(Index::plain("physical.receiptDue").present())
        .index(Index::plain("physical.expectedReceiptDate").present())
        .index(Index::plain("receiptDate"))
        .index(Index::plain("metadata.createdDate"))
        .index(Index::plain("metadata.updatedDate"))
}

fn texts(line: Collection) -> Collection {
    line.index(Index::plain("titleOrPackage"))
        .index(Index::gin("titleOrPackage"))
        .index(Index::gin("fundDistribution"))
        .index(
            Index::full_text("fundDistribution")
                .keep_accents()
                .elements("fundId", &["fundId"]),
        )
        .index(Index::gin("details.productIds"))
        .index(Index::full_text("productIds").over(&["details.productIds[*].productId"]))
        .index(Index::gin("donorOrganizationIds").present())
        .index(Index::gin("vendorDetail.vendorAccount").present())
        .index(
            Index::gin("vendorDetail.referenceNumbers")
                .elements("refNumber", &["refNumberType", "vendorDetailsSource"]),
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
        .index(Index::gin("tags").present())
        .index(Index::gin("contributors"))
        .index(Index::gin("requester").present())
        .index(Index::gin("publisher").present())
        .index(Index::gin("donor").present())
        .index(Index::gin("selector").present())
        .index(Index::gin("searchLocationIds"))
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
