//! Actions on accounts: locks the accounts, makes a plan and writes it, in one transaction. A concurrent
//! action on the same account waits and then sees the new state.

use std::collections::HashMap;

use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_library::{AccountId, FeeFineActionId, LoanId, id_in};
use octavo_postgres::Transaction;
use octavo_records::store::{Hold, Locking, fetch_many, insert_many, replace_many};
use octavo_records::{Context, Last, Stamp, StoreError, instant};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Declined;
use crate::account_followers::{Acted, Follower};
use crate::accounting::{self, Account, ActRequest, ActionKind, Money, Plan, Refusal};
use crate::store::accounts::{AccountEvent, emit_events, history, hold_lost_items, look_at};

/// The kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Accounts are paid, waived or transferred.
    Settle(ActionKind),
    /// Accounts are cancelled.
    Cancel,
    /// Accounts are refunded.
    Refund,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ActionOutcome {
    /// The requested amount.
    pub amount: Option<Money>,
    /// The remaining amount of the first account.
    pub remaining: Money,
    /// The actions as they are stored.
    pub actions: Vec<Map<String, Value>>,
}

/// Performs an action on distinct accounts. Two round trips, and one more when a lost item is settled.
#[boxed]
pub async fn act(
    context: Context<'_>,
    follower: &dyn Follower,
    act: Act,
    ids: &[AccountId],
    request: &ActRequest,
) -> Result<ActionOutcome, Declined> {
    let transaction = context.store.database.transaction().await?;
    let tables = context.tables();
    let collection = context.collection("accounts");
    let uuids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    // Lock order: items before accounts, as everywhere. The history is read after the accounts are
    // locked.
    let (lost, mut documents, past) = try_join!(
        hold_lost_items(&transaction, tables, ids),
        fetch_many(
            &transaction,
            context.tenant,
            collection,
            &uuids,
            Hold::Exclusive
        ),
        async {
            match act {
                Act::Refund => history(&transaction, tables, ids).await,
                Act::Settle(_) | Act::Cancel => Ok(Vec::new()),
            }
        },
    )?;
    let mut held = HashMap::with_capacity(ids.len());
    let mut accounts = Vec::with_capacity(ids.len());
    for id in ids {
        let Some(Value::Object(document)) = documents.remove(&id.uuid()) else {
            return Err(Refusal::NotFound(*id).into());
        };
        accounts.push(Account::read(*id, &document));
        held.insert(*id, document);
    }
    let plan = match act {
        Act::Settle(kind) => accounting::settle(kind, &accounts, request)?,
        Act::Cancel => accounting::cancel(&accounts, request)?,
        Act::Refund => accounting::refund(&accounts, &past, request)?,
    };
    for changed in &plan.changed {
        if let Some(document) = held.get_mut(&changed.id) {
            changed.apply_to(document);
        }
    }
    let remaining = ids.first().and_then(|id| held.get(id)?.get("remaining"));
    let remaining = Money::of(remaining);
    // The action's time is taken after the accounts are locked, so that concurrent actions have their
    // times in order.
    let stamp = Stamp::now(context.stamp.user_id);
    let context = Context { stamp, ..context };
    let amount = plan.requested;
    let closed = ended(&plan, &accounts);
    let actions = write(
        context,
        follower,
        &transaction,
        plan,
        request,
        held,
        (&lost, &closed),
    )
    .await?;
    Ok(ActionOutcome {
        amount,
        remaining,
        actions,
    })
}

/// The loans of accounts that this closes, without duplicates.
fn ended(plan: &Plan, accounts: &[Account]) -> Vec<LoanId> {
    let ended = |id: AccountId| {
        let mut changed = plan.changed.iter();
        changed.any(|one| one.id == id && one.closed && one.remaining.is_zero())
    };
    let of_ended = accounts.iter().filter(|account| ended(account.id));
    let mut loans: Vec<LoanId> = of_ended.filter_map(|account| account.loan_id).collect();
    loans.sort_unstable();
    loans.dedup();
    loans
}

async fn write(
    context: Context<'_>,
    follower: &dyn Follower,
    transaction: &Transaction,
    plan: Plan,
    request: &ActRequest,
    held: HashMap<AccountId, Map<String, Value>>,
    (lost, closed): (&[LoanId], &[LoanId]),
) -> Result<Vec<Map<String, Value>>, StoreError> {
    let Context { tenant, stamp, .. } = context;
    let (accounts, actions) = (
        context.collection("accounts"),
        context.collection("feefineactions"),
    );
    let at = instant::format(stamp.at);
    let documents: Vec<Map<String, Value>> = plan
        .actions
        .iter()
        .map(|action| action.document(Uuid::new_v4().into(), request, &at))
        .collect();
    let changed: Vec<(Uuid, Map<String, Value>)> = plan
        .changed
        .iter()
        .filter_map(|one| Some((one.id.uuid(), held.get(&one.id)?.clone())))
        .collect();
    let acts: Vec<Acted<'_>> = plan
        .actions
        .iter()
        .zip(&documents)
        .filter_map(|(action, document)| {
            let account = held.get(&action.account_id)?;
            Some(Acted {
                action: document,
                account,
            })
        })
        .collect();
    let balances = changed
        .iter()
        .map(|(id, document)| AccountEvent::balance((*id).into(), Some(document)));
    let ends = closed.iter().copied().map(AccountEvent::closed);
    let events: Vec<AccountEvent> = balances.chain(ends).collect();
    let written = async {
        let stored = documents.clone();
        try_join!(
            insert_many(transaction, tenant, actions, stored, &stamp),
            replace_many(
                transaction,
                tenant,
                accounts,
                &changed,
                &stamp,
                Locking::Declared
            ),
            follower.acted(context, transaction, &acts),
        )?;
        Ok::<_, StoreError>(())
    };
    let last = Last(transaction);
    let emitted = emit_events(&last, tenant, &events);
    let patron_notices = match request.notify_patron {
        true => documents.iter().filter_map(not_credited).collect(),
        false => Vec::new(),
    };
    if !patron_notices.is_empty() || closed.iter().any(|loan_id| lost.contains(loan_id)) {
        written.await?;
        for loan_id in closed.iter().filter(|loan_id| lost.contains(loan_id)) {
            follower.fee_closed(context, transaction, *loan_id).await?;
        }
        follower
            .notify_patrons(context, transaction, &patron_notices)
            .await?;
        emitted.await?;
    } else {
        try_join!(written, emitted)?;
    }
    Ok(documents)
}

/// The id of an action that a patron can be notified of: not a credit, which a refund follows.
fn not_credited(action: &Map<String, Value>) -> Option<FeeFineActionId> {
    let kind = action.get("typeAction").and_then(Value::as_str)?;
    let id = id_in(action, "id")?;
    (!kind.starts_with("Credited")).then_some(id)
}

/// Checks whether an action is possible; returns the parsed amount and what would remain, or could still
/// be refunded. Nothing is locked, so a concurrent action may invalidate the result.
#[boxed]
pub async fn check(
    context: Context<'_>,
    refund: bool,
    ids: &[AccountId],
    amount: &str,
) -> Result<(Money, Money), Declined> {
    let database = &context.store.database;
    let tables = context.tables();
    let (accounts, past) = try_join!(look_at(database, tables, ids), async {
        match refund {
            true => history(database, tables, ids).await,
            false => Ok(Vec::new()),
        }
    })?;
    let missing = ids
        .iter()
        .find(|id| !accounts.iter().any(|account| account.id == **id));
    if let Some(id) = missing {
        return Err(Refusal::NotFound(*id).into());
    }
    Ok(match refund {
        true => accounting::refundable(&past, amount)?,
        false => accounting::check(&accounts, amount)?,
    })
}
