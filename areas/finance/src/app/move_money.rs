//! Transactions of the business interface: what it checks before the books are opened.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use super::transactions::apply;
use crate::records::{EncumbranceStatus, FundTransaction, Kind};
use crate::refusal::{Declined, Refusal, of_batch};
use crate::rules::batch::Batch;
use crate::store::accounts::{FundFacts, Hold, funds};
use crate::store::transactions::{Wanted, find};

/// Applies a batch that a client sent.
///
/// # Errors
/// What the business interface refuses, then what the batch is refused for.
#[boxed]
pub async fn apply_sent(
    context: Context<'_>,
    transaction: &Transaction,
    batch: &Batch,
) -> Result<(), Declined> {
    check_deletions(context, transaction, batch).await?;
    check_funds(context, transaction, batch).await?;
    apply(context, transaction, batch).await.map_err(of_batch)
}

/// An encumbrance at which a pending payment points stays, unless that is cancelled and the batch takes its
/// link away.
async fn check_deletions(
    context: Context<'_>,
    transaction: &Transaction,
    batch: &Batch,
) -> Result<(), Declined> {
    let wanted = Wanted::PendingOn(&batch.delete);
    let pending = find(transaction, context.tables(), wanted, Hold::Yes).await?;
    for one in pending {
        let unlinked = batch.update.iter().any(|update| {
            let awaiting = update.awaiting_payment.as_ref();
            update.id == one.id && awaiting.is_none_or(|it| it.encumbrance_id.is_none())
        });
        if let Some(encumbrance) = one.linked_encumbrance()
            && !(one.is_cancelled() && unlinked)
        {
            return Err(Refusal::DeleteConnectedToInvoice(encumbrance).into());
        }
    }
    Ok(())
}

async fn check_funds(
    context: Context<'_>,
    transaction: &Transaction,
    batch: &Batch,
) -> Result<(), Declined> {
    let moves = |one: &&FundTransaction| matches!(one.kind, Kind::Allocation | Kind::Transfer);
    let moved: Vec<&FundTransaction> = batch.create.iter().filter(moves).collect();
    for one in &moved {
        let is_missing = match (one.from_fund_id, one.to_fund_id) {
            (None, None) => true,
            (None, Some(_)) | (Some(_), None) => one.kind == Kind::Transfer,
            (Some(_), Some(_)) => false,
        };
        if is_missing {
            return Err(Refusal::MissingFund.into());
        }
    }
    let pairs = moved
        .iter()
        .filter_map(|one| Some((one.from_fund_id?, one.to_fund_id?)));
    let pairs: Vec<(Uuid, Uuid)> = pairs.collect();
    let ids: BTreeSet<Uuid> = pairs.iter().flat_map(|(from, to)| [*from, *to]).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let funds = funds(transaction, context.tables(), &ids).await?;
    let fits = |(from, to): &(Uuid, Uuid)| match (funds.get(from), funds.get(to)) {
        (Some(from), Some(to)) => allows(from, to),
        // Funds without a budget are refused by the batch.
        _ => true,
    };
    match pairs.iter().all(fits) {
        true => Ok(()),
        false => Err(Refusal::AllocationIdsMismatch.into()),
    }
}

/// Whether the lists of both funds allow money to go from one to the other. An empty list allows all.
fn allows(from: &FundFacts, to: &FundFacts) -> bool {
    let listed = |list: &[Uuid], id: Uuid| list.is_empty() || list.contains(&id);
    listed(&from.allocated_to_ids, to.id) && listed(&to.allocated_from_ids, from.id)
}

/// Releases or unreleases an encumbrance; repeating it changes nothing.
///
/// # Errors
/// When it is no encumbrance.
#[boxed]
pub async fn set_status(
    context: Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    status: EncumbranceStatus,
) -> Result<(), Declined> {
    let found = find(transaction, context.tables(), Wanted::Ids(&[id]), Hold::Yes).await?;
    let mut one = found.into_iter().next().ok_or(StoreError::NotFound)?;
    let Some(encumbrance) = one
        .encumbrance
        .as_mut()
        .filter(|_| one.kind == Kind::Encumbrance)
    else {
        return Err(Refusal::InvalidTransactionType.into());
    };
    if encumbrance.status == status {
        return Ok(());
    }
    encumbrance.status = status;
    let batch = Batch::updating(vec![one]);
    apply(context, transaction, &batch).await.map_err(of_batch)
}
