//! Expense classes of budgets, and what they have used.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use super::accounts::object;
use crate::money::Amount;
use crate::records::ClassLink;

/// The expense classes of a budget.
pub async fn links(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budget: Uuid,
) -> Result<Vec<ClassLink>, StoreError> {
    let stored = stored_links(executor, tables, budget).await?;
    Ok(stored.into_iter().map(|(_, link, _)| link).collect())
}

/// The same with their ids and documents.
#[boxed]
pub async fn stored_links(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budget: Uuid,
) -> Result<Vec<(Uuid, ClassLink, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, expenseclassid, coalesce(jsonb->>'status', 'Active') AS status, jsonb \
         FROM {} WHERE budgetid = $1 ORDER BY id",
        tables.table("budget_expense_class")
    );
    let rows = executor.rows(&sql, &[&budget]).await?;
    let links = rows.iter().map(|row| {
        let link = ClassLink {
            expense_class_id: row.get("expenseclassid"),
            status: row.get("status"),
        };
        (row.get("id"), link, object(row.get("jsonb")))
    });
    Ok(links.collect())
}

/// Whether a budget has transactions with an expense class.
#[boxed]
pub async fn is_used(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (fund, year): (Uuid, Uuid),
    class: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT FROM {} WHERE (fromfundid = $1 OR tofundid = $1) AND fiscalyearid = $2 \
         AND expenseclassid = $3 LIMIT 1",
        tables.table("transaction")
    );
    let rows = executor.rows(&sql, &[&fund, &year, &class]).await?;
    Ok(!rows.is_empty())
}

/// An expense class of budgets, and what its transactions sum up to.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassTotals {
    pub id: Uuid,
    pub name: String,
    pub code: String,
    pub status: String,
    pub encumbered: Amount,
    pub awaiting_payment: Amount,
    pub expended: Amount,
    pub credited: Amount,
    /// Whether it has transactions.
    pub is_used: bool,
}

/// The expense classes of the budgets of funds in a fiscal year.
#[boxed]
pub async fn totals(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    year: Uuid,
) -> Result<Vec<ClassTotals>, StoreError> {
    let sum = |kind: &str, side: &str| {
        format!(
            "coalesce(sum((jsonb->>'amount')::numeric) FILTER (WHERE \
             jsonb->>'transactionType' = '{kind}' AND {side} = ANY($1)), 0)"
        )
    };
    let sql = format!(
        "SELECT class.id, class.jsonb->>'name' AS name, class.jsonb->>'code' AS code, \
         link.status, coalesce(used.encumbered, 0)::text AS encumbered, \
         coalesce(used.awaiting, 0)::text AS awaiting, coalesce(used.expended, 0)::text AS expended, \
         coalesce(used.credited, 0)::text AS credited, used.expenseclassid IS NOT NULL AS used \
         FROM (SELECT link.expenseclassid, \
           min(coalesce(link.jsonb->>'status', 'Active')) AS status \
           FROM {} AS link JOIN {} AS budget ON budget.id = link.budgetid \
           WHERE budget.fundid = ANY($1) AND budget.fiscalyearid = $2 \
           GROUP BY link.expenseclassid) AS link \
         JOIN {} AS class ON class.id = link.expenseclassid \
         LEFT JOIN (SELECT expenseclassid, {} AS encumbered, {} AS awaiting, {} AS expended, \
           {} AS credited FROM {} WHERE (fromfundid = ANY($1) OR tofundid = ANY($1)) \
           AND fiscalyearid = $2 AND expenseclassid IS NOT NULL GROUP BY expenseclassid) AS used \
           ON used.expenseclassid = class.id ORDER BY name, class.id",
        tables.table("budget_expense_class"),
        tables.table("budget"),
        tables.table("expense_class"),
        sum("Encumbrance", "fromfundid"),
        sum("Pending payment", "fromfundid"),
        sum("Payment", "fromfundid"),
        sum("Credit", "tofundid"),
        tables.table("transaction"),
    );
    let rows = executor.rows(&sql, &[&funds, &year]).await?;
    let totals = rows.iter().map(|row| {
        let amount = |name: &str| Amount::parse(row.get(name)).unwrap_or_default();
        ClassTotals {
            id: row.get("id"),
            name: row.get("name"),
            code: row.get("code"),
            status: row.get("status"),
            encumbered: amount("encumbered"),
            awaiting_payment: amount("awaiting"),
            expended: amount("expended"),
            credited: amount("credited"),
            is_used: row.get("used"),
        }
    });
    Ok(totals.collect())
}

/// The expense classes with these ids, by their names.
#[boxed]
pub async fn by_ids(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = ANY($1) ORDER BY jsonb->>'name', id",
        tables.table("expense_class")
    );
    let rows = executor.rows(&sql, &[&ids]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}
