//! Fields of views in CQL, as those of the record type that is searched.

/// The receiving history's fields on pieces.
#[must_use]
pub fn of_receiving_history(field: &str) -> Option<String> {
    Some(
        match field {
            "pieceFormat" => "format",
            "checkin" => "poLine.checkinItems",
            "poLineNumber" => "poLine.poLineNumber",
            "poLineReceiptStatus" => "poLine.receiptStatus",
            "purchaseOrderId" => "poLine.purchaseOrderId",
            "receivingNote" => "poLine.details.receivingNote",
            "title" => "poLine.titleOrPackage",
            "instanceId" => "poLine.instanceId",
            "dateOrdered" => "purchaseOrder.dateOrdered",
            "acqUnitIds" => "purchaseOrder.acqUnitIds",
            _ => return None,
        }
        .to_owned(),
    )
}

/// The fields of wrapped pieces on pieces.
#[must_use]
pub fn of_wrapper_pieces(field: &str) -> Option<String> {
    if let Some(rest) = field.strip_prefix("piece.") {
        return Some(rest.to_owned());
    }
    if let Some(rest) = field.strip_prefix("title.") {
        return Some(format!("titles.{rest}"));
    }
    (field == "vendorId").then(|| "purchaseOrder.vendor".to_owned())
}

/// Properties that only lines have, in searches of the former view of orders with their lines.
const OF_LINES_ONLY: [&str; 16] = [
    "acquisitionMethod",
    "contributors",
    "cost",
    "details",
    "eresource",
    "fundDistribution",
    "instanceId",
    "locations",
    "orderFormat",
    "paymentStatus",
    "physical",
    "poLineNumber",
    "publisher",
    "receiptStatus",
    "titleOrPackage",
    "vendorDetail",
];

/// Properties that only orders have.
const OF_ORDERS_ONLY: [&str; 12] = [
    "approved",
    "assignedTo",
    "closeReason",
    "dateOrdered",
    "acqUnitIds",
    "ongoing",
    "orderType",
    "poNumber",
    "reEncumber",
    "template",
    "vendor",
    "workflowStatus",
];

fn under(alias: &str, own: &[&str], field: &str) -> Option<String> {
    let first = field.split('.').next().unwrap_or(field);
    own.contains(&first).then(|| format!("{alias}.{field}"))
}

/// The fields of the former view of orders with their lines, on orders.
#[must_use]
pub fn of_orders_view(field: &str) -> Option<String> {
    under("poLine", &OF_LINES_ONLY, field)
}

/// The fields of the former view of lines with their order, on lines.
#[must_use]
pub fn of_lines_view(field: &str) -> Option<String> {
    under("purchaseOrder", &OF_ORDERS_ONLY, field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_is_looked_for_where_it_is() {
        let named = |name: fn(&str) -> Option<String>, field: &str| {
            name(field).unwrap_or_else(|| field.to_owned())
        };
        for (name, field, meant) in [
            (
                of_orders_view as fn(&str) -> Option<String>,
                "workflowStatus",
                "workflowStatus",
            ),
            (of_orders_view, "orderFormat", "poLine.orderFormat"),
            (
                of_orders_view,
                "physical.materialType",
                "poLine.physical.materialType",
            ),
            (
                of_orders_view,
                "metadata.createdDate",
                "metadata.createdDate",
            ),
            (
                of_lines_view,
                "workflowStatus",
                "purchaseOrder.workflowStatus",
            ),
            (of_lines_view, "orderFormat", "orderFormat"),
            (
                of_wrapper_pieces,
                "piece.receivingStatus",
                "receivingStatus",
            ),
            (of_wrapper_pieces, "title.title", "titles.title"),
            (of_wrapper_pieces, "poLine.rush", "poLine.rush"),
            (of_receiving_history, "checkin", "poLine.checkinItems"),
            (of_receiving_history, "receivingStatus", "receivingStatus"),
        ] {
            assert_eq!(named(name, field), meant);
        }
    }
}
