//! The checks of a batch, in FOLIO's order. The first that fails is answered.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;

use super::{Batch, BatchRefusal, Books};
use crate::records::{FundTransaction, Kind};

/// What a batch says is checked before anything is read. `both_funds` also asks for both funds of a
/// transfer, as the business interface does elsewhere.
///
/// # Errors
/// The first refusal.
pub fn check_sent(batch: &Batch) -> Result<(), BatchRefusal> {
    if batch.is_empty() {
        return Err(BatchRefusal::Empty);
    }
    for one in batch.sent() {
        match one.kind {
            Kind::Encumbrance if one.encumbrance.is_none() => {
                return Err(BatchRefusal::OrderMissing(one.id));
            }
            Kind::PendingPayment | Kind::Payment | Kind::Credit
                if one.source_invoice_id.is_none() =>
            {
                return Err(BatchRefusal::InvoiceMissing(one.id));
            }
            _ => {}
        }
    }
    each_once("create", batch.create.iter().map(|one| one.id))?;
    each_once("update", batch.update.iter().map(|one| one.id))?;
    each_once("delete", batch.delete.iter().copied())?;
    let allocations = || of_kind(batch, Kind::Allocation);
    if allocations().any(|one| !one.amount.is_positive()) {
        return Err(BatchRefusal::AllocationNotPositive);
    }
    if allocations().any(|one| one.to_fund_id.is_none() && one.from_fund_id.is_none()) {
        return Err(BatchRefusal::FundMissing);
    }
    let mut transfers = of_kind(batch, Kind::Transfer);
    if let Some(one) = transfers.find(|one| one.to_fund_id.is_none()) {
        return Err(BatchRefusal::TransferWithoutTarget(one.id));
    }
    let mut paid = batch.create.iter().filter(|one| is_paid(one));
    match paid.find(|one| one.amount.is_negative()) {
        Some(one) => Err(BatchRefusal::NegativePayment(one.id)),
        None => Ok(()),
    }
}

fn of_kind(batch: &Batch, kind: Kind) -> impl Iterator<Item = &FundTransaction> {
    batch.sent().filter(move |one| one.kind == kind)
}

fn is_paid(transaction: &FundTransaction) -> bool {
    matches!(transaction.kind, Kind::Payment | Kind::Credit)
}

fn each_once(list: &'static str, ids: impl Iterator<Item = Uuid>) -> Result<(), BatchRefusal> {
    let mut seen = HashSet::new();
    let twice: BTreeSet<Uuid> = ids.filter(|id| !seen.insert(*id)).collect();
    match twice.is_empty() {
        true => Ok(()),
        false => Err(BatchRefusal::Twice(list, twice.into_iter().collect())),
    }
}

/// The batch is checked against what is stored.
///
/// # Errors
/// The first refusal.
pub fn check_known(batch: &Batch, books: &Books) -> Result<(), BatchRefusal> {
    if batch.delete.iter().any(|id| !books.stored.contains_key(id)) {
        return Err(BatchRefusal::DeleteUnknown);
    }
    if let Some(id) = books.taken.first() {
        return Err(BatchRefusal::AlreadyExists(*id));
    }
    let known = |one: &&FundTransaction| !books.stored.contains_key(&one.id);
    if let Some(one) = batch.update.iter().find(known) {
        return Err(BatchRefusal::UpdateUnknown(one.id));
    }
    check_links(batch, books)?;
    check_budgets(batch, books)?;
    let mut updates = batch.update.iter();
    let fixed = |one: &&FundTransaction| matches!(one.kind, Kind::Allocation | Kind::Transfer);
    if let Some(one) = updates.find(fixed) {
        return Err(BatchRefusal::UpdateOf(one.kind));
    }
    match batch.patches {
        0 => Ok(()),
        _ => Err(BatchRefusal::Patches),
    }
}

fn check_links(batch: &Batch, books: &Books) -> Result<(), BatchRefusal> {
    let created: HashSet<Uuid> = batch.create.iter().map(|one| one.id).collect();
    let linked: BTreeSet<Uuid> = batch
        .sent()
        .filter_map(FundTransaction::linked_encumbrance)
        .filter(|id| !created.contains(id))
        .filter(|id| {
            let found = books.stored.get(id);
            found.is_none_or(|one| one.encumbrance.is_none())
        })
        .collect();
    match linked.is_empty() {
        true => Ok(()),
        false => Err(BatchRefusal::EncumbrancesNotFound(
            linked.into_iter().collect(),
        )),
    }
}

fn check_budgets(batch: &Batch, books: &Books) -> Result<(), BatchRefusal> {
    let keys = budget_keys(batch, books);
    let missing: BTreeSet<Uuid> = keys
        .iter()
        .filter(|key| !books.accounts.contains_key(*key))
        .map(|(fund, _)| *fund)
        .collect();
    if !missing.is_empty() {
        return Err(BatchRefusal::NoBudget(missing.into_iter().collect()));
    }
    let mut accounts = keys.iter().filter_map(|key| books.accounts.get(key));
    match accounts.find(|account| !account.budget.status.takes_transactions()) {
        Some(account) => Err(BatchRefusal::BudgetNotActive(account.fund_code.clone())),
        None => Ok(()),
    }
}

/// The budgets that a batch needs, by fund and fiscal year: of all it sends, of the stored ones that are
/// updated, and of linked encumbrances. Deletions need none.
#[must_use]
pub fn budget_keys(batch: &Batch, books: &Books) -> BTreeSet<(Uuid, Uuid)> {
    let sent = batch.sent().flat_map(FundTransaction::budget_keys);
    let updated = batch
        .update
        .iter()
        .filter_map(|one| books.stored.get(&one.id));
    let links = batch
        .sent()
        .filter_map(FundTransaction::linked_encumbrance)
        .filter_map(|id| books.stored.get(&id));
    let stored = updated.chain(links).flat_map(FundTransaction::budget_keys);
    sent.chain(stored).collect()
}
