//! What belongs to budgets: expense classes and places in groups.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// A client that read the record before finds that it has changed.
const NEXT_VERSION: &str =
    "jsonb_build_object('_version', coalesce((jsonb->>'_version')::bigint, 0) + 1)";

/// Whether a budget uses expense classes.
#[boxed]
pub async fn has_expense_classes(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budget: Uuid,
) -> Result<bool, StoreError> {
    let table = tables.table("budget_expense_class");
    let sql = format!("SELECT FROM {table} WHERE budgetid = $1 LIMIT 1");
    Ok(!executor.rows(&sql, &[&budget]).await?.is_empty())
}

/// Takes a budget out of the places of its fund in groups.
#[boxed]
pub async fn leave_groups(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budget: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = (jsonb - 'budgetId') || {NEXT_VERSION} WHERE budgetid = $1",
        tables.table("group_fund_fiscal_year")
    );
    executor.rows(&sql, &[&budget]).await?;
    Ok(())
}

/// Gives the places of a fund in groups its budget of the fiscal year.
#[boxed]
pub async fn join_groups(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budget: Uuid,
    (fund, year): (Uuid, Uuid),
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb || jsonb_build_object('budgetId', $1::uuid) || {NEXT_VERSION} \
         WHERE fundid = $2 AND fiscalyearid = $3",
        tables.table("group_fund_fiscal_year")
    );
    executor.rows(&sql, &[&budget, &fund, &year]).await?;
    Ok(())
}

/// A budget with its expense classes, as clients of the business interface see it.
#[boxed]
pub async fn shared(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT budget.jsonb || jsonb_build_object('statusExpenseClasses', coalesce((\
         SELECT jsonb_agg(jsonb_build_object('expenseClassId', link.expenseclassid, 'status', \
         coalesce(link.jsonb->>'status', 'Active')) ORDER BY link.id) FROM {} AS link \
         WHERE link.budgetid = budget.id), '[]')) AS jsonb FROM {} AS budget WHERE id = $1",
        tables.table("budget_expense_class"),
        tables.table("budget"),
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}
