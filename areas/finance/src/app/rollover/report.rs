//! What clients see of a rollover: its progress, and what it could not do.

use octavo_postgres::Transaction;
use octavo_records::store::{insert_many, replace};
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::rules::rollover::OrderFault;
use crate::store::accounts::object;
use crate::store::rollovers;

pub const ROLLOVERS: &str = "ledger_fiscal_year_rollover";
pub const PROGRESS: &str = "ledger_fiscal_year_rollover_progress";
const ERRORS: &str = "ledger_fiscal_year_rollover_error";

/// The progress of a rollover with its id, locked.
pub async fn progress(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: Uuid,
) -> Result<Option<(Uuid, Map<String, Value>)>, StoreError> {
    rollovers::hold_progress(transaction, context.tables(), rollover).await
}

/// Sets statuses of a rollover's progress.
pub async fn advance(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: Uuid,
    statuses: &[(&str, &str)],
) -> Result<(), StoreError> {
    let Some((id, mut document)) = progress(context, transaction, rollover).await? else {
        return Ok(());
    };
    for (name, status) in statuses {
        document.insert((*name).to_owned(), json!(status));
    }
    let collection = context.collection(PROGRESS);
    replace(
        transaction,
        context.tenant,
        collection,
        id,
        &document,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Stores what could not be done for orders.
pub async fn report_faults(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: Uuid,
    faults: &[OrderFault],
) -> Result<(), StoreError> {
    let row = |fault: &OrderFault| {
        object(json!({"ledgerRolloverId": rollover, "errorType": "Order",
            "failedAction": "Create encumbrance", "errorMessage": fault.message,
            "details": {"purchaseOrderId": fault.order_id, "poLineId": fault.line_id,
                "fundId": fault.fund_id, "amount": fault.amount.json()}}))
    };
    let rows = faults.iter().map(row).collect();
    let collection = context.collection(ERRORS);
    insert_many(
        transaction,
        context.tenant,
        collection,
        rows,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Stores that a whole part failed.
pub async fn report_failure(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: Uuid,
    (kind, action): (&str, &str),
    reason: &str,
) -> Result<(), StoreError> {
    let row = object(json!({"ledgerRolloverId": rollover, "errorType": kind,
        "failedAction": action, "errorMessage": reason}));
    let collection = context.collection(ERRORS);
    insert_many(
        transaction,
        context.tenant,
        collection,
        vec![row],
        &context.stamp,
    )
    .await?;
    Ok(())
}
