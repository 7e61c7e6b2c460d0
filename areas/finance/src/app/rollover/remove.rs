//! Deletes a rollover with its progress, errors and budgets.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::delete;
use octavo_records::{Context, StoreError};
use serde_json::json;
use uuid::Uuid;

use super::report::{ROLLOVERS, progress};
use super::work::QUEUE;
use crate::refusal::{Declined, Refusal};
use crate::store::rollovers;

/// Deletes a rollover.
///
/// # Errors
/// While its orders are being adapted.
#[boxed]
pub async fn remove(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), Declined> {
    // The job before the documents: that is the order of the worker.
    QUEUE.remove(transaction, context.tenant, id).await?;
    let progress = progress(context, transaction, id).await?;
    if let Some((_, progress)) = &progress
        && progress.get("ordersRolloverStatus") == Some(&json!("In Progress"))
    {
        return Err(Refusal::RolloverInProgress.into());
    }
    rollovers::clear(transaction, context.tables(), id).await?;
    match delete(
        transaction,
        context.tenant,
        context.collection(ROLLOVERS),
        id,
    )
    .await
    {
        Err(StoreError::NotFound) if progress.is_some() => Ok(()),
        other => Ok(other?),
    }
}
