//! The sequence of order numbers.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};

use super::Tables;

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

/// The next number, and whether an order has it between this prefix and suffix: a library may have given
/// it by hand.
#[boxed]
pub async fn next_free_order_number(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (prefix, suffix): (&str, &str),
) -> Result<(i64, bool), StoreError> {
    let sql = format!(
        "WITH given AS MATERIALIZED (SELECT nextval('{sequence}') AS next)
         SELECT next, EXISTS (SELECT FROM {orders} WHERE {taken}) AS taken FROM given",
        sequence = tables.table("order_number_seq"),
        orders = tables.table("purchase_order"),
        taken = tables.equals(
            "purchase_order",
            "poNumber",
            "($1::text || next || $2::text)"
        ),
    );
    let rows = executor.rows(&sql, &[&prefix, &suffix]).await?;
    let given = rows.first().map(|row| (row.get("next"), row.get("taken")));
    given.ok_or_else(|| StoreError::fault("a sequence gave no number"))
}
