//! What invoices read of orders.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// An order line with what invoices ask of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderLine {
    pub id: Uuid,
    pub order_id: Uuid,
    pub po_number: String,
    pub workflow_status: String,
    pub payment_status: String,
}

/// The existing ones of these order lines.
#[boxed]
pub async fn order_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<OrderLine>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT line.id, line.purchaseorderid, purchase.jsonb->>'poNumber' AS number, \
         purchase.jsonb->>'workflowStatus' AS workflow, line.jsonb->>'paymentStatus' AS payment \
         FROM {} AS line JOIN {} AS purchase ON purchase.id = line.purchaseorderid \
         WHERE line.id = ANY($1) ORDER BY line.id",
        tables.table("po_line"),
        tables.table("purchase_order")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let text = |row: &octavo_postgres::Row, name: &str| {
        row.get::<_, Option<String>>(name).unwrap_or_default()
    };
    let line = |row: &octavo_postgres::Row| OrderLine {
        id: row.get("id"),
        order_id: row.get("purchaseorderid"),
        po_number: text(row, "number"),
        workflow_status: text(row, "workflow"),
        payment_status: text(row, "payment"),
    };
    Ok(rows.iter().map(line).collect())
}
