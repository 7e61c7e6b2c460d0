//! What a rollover reads of a ledger, and its own rows.

use std::collections::{BTreeSet, HashMap};

use octavo_boxed::boxed;
use octavo_records::expression::key;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use super::accounts::object;
use crate::money::Amount;
use crate::records::{Budget, FundTransaction};
use crate::rules::rollover::Rollover;

/// Whether a ledger has a committed rollover from a fiscal year.
#[boxed]
pub async fn is_committed(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledger: Uuid,
    from: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT FROM {} WHERE ledgerid = $1 AND fromfiscalyearid = $2 \
         AND coalesce(jsonb->>'rolloverType', 'Commit') = 'Commit' LIMIT 1",
        tables.table("ledger_fiscal_year_rollover")
    );
    Ok(!executor.rows(&sql, &[&ledger, &from]).await?.is_empty())
}

/// A rollover.
#[boxed]
pub async fn read(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Rollover>, StoreError> {
    let table = tables.table("ledger_fiscal_year_rollover");
    let sql = format!("SELECT jsonb FROM {table} WHERE id = $1");
    let rows = executor.rows(&sql, &[&id]).await?;
    match rows.first() {
        Some(row) => Ok(Some(serde_json::from_value(row.get("jsonb"))?)),
        None => Ok(None),
    }
}

/// The progress of a rollover with its id, locked.
#[boxed]
pub async fn hold_progress(
    executor: &dyn Executor,
    tables: Tables<'_>,
    rollover: Uuid,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE ledgerrolloverid = $1 FOR NO KEY UPDATE",
        tables.table("ledger_fiscal_year_rollover_progress")
    );
    let rows = executor.rows(&sql, &[&rollover]).await?;
    Ok(rows
        .first()
        .map(|row| (row.get("id"), object(row.get("jsonb")))))
}

/// Whether a rollover could not do something.
#[boxed]
pub async fn has_errors(
    executor: &dyn Executor,
    tables: Tables<'_>,
    rollover: Uuid,
) -> Result<bool, StoreError> {
    let table = tables.table("ledger_fiscal_year_rollover_error");
    let sql = format!("SELECT FROM {table} WHERE ledgerrolloverid = $1 LIMIT 1");
    Ok(!executor.rows(&sql, &[&rollover]).await?.is_empty())
}

/// Deletes the progress, errors and budgets of a rollover.
#[boxed]
pub async fn clear(
    executor: &dyn Executor,
    tables: Tables<'_>,
    rollover: Uuid,
) -> Result<(), StoreError> {
    for table in [
        "ledger_fiscal_year_rollover_progress",
        "ledger_fiscal_year_rollover_error",
        "ledger_fiscal_year_rollover_budget",
    ] {
        let table = tables.table(table);
        let sql = format!("DELETE FROM {table} WHERE ledgerrolloverid = $1");
        executor.rows(&sql, &[&rollover]).await?;
    }
    Ok(())
}

/// A fund of the ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct RolledFund {
    pub id: Uuid,
    pub code: String,
    pub is_inactive: bool,
    pub fund_type_id: Option<Uuid>,
    /// The name of its type.
    pub fund_type_name: Option<String>,
    pub document: Map<String, Value>,
}

/// The funds of a ledger by their codes.
#[boxed]
pub async fn funds(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledger: Uuid,
) -> Result<Vec<RolledFund>, StoreError> {
    let sql = format!(
        "SELECT fund.id, fund.jsonb, fund.fundtypeid, type.jsonb->>'name' AS type_name \
         FROM {} AS fund LEFT JOIN {} AS type ON type.id = fund.fundtypeid \
         WHERE fund.ledgerid = $1 ORDER BY fund.jsonb->>'code', fund.id",
        tables.table("fund"),
        tables.table("fund_type"),
    );
    let rows = executor.rows(&sql, &[&ledger]).await?;
    let funds = rows.iter().map(|row| {
        let document = object(row.get("jsonb"));
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        RolledFund {
            id: row.get("id"),
            code: text("code").unwrap_or_default().to_owned(),
            is_inactive: text("fundStatus") == Some("Inactive"),
            fund_type_id: row.get("fundtypeid"),
            fund_type_name: row.get("type_name"),
            document,
        }
    });
    Ok(funds.collect())
}

/// The names of all funds, by their ids.
#[boxed]
pub async fn fund_names(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<HashMap<Uuid, String>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb->>'name' AS name FROM {}",
        tables.table("fund")
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("name")))
        .collect())
}

/// The budgets of funds in two fiscal years, locked in the order of their ids.
#[boxed]
pub async fn hold_budgets(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    years: &[Uuid],
) -> Result<Vec<Budget>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE fundid = ANY($1) AND fiscalyearid = ANY($2) \
         ORDER BY id FOR NO KEY UPDATE",
        tables.table("budget")
    );
    let rows = executor.rows(&sql, &[&funds, &years]).await?;
    rows.iter()
        .map(|row| Budget::read(object(row.get("jsonb"))))
        .collect()
}

/// All open encumbrances of the year, in the order of their creation, of the orders that have one on these
/// funds.
#[boxed]
pub async fn open_encumbrances(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    year: Uuid,
) -> Result<Vec<FundTransaction>, StoreError> {
    let order = key(tables.index("transaction", "encumbrance.sourcePurchaseOrderId"));
    let open = "jsonb->>'transactionType' = 'Encumbrance' \
                AND jsonb->'encumbrance'->>'orderStatus' = 'Open' AND fiscalyearid = $2";
    let table = tables.table("transaction");
    let sql = format!(
        "SELECT jsonb FROM {table} WHERE {open} AND {order} IN (\
         SELECT {order} FROM {table} WHERE {open} AND fromfundid = ANY($1)) \
         ORDER BY jsonb->'metadata'->>'createdDate', id"
    );
    let rows = executor.rows(&sql, &[&funds, &year]).await?;
    rows.iter()
        .map(|row| super::transactions::read(row.get("jsonb")))
        .collect::<Result<_, _>>()
}

/// The encumbrances of orders in a fiscal year.
#[boxed]
pub async fn encumbrances_in(
    executor: &dyn Executor,
    tables: Tables<'_>,
    orders: &[String],
    year: Uuid,
) -> Result<Vec<FundTransaction>, StoreError> {
    let order = key(tables.index("transaction", "encumbrance.sourcePurchaseOrderId"));
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {order} = ANY($1::text[]) AND fiscalyearid = $2",
        tables.table("transaction")
    );
    let rows = executor.rows(&sql, &[&orders, &year]).await?;
    rows.iter()
        .map(|row| super::transactions::read(row.get("jsonb")))
        .collect::<Result<_, _>>()
}

/// Those of these funds whose ledger's rollover from a fiscal year has not ended. One that ended with errors
/// has.
#[boxed]
pub async fn not_rolled(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    from: Uuid,
) -> Result<BTreeSet<Uuid>, StoreError> {
    let sql = format!(
        "SELECT fund.id FROM {} AS fund WHERE fund.id = ANY($1) AND NOT EXISTS (\
         SELECT FROM {} AS rollover JOIN {} AS progress ON progress.ledgerrolloverid = rollover.id \
         WHERE rollover.ledgerid = fund.ledgerid AND rollover.fromfiscalyearid = $2 \
         AND coalesce(rollover.jsonb->>'rolloverType', 'Commit') <> 'Preview' \
         AND progress.jsonb->>'overallRolloverStatus' IN ('Success', 'Error'))",
        tables.table("fund"),
        tables.table("ledger_fiscal_year_rollover"),
        tables.table("ledger_fiscal_year_rollover_progress"),
    );
    let rows = executor.rows(&sql, &[&funds, &from]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// What came to a fund less what went, by allocations and by transfers of a fiscal year.
#[boxed]
pub async fn moved(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    year: Uuid,
) -> Result<HashMap<Uuid, (Amount, Amount)>, StoreError> {
    let sum = |kinds: &str| {
        let of = |side: &str| {
            format!(
                "coalesce(sum((jsonb->>'amount')::numeric) FILTER (WHERE {side} = fund.id \
                 AND jsonb->>'transactionType' IN ({kinds})), 0)"
            )
        };
        format!("({} - {})::text", of("tofundid"), of("fromfundid"))
    };
    let sql = format!(
        "SELECT fund.id, {} AS allocated, {} AS transferred \
         FROM unnest($1::uuid[]) AS fund(id) JOIN {} AS moved \
         ON moved.tofundid = fund.id OR moved.fromfundid = fund.id \
         WHERE moved.fiscalyearid = $2 GROUP BY fund.id",
        sum("'Allocation'"),
        sum("'Transfer', 'Rollover transfer'"),
        tables.table("transaction"),
    );
    let rows = executor.rows(&sql, &[&funds, &year]).await?;
    let moved = rows.iter().map(|row| {
        let amount = |name: &str| Amount::parse(row.get(name)).unwrap_or_default();
        (row.get("id"), (amount("allocated"), amount("transferred")))
    });
    Ok(moved.collect())
}

/// The places in groups of funds in a fiscal year: group and fund.
#[boxed]
pub async fn places(
    executor: &dyn Executor,
    tables: Tables<'_>,
    funds: &[Uuid],
    year: Uuid,
) -> Result<BTreeSet<(Uuid, Uuid)>, StoreError> {
    let sql = format!(
        "SELECT groupid, fundid FROM {} WHERE fundid = ANY($1) AND fiscalyearid = $2",
        tables.table("group_fund_fiscal_year")
    );
    let rows = executor.rows(&sql, &[&funds, &year]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("groupid"), row.get("fundid")))
        .collect())
}

/// An expense class of a budget, with its name and code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetClass {
    pub budget_id: Uuid,
    pub class_id: Uuid,
    pub status: String,
    pub name: String,
    pub code: String,
}

/// The expense classes of budgets.
#[boxed]
pub async fn classes(
    executor: &dyn Executor,
    tables: Tables<'_>,
    budgets: &[Uuid],
) -> Result<Vec<BudgetClass>, StoreError> {
    let sql = format!(
        "SELECT link.budgetid, class.id, coalesce(link.jsonb->>'status', 'Active') AS status, \
         class.jsonb->>'name' AS name, class.jsonb->>'code' AS code FROM {} AS link \
         JOIN {} AS class ON class.id = link.expenseclassid WHERE link.budgetid = ANY($1) \
         ORDER BY class.jsonb->>'name', class.id",
        tables.table("budget_expense_class"),
        tables.table("expense_class"),
    );
    let rows = executor.rows(&sql, &[&budgets]).await?;
    let classes = rows.iter().map(|row| BudgetClass {
        budget_id: row.get("budgetid"),
        class_id: row.get("id"),
        status: row.get("status"),
        name: row.get("name"),
        code: row.get("code"),
    });
    Ok(classes.collect())
}

/// The committed rollovers of ledgers into a fiscal year that have ended, by ledger.
#[boxed]
pub async fn committed_into(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledgers: &[Uuid],
    to: Uuid,
) -> Result<HashMap<Uuid, Rollover>, StoreError> {
    let sql = format!(
        "SELECT rollover.jsonb FROM {} AS rollover JOIN {} AS progress \
         ON progress.ledgerrolloverid = rollover.id WHERE rollover.ledgerid = ANY($1) \
         AND rollover.tofiscalyearid = $2 \
         AND coalesce(rollover.jsonb->>'rolloverType', 'Commit') = 'Commit' \
         AND progress.jsonb->>'overallRolloverStatus' IN ('Success', 'Error')",
        tables.table("ledger_fiscal_year_rollover"),
        tables.table("ledger_fiscal_year_rollover_progress"),
    );
    let rows = executor.rows(&sql, &[&ledgers, &to]).await?;
    let mut found = HashMap::new();
    for row in rows {
        let rollover: Rollover = serde_json::from_value(row.get("jsonb"))?;
        found.insert(rollover.ledger_id, rollover);
    }
    Ok(found)
}

/// Those of these orders for which a rollover could not do something.
#[boxed]
pub async fn orders_with_errors(
    executor: &dyn Executor,
    tables: Tables<'_>,
    orders: &[Uuid],
) -> Result<BTreeSet<Uuid>, StoreError> {
    let table = "ledger_fiscal_year_rollover_error";
    let sql = format!(
        "SELECT DISTINCT (jsonb->'details'->>'purchaseOrderId')::uuid AS id \
         FROM {} JOIN unnest($1::text[]) AS wanted(number) ON {}",
        tables.table(table),
        tables.equals(table, "details.purchaseOrderId", "wanted.number"),
    );
    let orders: Vec<String> = orders.iter().map(Uuid::to_string).collect();
    let rows = executor.rows(&sql, &[&orders]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// Deletes what rollovers could not do for an order: it has been done.
#[boxed]
pub async fn forget_errors(
    executor: &dyn Executor,
    tables: Tables<'_>,
    order: Uuid,
) -> Result<(), StoreError> {
    let table = "ledger_fiscal_year_rollover_error";
    let sql = format!(
        "DELETE FROM {} WHERE {}",
        tables.table(table),
        tables.equals(table, "details.purchaseOrderId", "$1::text"),
    );
    executor.rows(&sql, &[&order.to_string()]).await?;
    Ok(())
}
