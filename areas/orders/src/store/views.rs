//! What clients see of a piece with its line, title and order.

use octavo_records::plan::{Plan, Sql};

use super::Tables;

/// The receiving history: one row for each piece.
#[must_use]
pub fn receiving_history(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let row = format!(
        "(SELECT jsonb_strip_nulls(jsonb_build_object(
            'id', pieces.id,
            'displaySummary', pieces.jsonb->'displaySummary',
            'checkin', line.jsonb->'checkinItems',
            'chronology', pieces.jsonb->'chronology',
            'comment', pieces.jsonb->'comment',
            'copyNumber', pieces.jsonb->'copyNumber',
            'dateOrdered', ordered.jsonb->'dateOrdered',
            'discoverySuppress', pieces.jsonb->'discoverySuppress',
            'displayOnHolding', pieces.jsonb->'displayOnHolding',
            'enumeration', pieces.jsonb->'enumeration',
            'instanceId', line.jsonb->'instanceId',
            'itemId', pieces.jsonb->'itemId',
            'locationId', pieces.jsonb->'locationId',
            'pieceFormat', pieces.jsonb->'format',
            'poLineId', line.id,
            'poLineNumber', line.jsonb->'poLineNumber',
            'poLineReceiptStatus', line.jsonb->'receiptStatus',
            'purchaseOrderId', ordered.id,
            'receiptDate', pieces.jsonb->'receiptDate',
            'receivedDate', pieces.jsonb->'receivedDate',
            'receivingNote', line.jsonb->'details'->'receivingNote',
            'receivingStatus', pieces.jsonb->'receivingStatus',
            'supplement', pieces.jsonb->'supplement',
            'title', line.jsonb->'titleOrPackage'))
          FROM (VALUES (1)) AS one
          LEFT JOIN {line} AS line ON line.id = pieces.polineid
          LEFT JOIN {ordered} AS ordered ON ordered.id = line.purchaseorderid) AS jsonb",
        line = tables.table("po_line"),
        ordered = tables.table("purchase_order"),
    );
    page(&row, tables, plan, limit, offset)
}

/// Pieces with their line, title, order and vendor.
#[must_use]
pub fn wrapper_pieces(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let row = format!(
        "(SELECT jsonb_build_object('vendorId', ordered.jsonb->'vendor', 'piece', pieces.jsonb,
            'poLine', line.jsonb, 'title', title.jsonb, 'purchaseOrder', ordered.jsonb)
          FROM {line} AS line
          JOIN {title} AS title ON title.id = pieces.titleid
          JOIN {ordered} AS ordered ON ordered.id = line.purchaseorderid
          WHERE line.id = pieces.polineid) AS jsonb",
        line = tables.table("po_line"),
        title = tables.table("titles"),
        ordered = tables.table("purchase_order"),
    );
    page(&row, tables, plan, limit, offset)
}

fn page(row: &str, tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let schema = tables.tenant.schema();
    Sql::select(row, schema, "pieces", plan, limit, offset)
}
