//! What becomes of the encumbrances of one order: all of them are made, or none.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

use super::encumbrance::shares;
use super::settings::Rollover;
use crate::money::Amount;
use crate::records::{Budget, EncumbranceStatus, FundTransaction};

/// The budget of a fund in the next year, and whether it belongs to the ledger of the rollover.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub budget: Budget,
}

/// Why an order's encumbrance is not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderFault {
    /// FOLIO's sentence.
    pub message: String,
    pub order_id: Uuid,
    pub line_id: Uuid,
    pub fund_id: Uuid,
    pub amount: Amount,
}

/// What is to be done for an order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OrderPlan {
    pub create: Vec<FundTransaction>,
    pub faults: Vec<OrderFault>,
}

/// What planning needs to know beside the order.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub rollover: &'a Rollover,
    /// The funds of the ledger.
    pub own_funds: &'a BTreeSet<Uuid>,
    /// Funds of other ledgers that are not rolled over yet.
    pub open_funds: &'a BTreeSet<Uuid>,
    pub places: u32,
}

/// Plans the new encumbrances of an order: `encumbrances` are all that it has in the year that ends, in the
/// order of their creation. The budgets of the next year grow by what is made.
#[must_use]
pub fn plan(
    known: Known<'_>,
    encumbrances: &[FundTransaction],
    targets: &mut HashMap<Uuid, Target>,
) -> OrderPlan {
    let made = made(known, encumbrances);
    let faults = faults(known, &made, targets);
    if !faults.is_empty() {
        return OrderPlan {
            faults,
            ..OrderPlan::default()
        };
    }
    for one in &made {
        if let Some(target) = one.from_fund_id.and_then(|fund| targets.get_mut(&fund)) {
            target.budget.sums.encumbered += one.amount;
        }
    }
    OrderPlan {
        create: made,
        ..OrderPlan::default()
    }
}

/// The new encumbrances, as they would be made.
fn made(known: Known<'_>, encumbrances: &[FundTransaction]) -> Vec<FundTransaction> {
    let mut lines: BTreeMap<Uuid, Vec<FundTransaction>> = BTreeMap::new();
    let mut order = Vec::new();
    for one in encumbrances {
        let Some(encumbrance) = &one.encumbrance else {
            continue;
        };
        let line = lines.entry(encumbrance.source_po_line_id).or_default();
        if line.is_empty() {
            order.push(encumbrance.source_po_line_id);
        }
        line.push(one.clone());
    }
    let rollover = known.rollover;
    // A preview shows what belongs to this ledger.
    let shown = |one: &FundTransaction| {
        let own = one
            .from_fund_id
            .is_some_and(|fund| known.own_funds.contains(&fund));
        own || !rollover.is_preview()
    };
    let lines = order.iter().filter_map(|line| lines.get(line));
    lines
        .flat_map(|line| line.iter().zip(shares(line, rollover, known.places)))
        .filter(|(one, _)| shown(one))
        .map(|(one, share)| renewed(one, rollover.to_fiscal_year_id, share.amount, share.status))
        .collect()
}

fn renewed(
    one: &FundTransaction,
    year: Uuid,
    amount: Amount,
    status: EncumbranceStatus,
) -> FundTransaction {
    let mut new = one.clone();
    new.id = octavo_records::new_id();
    new.version = None;
    new.metadata = None;
    new.fiscal_year_id = year;
    new.amount = amount;
    if let Some(encumbrance) = new.encumbrance.as_mut() {
        encumbrance.initial_amount_encumbered = amount;
        encumbrance.amount_awaiting_payment = Amount::ZERO;
        encumbrance.amount_expended = Amount::ZERO;
        encumbrance.amount_credited = Amount::ZERO;
        encumbrance.status = status;
    }
    new
}

fn faults(
    known: Known<'_>,
    made: &[FundTransaction],
    targets: &HashMap<Uuid, Target>,
) -> Vec<OrderFault> {
    let fault = |one: &FundTransaction, message: &str| {
        let encumbrance = one.encumbrance.as_ref();
        OrderFault {
            message: message.to_owned(),
            order_id: encumbrance.map_or(Uuid::nil(), |it| it.source_purchase_order_id),
            line_id: encumbrance.map_or(Uuid::nil(), |it| it.source_po_line_id),
            fund_id: one.from_fund_id.unwrap_or_default(),
            amount: one.amount,
        }
    };
    let fund = |one: &FundTransaction| one.from_fund_id.unwrap_or_default();
    let waits = made.iter().any(|one| known.open_funds.contains(&fund(one)));
    if waits && !known.rollover.is_preview() {
        const WARNING: &str = "[WARNING] Part of the encumbrances belong to a ledger that has not \
                               been rolled over yet. They are made by its rollover.";
        let own = made
            .iter()
            .filter(|one| known.own_funds.contains(&fund(one)));
        return own.map(|one| fault(one, WARNING)).collect();
    }
    let missing: Vec<OrderFault> = made
        .iter()
        .filter(|one| !targets.contains_key(&fund(one)))
        .map(|one| fault(one, "Budget not found"))
        .collect();
    if !missing.is_empty() || !known.rollover.restrict_encumbrance {
        return missing;
    }
    let mut wanted: BTreeMap<Uuid, Amount> = BTreeMap::new();
    for one in made {
        *wanted.entry(fund(one)).or_default() += one.amount;
    }
    let exceeds = |fund: &Uuid| {
        let target = targets.get(fund)?;
        let allowable = target.budget.allowable_encumbrance?;
        let sums = &target.budget.sums;
        let limit = sums.computed().total_funding.percent(allowable) - sums.encumbered;
        Some(wanted.get(fund).copied().unwrap_or_default() > limit)
    };
    made.iter()
        .filter(|one| exceeds(&fund(one)) == Some(true))
        .map(|one| fault(one, "Insufficient funds"))
        .collect()
}
