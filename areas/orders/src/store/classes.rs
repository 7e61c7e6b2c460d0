//! The expense classes of funds' active budgets.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_IDS;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// An expense class of a fund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundClass {
    pub fund_id: Uuid,
    pub class_id: Uuid,
    pub is_active: bool,
}

/// The expense classes of the active budgets of funds.
#[boxed]
pub async fn of_funds(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund_ids: &[Uuid],
) -> Result<Vec<FundClass>, StoreError> {
    let sql = format!(
        "SELECT budget.fundid, class.expenseclassid,
           coalesce(class.jsonb->>'status', 'Active') <> 'Inactive' AS is_active
         FROM {budget} AS budget JOIN {class} AS class ON class.budgetid = budget.id
         WHERE budget.fundid {AMONG_IDS} AND budget.jsonb->>'budgetStatus' = 'Active'",
        budget = tables.table("budget"),
        class = tables.table("budget_expense_class"),
    );
    let rows = executor.rows(&sql, &[&fund_ids]).await?;
    Ok(rows
        .iter()
        .map(|row| FundClass {
            fund_id: row.get("fundid"),
            class_id: row.get("expenseclassid"),
            is_active: row.get("is_active"),
        })
        .collect())
}

/// The names of a fund and an expense class, for messages: the fund's code, the class's name.
#[boxed]
pub async fn names(
    executor: &dyn Executor,
    tables: Tables<'_>,
    fund_id: Uuid,
    class_id: Uuid,
) -> Result<(Option<String>, Option<String>), StoreError> {
    let sql = format!(
        "SELECT (SELECT jsonb->>'code' FROM {} WHERE id = $1) AS fund,
                (SELECT jsonb->>'name' FROM {} WHERE id = $2) AS class",
        tables.table("fund"),
        tables.table("expense_class"),
    );
    let rows = executor.rows(&sql, &[&fund_id, &class_id]).await?;
    Ok(rows
        .first()
        .map_or((None, None), |row| (row.get("fund"), row.get("class"))))
}
