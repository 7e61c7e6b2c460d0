//! Applies a checked batch to the books: the new transactions first, in FOLIO's order of types, then the
//! updates alike, then the restrictions once over all budgets that the batch concerns.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::books::Working;
use super::{Batch, BatchRefusal, Books, budget_keys, cancel, encumbrance, payment};
use crate::records::{Budget, FundTransaction, Kind};
use crate::rules::restriction;

/// What is to be written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Applied {
    pub create: Vec<FundTransaction>,
    /// Updated transactions and changed encumbrances, in the order of their ids.
    pub replace: Vec<FundTransaction>,
    pub delete: Vec<Uuid>,
    /// Budgets whose sums changed.
    pub budgets: Vec<Budget>,
}

/// The order in which types are done.
const ORDER: [Kind; 7] = [
    Kind::Allocation,
    Kind::Transfer,
    Kind::RolloverTransfer,
    Kind::Payment,
    Kind::Credit,
    Kind::PendingPayment,
    Kind::Encumbrance,
];

/// Applies a batch that passed its checks.
///
/// # Errors
/// When a restricted ledger does not allow what it would make of a budget.
pub fn apply(batch: &Batch, books: Books) -> Result<Applied, BatchRefusal> {
    let touched = budget_keys(batch, &books);
    let delete = deleted(batch, &books);
    let unawaited = only_void(&books.pending_payments);
    let mut records = books.stored;
    records.extend(batch.create.iter().map(|one| (one.id, one.clone())));
    let mut working = Working {
        accounts: books.accounts,
        changed_accounts: BTreeSet::new(),
        records,
        changed: BTreeSet::new(),
        created: batch.create.iter().map(|one| one.id).collect(),
    };
    for kind in ORDER {
        for one in batch.create.iter().filter(|one| one.kind == kind) {
            create(&mut working, one, &unawaited);
        }
    }
    for kind in ORDER {
        for one in batch.update.iter().filter(|one| one.kind == kind) {
            update(&mut working, one);
        }
    }
    for key in &touched {
        if let Some(account) = working.accounts.get(key) {
            restriction::check(account)?;
        }
    }
    Ok(finish(batch, working, delete))
}

/// What the batch deletes, and the pending payments of the invoices that it pays.
fn deleted(batch: &Batch, books: &Books) -> Vec<Uuid> {
    let pays = |one: &&FundTransaction| matches!(one.kind, Kind::Payment | Kind::Credit);
    let paid: BTreeSet<Uuid> = batch
        .create
        .iter()
        .filter(pays)
        .filter_map(|one| one.source_invoice_id)
        .collect();
    let vanish = books.pending_payments.iter().filter(|one| {
        one.source_invoice_id
            .is_some_and(|invoice| paid.contains(&invoice))
    });
    let ids: BTreeSet<Uuid> = batch
        .delete
        .iter()
        .copied()
        .chain(vanish.map(|one| one.id))
        .collect();
    ids.into_iter().collect()
}

/// The invoices whose pending payments are all void: nothing awaits payment for them any more.
fn only_void(pending: &[FundTransaction]) -> BTreeSet<Uuid> {
    let of = |void: bool| {
        let some = pending.iter().filter(move |one| one.is_cancelled() == void);
        some.filter_map(|one| one.source_invoice_id)
            .collect::<BTreeSet<Uuid>>()
    };
    &of(true) - &of(false)
}

fn create(working: &mut Working, one: &FundTransaction, unawaited: &BTreeSet<Uuid>) {
    let year = one.fiscal_year_id;
    match one.kind {
        Kind::Allocation => {
            working.on_budget(one.to_fund_id, year, |sums| {
                if one.from_fund_id.is_none() && !sums.initial_allocation.is_positive() {
                    sums.initial_allocation = one.amount;
                } else {
                    sums.allocation_to += one.amount;
                }
            });
            working.on_budget(one.from_fund_id, year, |sums| {
                sums.allocation_from += one.amount;
            });
        }
        Kind::Transfer => {
            working.on_budget(one.to_fund_id, year, |sums| {
                sums.net_transfers += one.amount
            });
            working.on_budget(one.from_fund_id, year, |sums| {
                sums.net_transfers -= one.amount;
            });
        }
        // Only the rollover itself moves money with it.
        Kind::RolloverTransfer => {}
        Kind::Payment | Kind::Credit => {
            let invoice = one.source_invoice_id;
            let awaited = invoice.is_none_or(|invoice| !unawaited.contains(&invoice));
            payment::pay(working, one, awaited);
        }
        Kind::PendingPayment => payment::await_payment(working, one, one.amount),
        Kind::Encumbrance => working.on_budget(one.from_fund_id, year, |sums| {
            sums.encumbered += one.amount;
        }),
    }
}

fn update(working: &mut Working, one: &FundTransaction) {
    let Some(stored) = working.records.get(&one.id).cloned() else {
        return;
    };
    match one.kind {
        Kind::Encumbrance => encumbrance::update(working, &stored, one.clone()),
        Kind::PendingPayment | Kind::Payment | Kind::Credit
            if one.is_cancelled() && !stored.is_cancelled() =>
        {
            cancel::cancel(working, &stored, one.clone());
        }
        Kind::PendingPayment if !one.is_cancelled() => {
            payment::await_payment(working, one, one.amount - stored.amount);
            working.put(one.clone());
        }
        // Voided ones stay void, and what is paid changes only by its cancellation.
        Kind::PendingPayment | Kind::Payment | Kind::Credit => {
            let mut kept = one.clone();
            kept.amount = stored.amount;
            kept.voided_amount = stored.voided_amount;
            working.put(kept);
        }
        Kind::Allocation | Kind::Transfer | Kind::RolloverTransfer => working.put(one.clone()),
    }
}

fn finish(batch: &Batch, working: Working, delete: Vec<Uuid>) -> Applied {
    let Working {
        mut accounts,
        changed_accounts,
        mut records,
        changed,
        ..
    } = working;
    let mut take = |id: Uuid| records.remove(&id);
    let create = batch.create.iter().filter_map(|one| take(one.id)).collect();
    let gone: HashMap<Uuid, ()> = delete.iter().map(|id| (*id, ())).collect();
    let replace = changed
        .into_iter()
        .filter(|id| !gone.contains_key(id))
        .filter_map(take)
        .collect();
    let budgets = changed_accounts
        .into_iter()
        .filter_map(|key| accounts.remove(&key))
        .map(|account| account.budget)
        .collect();
    Applied {
        create,
        replace,
        delete,
        budgets,
    }
}
