//! The encumbrances of an order's lines: one for each distribution among funds. Decides what becomes of those
//! that are stored and which ones are new; finance's own rules then move the budgets.

use std::collections::{HashMap, HashSet};

use octavo_finance::Amount;
use octavo_finance::records::{
    AwaitingPayment, Encumbrance, EncumbranceStatus, FundTransaction, Kind, OrderStatus, OrderType,
    Source,
};
use octavo_finance::rules::batch::Batch;
use octavo_finance::rules::fiscal_years::FiscalYear;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::doc::{Doc, at, flag, id, set};
use super::invoiced::Invoiced;
use super::line::Line;
use super::price::of_line;
use super::shares::shares;
use super::statuses::is_ongoing;
use crate::refusal::{Code, Refusal, Wrong};

/// What happens to the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// It opens.
    Open,
    /// It is opened again after it was closed.
    Reopen,
    /// A line of the open order changes.
    Change,
    /// A line of a Pending order changes: nothing is encumbered, but what was stays in step.
    Pending,
}

/// What is known.
#[derive(Debug)]
pub struct Facts<'f> {
    pub order: &'f Doc,
    pub year: &'f FiscalYear,
    /// What one unit of a currency is worth in the year's currency.
    pub rates: &'f HashMap<String, Decimal>,
    /// The stored encumbrances of the lines in that year.
    pub stored: &'f [FundTransaction],
    pub invoiced: &'f Invoiced,
    /// Pending payments that point at stored encumbrances.
    pub pending: &'f [FundTransaction],
}

/// What is to be done.
#[derive(Debug, Default, PartialEq)]
pub struct Plan {
    /// Encumbrances that are released first, since they are deleted then.
    pub release: Vec<FundTransaction>,
    pub batch: Batch,
    /// By how much the encumbrances of each fund grow.
    pub growth: HashMap<Uuid, Amount>,
}

impl Plan {
    fn grow(&mut self, fund: Option<Uuid>, by: Amount) {
        if let Some(fund) = fund {
            *self.growth.entry(fund).or_default() += by;
        }
    }
}

/// Plans the encumbrances of lines, and writes their ids into the distributions.
///
/// # Errors
/// When one is to go that an invoice still needs.
pub fn plan(facts: &Facts<'_>, lines: &mut [Doc], aim: Aim) -> Result<Plan, Refusal> {
    let mut plan = Plan::default();
    let is_new = |line: &Doc| {
        let rows: Vec<&Doc> = Line(line).distributions().collect();
        let found = matches(&rows, &of_its_own(facts, Line(line).id()));
        found.iter().any(Option::is_none)
    };
    let makes_new = aim != Aim::Pending && lines.iter().any(is_new);
    let mut homeless = Carried::default();
    for line in lines {
        let left = of_one_line(facts, line, aim, makes_new, &mut plan)?;
        homeless.add(left);
    }
    if homeless.is_some
        && let Some(first) = plan.batch.create.first_mut()
    {
        let before = first.amount;
        take_over(first, homeless);
        let (fund, growth) = (first.from_fund_id, first.amount - before);
        plan.grow(fund, growth);
    }
    Ok(plan)
}

/// The stored encumbrances of a line.
fn of_its_own<'f>(facts: &Facts<'f>, line_id: Uuid) -> Vec<&'f FundTransaction> {
    let stored = facts.stored.iter();
    stored.filter(|one| sold_by(one) == Some(line_id)).collect()
}

/// Plans the encumbrances of one line; returns what those that go leave to the new ones of other lines.
fn of_one_line(
    facts: &Facts<'_>,
    line: &mut Doc,
    aim: Aim,
    makes_new: bool,
    plan: &mut Plan,
) -> Result<Carried, Refusal> {
    let line_id = Line(line).id();
    let currency = &facts.year.currency;
    let rate = match Line(line).currency() == currency {
        true => Decimal::ONE,
        false => facts
            .rates
            .get(Line(line).currency())
            .copied()
            .unwrap_or(Decimal::ONE),
    };
    let rows: Vec<&Doc> = Line(line).distributions().collect();
    let amounts = shares(of_line(Line(line)), rate, currency, &rows);
    let of_line = of_its_own(facts, line_id);
    let matched = matches(&rows, &of_line);
    let gone: Vec<&FundTransaction> = of_line
        .iter()
        .copied()
        .filter(|one| !matched.iter().flatten().any(|found| found.id == one.id))
        .collect();
    let carried = delete(facts, line_id, aim, &gone, makes_new, plan)?;
    let mut ids: Vec<Option<Uuid>> = Vec::with_capacity(rows.len());
    let mut carried = Some(carried).filter(|carried| carried.is_some);
    for ((row, found), amount) in rows.iter().zip(&matched).zip(amounts) {
        let initial = Amount::new(amount);
        match found {
            Some(stored) => {
                change(facts, (line, row), stored, initial, aim, plan);
                ids.push(Some(stored.id));
            }
            None if aim == Aim::Pending => ids.push(None),
            None => {
                let mut new = create(facts, (line, row), initial);
                if let Some(carried) = carried.take() {
                    take_over(&mut new, carried);
                }
                plan.grow(new.from_fund_id, new.amount);
                ids.push(Some(new.id));
                plan.batch.create.push(new);
            }
        }
    }
    if let Some(Value::Array(rows)) = line.get_mut("fundDistribution") {
        for (row, id) in rows.iter_mut().filter_map(Value::as_object_mut).zip(ids) {
            super::doc::set_or_clear(row, "encumbrance", id.map(|id| json!(id)));
        }
    }
    Ok(carried.unwrap_or_default())
}

/// The order line of an encumbrance.
#[must_use]
pub fn sold_by(one: &FundTransaction) -> Option<Uuid> {
    Some(one.encumbrance.as_ref()?.source_po_line_id)
}

/// Whether a transaction is that of a row.
type Fits<'a> = &'a dyn Fn(&Doc, &FundTransaction) -> bool;

/// The stored encumbrance of each row: first by fund and expense class, then by the id in the row.
fn matches<'f>(rows: &[&Doc], stored: &[&'f FundTransaction]) -> Vec<Option<&'f FundTransaction>> {
    let mut free: Vec<&FundTransaction> = stored.to_vec();
    let mut found: Vec<Option<&FundTransaction>> = vec![None; rows.len()];
    let alike = |row: &Doc, one: &FundTransaction| {
        one.from_fund_id == id(row, "fundId") && one.expense_class_id == id(row, "expenseClassId")
    };
    let by_id = |row: &Doc, one: &FundTransaction| {
        Some(one.id) == id(row, "encumbrance") && one.from_fund_id == id(row, "fundId")
    };
    let rules: [Fits<'_>; 2] = [&alike, &by_id];
    for rule in rules {
        for (row, place) in rows.iter().zip(&mut found) {
            if place.is_some() {
                continue;
            }
            if let Some(at) = free.iter().position(|one| rule(row, one)) {
                *place = Some(free.remove(at));
            }
        }
    }
    found
}

/// What new encumbrances take over from those that go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Carried {
    expended: Amount,
    credited: Amount,
    awaiting: Amount,
    /// Whether a paid invoice line releases what is left.
    releases: bool,
    is_some: bool,
}

impl Carried {
    fn add(&mut self, other: Carried) {
        self.expended += other.expended;
        self.credited += other.credited;
        self.awaiting += other.awaiting;
        self.releases |= other.releases;
        self.is_some |= other.is_some;
    }
}

/// Adds what others leave to a new encumbrance.
fn take_over(new: &mut FundTransaction, carried: Carried) {
    let Some(part) = &mut new.encumbrance else {
        return;
    };
    part.amount_expended += carried.expended;
    part.amount_credited += carried.credited;
    part.amount_awaiting_payment += carried.awaiting;
    new.amount = part.left().or_zero();
    if new.amount.is_zero() && carried.releases {
        part.status = EncumbranceStatus::Released;
    }
}

fn delete(
    facts: &Facts<'_>,
    line_id: Uuid,
    aim: Aim,
    gone: &[&FundTransaction],
    makes_new: bool,
    plan: &mut Plan,
) -> Result<Carried, Refusal> {
    let mut carried = Carried::default();
    if gone.is_empty() {
        return Ok(carried);
    }
    let gone_ids: HashSet<Uuid> = gone.iter().map(|one| one.id).collect();
    let points = |one: &&FundTransaction| {
        one.linked_encumbrance()
            .is_some_and(|id| gone_ids.contains(&id))
    };
    let pending: Vec<&FundTransaction> = facts.pending.iter().filter(points).collect();
    let is_needed = match aim {
        Aim::Pending => pending.iter().any(|one| !one.is_cancelled()),
        _ => facts.invoiced.has_approved(line_id),
    };
    if is_needed {
        return Err(Refusal::forbidden(Wrong::of(
            Code::PoLineHasRelatedApprovedInvoice,
        )));
    }
    let is_carried = makes_new && facts.invoiced.has_paid(line_id);
    for one in gone {
        if let Some(part) = &one.encumbrance {
            let is_expended = (part.amount_expended - part.amount_credited).is_positive();
            if is_expended && (!makes_new || aim == Aim::Pending) {
                return Err(Refusal::invalid(Code::DeleteWithExpendedAmount));
            }
            carried.expended += part.amount_expended;
            carried.credited += part.amount_credited;
            carried.awaiting += part.amount_awaiting_payment;
        }
        plan.grow(one.from_fund_id, -one.amount);
        if !one.amount.is_zero() {
            plan.release.push(released((*one).clone(), None));
        }
        plan.batch.delete.push(one.id);
    }
    for one in pending.into_iter().filter(|one| one.is_cancelled()) {
        let mut unlinked = one.clone();
        unlinked.awaiting_payment = Some(AwaitingPayment {
            encumbrance_id: None,
            ..one.awaiting_payment.unwrap_or_default()
        });
        plan.batch.update.push(unlinked);
    }
    carried.releases = facts.invoiced.paid_releases(line_id);
    carried.is_some = is_carried;
    Ok(carried)
}

/// An encumbrance that is released, with another status of its order.
#[must_use]
pub fn released(mut one: FundTransaction, order: Option<OrderStatus>) -> FundTransaction {
    one.amount = Amount::ZERO;
    if let Some(part) = &mut one.encumbrance {
        part.status = EncumbranceStatus::Released;
        part.order_status = order.or(part.order_status);
    }
    one
}

/// One that commits again what is left of it.
#[must_use]
pub fn unreleased(mut one: FundTransaction) -> FundTransaction {
    if let Some(part) = &mut one.encumbrance {
        part.status = EncumbranceStatus::Unreleased;
        part.order_status = Some(OrderStatus::Open);
        one.amount = part.left();
    }
    one
}

/// One whose order is Pending again: it commits nothing.
#[must_use]
pub fn pending(mut one: FundTransaction) -> FundTransaction {
    one.amount = Amount::ZERO;
    if let Some(part) = &mut one.encumbrance {
        part.status = EncumbranceStatus::Pending;
        part.order_status = Some(OrderStatus::Pending);
        part.initial_amount_encumbered = Amount::ZERO;
    }
    one
}

fn change(
    facts: &Facts<'_>,
    (line, row): (&Doc, &Doc),
    stored: &FundTransaction,
    initial: Amount,
    aim: Aim,
    plan: &mut Plan,
) {
    let mut new = stored.clone();
    new.expense_class_id = id(row, "expenseClassId");
    let (Some(part), Some(old)) = (&mut new.encumbrance, &stored.encumbrance) else {
        return;
    };
    if aim != Aim::Pending {
        part.initial_amount_encumbered = initial;
        part.order_status = Some(OrderStatus::Open);
        let stays_released = match aim {
            Aim::Reopen => !is_ongoing(facts.order) && facts.invoiced.releases(Line(line).id()),
            _ => old.status == EncumbranceStatus::Released,
        };
        if stays_released {
            new.amount = Amount::ZERO;
            part.status = EncumbranceStatus::Released;
        } else {
            part.status = EncumbranceStatus::Unreleased;
            new.amount = match old.status {
                // Finance computes these itself, and limits nothing.
                EncumbranceStatus::Released | EncumbranceStatus::Pending => part.left(),
                EncumbranceStatus::Unreleased => part.left().or_zero(),
            };
        }
    }
    if new != *stored {
        plan.grow(stored.from_fund_id, new.amount - stored.amount);
        plan.batch.update.push(new);
    }
}

fn create(facts: &Facts<'_>, (line, row): (&Doc, &Doc), initial: Amount) -> FundTransaction {
    let order = facts.order;
    let part = Encumbrance {
        amount_awaiting_payment: Amount::ZERO,
        amount_credited: Amount::ZERO,
        amount_expended: Amount::ZERO,
        initial_amount_encumbered: initial,
        status: EncumbranceStatus::Unreleased,
        order_type: match is_ongoing(order) {
            true => OrderType::Ongoing,
            false => OrderType::OneTime,
        },
        order_status: Some(OrderStatus::Open),
        subscription: flag(order, "ongoing.isSubscription"),
        re_encumber: flag(order, "reEncumber"),
        source_purchase_order_id: id(order, "id").unwrap_or_default(),
        source_po_line_id: Line(line).id(),
    };
    let year = facts.year;
    let mut new = FundTransaction::new(
        Kind::Encumbrance,
        Source::PoLine,
        year.id,
        initial,
        &year.currency,
    );
    new.from_fund_id = id(row, "fundId");
    new.expense_class_id = id(row, "expenseClassId");
    new.encumbrance = Some(part);
    new.tags = at(line, "tags").cloned();
    new
}

/// What one unit of each currency of an order's lines is worth in another; `None` where only a rate service
/// can say it. The first rate that a line gives serves all lines of its currency.
#[must_use]
pub fn given_rates(lines: &[Doc], currency: &str) -> HashMap<String, Option<Decimal>> {
    let mut rates: HashMap<String, Option<Decimal>> = HashMap::new();
    for line in lines.iter().map(Line) {
        let of = line.currency();
        if of == currency {
            rates.insert(of.to_owned(), Some(Decimal::ONE));
            continue;
        }
        let rate = rates.entry(of.to_owned()).or_default();
        *rate = rate.or(line.exchange_rate());
    }
    rates
}

/// Whether another version of a line changes what it encumbers.
#[must_use]
pub fn is_changed(old: &Doc, new: &Doc) -> bool {
    let said = |doc: &Doc| {
        let rows: Vec<(Option<Uuid>, Option<Uuid>, String, Decimal)> = Line(doc)
            .distributions()
            .map(|row| {
                (
                    id(row, "fundId"),
                    id(row, "expenseClassId"),
                    super::doc::text(row, "distributionType")
                        .unwrap_or("percentage")
                        .to_owned(),
                    super::amount::amount(row, "value"),
                )
            })
            .collect();
        (
            of_line(Line(doc)),
            Line(doc).currency().to_owned(),
            Line(doc).exchange_rate(),
            rows,
        )
    };
    said(old) != said(new)
}

/// The fund and the expense class of a row.
type FundAndClass = (Option<Uuid>, Option<Uuid>);

/// Keeps the links of a line's rows to encumbrances where a new version of it does not have them.
pub fn keep_links(old: &Doc, new: &mut Doc) {
    let links: Vec<(FundAndClass, Value)> = Line(old)
        .distributions()
        .filter_map(|row| {
            let key = (id(row, "fundId"), id(row, "expenseClassId"));
            Some((key, at(row, "encumbrance")?.clone()))
        })
        .collect();
    let Some(Value::Array(rows)) = new.get_mut("fundDistribution") else {
        return;
    };
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        let key = (id(row, "fundId"), id(row, "expenseClassId"));
        if at(row, "encumbrance").is_none()
            && let Some((_, link)) = links.iter().find(|(of, _)| *of == key)
        {
            set(row, "encumbrance", link.clone());
        }
    }
}

#[cfg(test)]
mod tests;
