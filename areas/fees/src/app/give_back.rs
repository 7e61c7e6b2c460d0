//! Reverses charges inside the transaction of the cause: a lost item that is returned, renewed or
//! declared lost again.

use futures_util::try_join;
use jiff::SignedDuration;
use octavo_boxed::boxed;
use octavo_library::{AccountId, LoanId, ServicePointId};
use octavo_postgres::Transaction;
use octavo_records::store::{Hold, Locking, fetch_many, insert_many, replace_many};
use octavo_records::{Context, Stamp, StoreError, instant};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::accounting::{self, Account, ActRequest, ActionKind, GiveBack, Money};
use crate::store::accounts::{AccountEvent, emit_events, history};

/// On whose behalf charges are reversed, and why.
#[derive(Debug, Clone, Copy)]
pub struct Giver<'a> {
    pub why: GiveBack<'a>,
    /// The service point.
    pub service_point_id: Option<ServicePointId>,
    /// The actions' source.
    pub source: Option<&'a str>,
}

/// A reversed charge.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenBack {
    /// The account as stored now.
    pub account: Map<String, Value>,
    /// The debt before, if the account was open.
    pub owed: Money,
    /// The actions, in their order: credits, refunds, the cancellation.
    pub actions: Vec<Map<String, Value>>,
}

/// Reverses accounts; those without debt and payments stay as they are and are not returned. Lock order:
/// accounts after all other records.
///
/// # Errors
/// On a database error; the caller's transaction must then be given up.
#[boxed]
pub async fn give_back(
    context: Context<'_>,
    transaction: &Transaction,
    ids: &[AccountId],
    giver: Giver<'_>,
) -> Result<Vec<GivenBack>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (tenant, tables) = (context.tenant, context.tables());
    let accounts = context.collection("accounts");
    let uuids: Vec<Uuid> = ids.iter().map(|id| id.uuid()).collect();
    // The history is read after the accounts are locked.
    let (mut documents, past) = try_join!(
        fetch_many(transaction, tenant, accounts, &uuids, Hold::Exclusive),
        history(transaction, tables, ids),
    )?;
    // The action's time is taken after the accounts are locked, so that concurrent actions have their
    // times in order.
    let stamp = Stamp::now(context.stamp.user_id);
    let request = ActRequest {
        service_point_id: giver.service_point_id,
        user_name: giver.source.map(str::to_owned),
        ..ActRequest::default()
    };
    let mut given = Vec::new();
    for id in ids {
        let Some(Value::Object(document)) = documents.remove(&id.uuid()) else {
            continue;
        };
        given.extend(one(*id, document, &past, giver.why, &request, &stamp));
    }
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let changed: Vec<(Uuid, Map<String, Value>)> = given
        .iter()
        .map(|(account, one)| (account.id.uuid(), one.account.clone()))
        .collect();
    let actions = given.iter().flat_map(|(_, one)| one.actions.clone());
    let balances = changed
        .iter()
        .map(|(id, document)| AccountEvent::balance((*id).into(), Some(document)));
    let mut ended: Vec<LoanId> = given.iter().filter_map(|(one, _)| one.loan_id).collect();
    ended.sort_unstable();
    ended.dedup();
    let ends = ended.into_iter().map(AccountEvent::closed);
    let events: Vec<AccountEvent> = balances.chain(ends).collect();
    try_join!(
        insert_many(
            transaction,
            tenant,
            context.collection("feefineactions"),
            actions.collect(),
            &stamp
        ),
        replace_many(
            transaction,
            tenant,
            accounts,
            &changed,
            &stamp,
            Locking::Suppressed
        ),
        emit_events(transaction, tenant, &events),
    )?;
    Ok(given.into_iter().map(|(_, one)| one).collect())
}

/// The plan for one account; `None` if it stays as it is.
fn one(
    id: AccountId,
    mut document: Map<String, Value>,
    past: &[accounting::Action],
    why: GiveBack<'_>,
    request: &ActRequest,
    stamp: &Stamp,
) -> Option<(Account, GivenBack)> {
    let account = Account::read(id, &document);
    let plan = accounting::give_back(&account, past, why);
    plan.changed.first()?.apply_to(&mut document);
    // The cancellation is dated after the refunds, so that a history sorted by date ends with it.
    let later = stamp.at.checked_add(SignedDuration::from_millis(1));
    let at = instant::format(stamp.at);
    let behind = instant::format(later.unwrap_or(stamp.at));
    let actions = plan.actions.iter().map(|action| {
        let refunds = ActionKind::Credit.is(&action.name) || ActionKind::Refund.is(&action.name);
        let date = if refunds { &at } else { &behind };
        action.document(Uuid::new_v4().into(), request, date)
    });
    let actions = actions.collect();
    let owed = if account.closed {
        Money::ZERO
    } else {
        account.remaining
    };
    let given = GivenBack {
        account: document,
        owed,
        actions,
    };
    Some((account, given))
}
