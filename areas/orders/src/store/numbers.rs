//! The sequence of order numbers.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

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

/// Keeps the number of the next line of an order that is locked. As in FOLIO that is no change of the order: its date
/// stays, and no event tells of it. No index reads it, so that none is written.
#[boxed]
pub async fn keep_next_line_number(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order_id: Uuid,
    next: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb || jsonb_build_object('nextPolNumber', $2::bigint) WHERE id = $1",
        tables.table("purchase_order")
    );
    executor.rows(&sql, &[&order_id, &next]).await?;
    Ok(())
}
