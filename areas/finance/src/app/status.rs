//! Replaces funds and ledgers: a changed status reaches the budgets of fiscal years that contain now.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{Locking, fetch_locked, replace, replace_many};
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::transactions::write_budgets;
use crate::records::BudgetStatus;
use crate::store::{accounts, statuses};

/// Replaces a fund by a checked document.
///
/// # Errors
/// As for every replaced record.
#[boxed]
pub async fn replace_fund(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let collection = context.collection("fund");
    let held = fetch_locked(transaction, context.tenant, collection, id).await?;
    let held = held.ok_or(StoreError::NotFound)?;
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        document,
        &context.stamp,
    )
    .await?;
    match changed(&held, document, "fundStatus") {
        Some(status) => set_budgets(context, transaction, &[id], status).await,
        None => Ok(()),
    }
}

/// Replaces a ledger by a checked document. A changed status becomes that of its funds, and of the budgets
/// of those funds that had another.
///
/// # Errors
/// As for every replaced record.
#[boxed]
pub async fn replace_ledger(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let collection = context.collection("ledger");
    let held = fetch_locked(transaction, context.tenant, collection, id).await?;
    let held = held.ok_or(StoreError::NotFound)?;
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        document,
        &context.stamp,
    )
    .await?;
    let Some(status) = changed(&held, document, "ledgerStatus") else {
        return Ok(());
    };
    let name = Value::String(status.clone());
    let mut funds = statuses::hold_funds_of_ledger(transaction, context.tables(), id).await?;
    funds.retain(|(_, fund)| fund.get("fundStatus") != Some(&name));
    for (_, fund) in &mut funds {
        fund.insert("fundStatus".to_owned(), name.clone());
    }
    let ids: Vec<Uuid> = funds.iter().map(|(id, _)| *id).collect();
    replace_many(
        transaction,
        context.tenant,
        context.collection("fund"),
        &funds,
        &context.stamp,
        Locking::Suppressed,
    )
    .await?;
    set_budgets(context, transaction, &ids, status).await
}

/// The new status, if it is another.
fn changed(held: &Value, document: &Map<String, Value>, name: &str) -> Option<String> {
    let new = document.get(name)?;
    (held.get(name) != Some(new)).then(|| new.as_str().unwrap_or_default().to_owned())
}

async fn set_budgets(
    context: Context<'_>,
    transaction: &Transaction,
    funds: &[Uuid],
    status: String,
) -> Result<(), StoreError> {
    let status: BudgetStatus = serde_json::from_value(Value::String(status))?;
    let (tables, now) = (context.tables(), context.stamp.at);
    let mut budgets = accounts::hold_current(transaction, tables, funds, now).await?;
    for budget in &mut budgets {
        budget.status = status;
    }
    write_budgets(context, transaction, &budgets).await
}
