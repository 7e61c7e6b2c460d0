//! The encumbrances of the next year, order by order.

use std::collections::{BTreeSet, HashMap, HashSet};

use octavo_postgres::Transaction;
use octavo_records::store::insert_many;
use octavo_records::{Context, StoreError};
use uuid::Uuid;

use super::budgets::Ledger;
use crate::money::Amount;
use crate::records::{Budget, FundTransaction};
use crate::rules::exchange::places;
use crate::rules::fiscal_years::FiscalYear;
use crate::rules::rollover::{Known, OrderFault, Rollover, Target, plan};
use crate::store::rollovers::{encumbrances_in, hold_budgets, not_rolled, open_encumbrances};

/// Encumbrances that one statement stores.
const CHUNK: usize = 1_000;

/// What becomes of encumbrances.
#[derive(Debug, Default)]
pub(super) struct Renewed {
    pub create: Vec<FundTransaction>,
    pub faults: Vec<OrderFault>,
    /// Budgets of other ledgers that grew.
    pub others: Vec<Budget>,
}

/// Plans the encumbrances; the ledger's budgets of the next year grow by them.
pub(super) async fn renew(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
    to: &FiscalYear,
    own: &BTreeSet<Uuid>,
    ledger: &mut Ledger,
) -> Result<Renewed, StoreError> {
    let tables = context.tables();
    let own_ids: Vec<Uuid> = own.iter().copied().collect();
    let from = rollover.from_fiscal_year_id;
    let all = open_encumbrances(transaction, tables, &own_ids, from).await?;
    let others: BTreeSet<Uuid> = all
        .iter()
        .filter_map(|one| one.from_fund_id)
        .filter(|fund| !own.contains(fund))
        .collect();
    let others: Vec<Uuid> = others.into_iter().collect();
    let open_funds = not_rolled(transaction, tables, &others, from).await?;
    let beside = hold_budgets(transaction, tables, &others, &[to.id]).await?;
    let before: HashMap<Uuid, Amount> = beside
        .iter()
        .map(|one| (one.fund_id, one.sums.encumbered))
        .collect();
    let budgets = ledger.targets.values().cloned().chain(beside);
    let mut targets: HashMap<Uuid, Target> = budgets
        .map(|budget| (budget.fund_id, Target { budget }))
        .collect();
    let known = Known {
        rollover,
        own_funds: own,
        open_funds: &open_funds,
        places: places(&to.currency),
    };
    let mut taken = doubles(context, transaction, &all, to).await?;
    let mut renewed = Renewed::default();
    for order in by_order(all) {
        let planned = plan(known, &order, &mut targets);
        renewed.faults.extend(planned.faults);
        for one in planned.create {
            if taken.insert(identity(&one)) {
                renewed.create.push(one);
            } else if let Some(target) = one.from_fund_id.and_then(|fund| targets.get_mut(&fund)) {
                // It is there already, and counted.
                target.budget.sums.encumbered -= one.amount;
            }
        }
    }
    for (fund, target) in targets {
        match ledger.targets.get_mut(&fund) {
            Some(budget) => *budget = target.budget,
            None if before.get(&fund) == Some(&target.budget.sums.encumbered) => {}
            None => renewed.others.push(target.budget),
        }
    }
    Ok(renewed)
}

/// What makes an encumbrance unique.
type Identity = [String; 8];

fn identity(one: &FundTransaction) -> Identity {
    let id = |id: Option<Uuid>| id.map_or(String::new(), |id| id.to_string());
    let of = one.encumbrance.as_ref();
    [
        one.amount.to_string(),
        id(one.from_fund_id),
        id(of.map(|of| of.source_purchase_order_id)),
        id(of.map(|of| of.source_po_line_id)),
        of.map_or(String::new(), |of| of.initial_amount_encumbered.to_string()),
        of.map_or(String::new(), |of| format!("{:?}", of.status)),
        id(one.expense_class_id),
        id(Some(one.fiscal_year_id)),
    ]
}

/// The encumbrances that these orders have in the next year already.
async fn doubles(
    context: Context<'_>,
    transaction: &Transaction,
    all: &[FundTransaction],
    to: &FiscalYear,
) -> Result<HashSet<Identity>, StoreError> {
    let orders: BTreeSet<String> = all
        .iter()
        .filter_map(|one| one.encumbrance.as_ref())
        .map(|one| one.source_purchase_order_id.to_string())
        .collect();
    let orders: Vec<String> = orders.into_iter().collect();
    let stored = encumbrances_in(transaction, context.tables(), &orders, to.id).await?;
    Ok(stored.iter().map(identity).collect())
}

/// The encumbrances of each order, the order with the oldest one first.
fn by_order(all: Vec<FundTransaction>) -> Vec<Vec<FundTransaction>> {
    let mut places: HashMap<Uuid, usize> = HashMap::new();
    let mut orders: Vec<Vec<FundTransaction>> = Vec::new();
    for one in all {
        let Some(encumbrance) = &one.encumbrance else {
            continue;
        };
        let next = orders.len();
        let place = *places
            .entry(encumbrance.source_purchase_order_id)
            .or_insert(next);
        match orders.get_mut(place) {
            Some(order) => order.push(one),
            None => orders.push(vec![one]),
        }
    }
    orders
}

/// Stores new encumbrances.
pub(super) async fn write(
    context: Context<'_>,
    transaction: &Transaction,
    create: &[FundTransaction],
) -> Result<(), StoreError> {
    let collection = context.collection("transaction");
    for chunk in create.chunks(CHUNK) {
        let documents = chunk.iter().map(|one| Ok(one.document()?));
        let documents = documents.collect::<Result<Vec<_>, StoreError>>()?;
        insert_many(
            transaction,
            context.tenant,
            collection,
            documents,
            &context.stamp,
        )
        .await?;
    }
    Ok(())
}
