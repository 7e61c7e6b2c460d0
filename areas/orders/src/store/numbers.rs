//! The sequence of order numbers.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};

/// The next number.
#[boxed]
pub async fn next_order_number(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT nextval('{}.order_number_seq') AS next",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    let next = rows.first().map(|row| row.get("next"));
    next.ok_or_else(|| StoreError::fault("a sequence gave no number"))
}
