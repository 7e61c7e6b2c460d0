//! The orders of imports: which order a job's record belongs to, and how many of its lines are processed.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// An order of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportedOrder {
    /// Nothing while no line of it was made.
    pub order_id: Option<Uuid>,
    /// The lines that it is to have.
    pub lines: i64,
    /// Those that were processed, refused ones among them.
    pub processed: i64,
}

/// The order of a number in a job, which is entered where it is new; locked until the transaction ends.
#[boxed]
pub async fn hold(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (job, number): (Uuid, i64),
    lines: i64,
) -> Result<ImportedOrder, StoreError> {
    let sql = format!(
        "INSERT INTO {}.imported_orders AS known (job, number, lines) VALUES ($1, $2, $3)
         ON CONFLICT (job, number) DO UPDATE SET lines = known.lines
         RETURNING order_id, lines, processed",
        tables.tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job, &number, &lines]).await?;
    let row = rows.first();
    let row =
        row.ok_or_else(|| StoreError::fault("an order of an import is neither new nor known"))?;
    Ok(ImportedOrder {
        order_id: row.get("order_id"),
        lines: row.get("lines"),
        processed: row.get("processed"),
    })
}

/// Enters the order that was made.
#[boxed]
pub async fn made(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (job, number): (Uuid, i64),
    order_id: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.imported_orders SET order_id = $3 WHERE job = $1 AND number = $2",
        tables.tenant.schema()
    );
    executor.rows(&sql, &[&job, &number, &order_id]).await?;
    Ok(())
}

/// Counts a line that was processed.
#[boxed]
pub async fn count(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (job, number): (Uuid, i64),
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.imported_orders SET processed = processed + 1 WHERE job = $1 AND number = $2",
        tables.tenant.schema()
    );
    executor.rows(&sql, &[&job, &number]).await?;
    Ok(())
}
