//! Codes of funds with the expense classes of their active budgets.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// A fund whose budget is active, and the codes of the budget's expense classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundClasses {
    pub fund_code: String,
    pub ledger_code: String,
    pub active: Vec<String>,
    pub inactive: Vec<String>,
}

/// Those of fiscal years.
#[boxed]
pub async fn of_years(
    executor: &dyn Executor,
    tables: Tables<'_>,
    years: &[Uuid],
) -> Result<Vec<FundClasses>, StoreError> {
    let codes = |status: &str| {
        format!(
            "coalesce(array_agg(class.jsonb->>'code' ORDER BY class.jsonb->>'code') FILTER \
             (WHERE coalesce(link.jsonb->>'status', 'Active') = '{status}' \
             AND class.id IS NOT NULL), '{{}}')"
        )
    };
    let sql = format!(
        "SELECT fund.jsonb->>'code' AS fund_code, ledger.jsonb->>'code' AS ledger_code, \
         {} AS active, {} AS inactive FROM {} AS budget \
         JOIN {} AS fund ON fund.id = budget.fundid JOIN {} AS ledger ON ledger.id = fund.ledgerid \
         LEFT JOIN {} AS link ON link.budgetid = budget.id \
         LEFT JOIN {} AS class ON class.id = link.expenseclassid \
         WHERE budget.fiscalyearid = ANY($1) AND budget.jsonb->>'budgetStatus' = 'Active' \
         GROUP BY budget.id, fund.id, ledger.id ORDER BY 1, budget.id",
        codes("Active"),
        codes("Inactive"),
        tables.table("budget"),
        tables.table("fund"),
        tables.table("ledger"),
        tables.table("budget_expense_class"),
        tables.table("expense_class"),
    );
    let rows = executor.rows(&sql, &[&years]).await?;
    let funds = rows.iter().map(|row| FundClasses {
        fund_code: row.get("fund_code"),
        ledger_code: row.get("ledger_code"),
        active: row.get("active"),
        inactive: row.get("inactive"),
    });
    Ok(funds.collect())
}

/// The ids of all ledgers.
#[boxed]
pub async fn ledgers(executor: &dyn Executor, tables: Tables<'_>) -> Result<Vec<Uuid>, StoreError> {
    let sql = format!("SELECT id FROM {}", tables.table("ledger"));
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The fiscal year with a code.
#[boxed]
pub async fn year(
    executor: &dyn Executor,
    tables: Tables<'_>,
    code: &str,
) -> Result<Option<Uuid>, StoreError> {
    let sql = format!(
        "SELECT id FROM {} WHERE {}",
        tables.table("fiscal_year"),
        tables.equals("fiscal_year", "code", "$1::text")
    );
    let rows = executor.rows(&sql, &[&code]).await?;
    Ok(rows.first().map(|row| row.get("id")))
}
