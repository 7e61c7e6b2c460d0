//! Expense classes, and which budgets use them.

use octavo_records::expression::AMONG_IDS;
use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// An expense class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpenseClass {
    pub name: String,
    pub code: String,
    /// What is added to the external account of the fund.
    pub extension: Option<String>,
}

/// The existing ones of these classes.
#[boxed]
pub async fn expense_classes(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, ExpenseClass>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = format!(
        "SELECT id, jsonb->>'name' AS name, jsonb->>'code' AS code, \
         jsonb->>'externalAccountNumberExt' AS extension FROM {} WHERE id {AMONG_IDS}",
        tables.table("expense_class")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    let class = |row: &octavo_postgres::Row| {
        let class = ExpenseClass {
            name: row.get::<_, Option<String>>("name").unwrap_or_default(),
            code: row.get::<_, Option<String>>("code").unwrap_or_default(),
            extension: row.get("extension"),
        };
        (row.get("id"), class)
    };
    Ok(rows.iter().map(class).collect())
}

/// The classes of budgets, by budget and class: whether the budget uses the class actively.
#[boxed]
pub async fn classes_of_budgets(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budgets: &[Uuid],
) -> Result<HashMap<(Uuid, Uuid), bool>, StoreError> {
    let sql = format!(
        "SELECT budgetid, expenseclassid, coalesce(jsonb->>'status', 'Active') = 'Active' AS active \
         FROM {} WHERE budgetid {AMONG_IDS}",
        tables.table("budget_expense_class")
    );
    let rows = executor.rows(&sql, &[&budgets]).await?;
    let class = |row: &octavo_postgres::Row| {
        let key = (row.get("budgetid"), row.get("expenseclassid"));
        (key, row.get("active"))
    };
    Ok(rows.iter().map(class).collect())
}

/// A fiscal year, and how many of the wanted funds have an active budget in it.
#[derive(Debug, Clone, PartialEq)]
pub struct UsableYear {
    pub series: String,
    pub funds: i64,
    pub document: serde_json::Value,
}

/// The fiscal years in which any of the funds has an active budget, the latest first. Years that have not
/// begun are not among them.
#[boxed]
pub async fn years_with_budgets(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
) -> Result<Vec<UsableYear>, StoreError> {
    let sql = format!(
        "SELECT year.jsonb, coalesce(year.jsonb->>'series', '') AS series, counted.funds \
         FROM (SELECT fiscalyearid, count(DISTINCT fundid) AS funds FROM {} \
         WHERE fundid {AMONG_IDS} AND jsonb->>'budgetStatus' = 'Active' GROUP BY fiscalyearid) AS counted \
         JOIN {} AS year ON year.id = counted.fiscalyearid \
         WHERE (year.jsonb->>'periodStart')::timestamptz <= now() \
         ORDER BY (year.jsonb->>'periodStart')::timestamptz DESC, year.id",
        tables.table("budget"),
        tables.table("fiscal_year"),
    );
    let rows = executor.rows(&sql, &[&funds]).await?;
    let year = |row: &octavo_postgres::Row| UsableYear {
        series: row.get("series"),
        funds: row.get("funds"),
        document: row.get("jsonb"),
    };
    Ok(rows.iter().map(year).collect())
}
