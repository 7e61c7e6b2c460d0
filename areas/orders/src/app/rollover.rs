//! The orders' part of a rollover: lines of open orders follow their new encumbrances, those of other orders
//! lose their links.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_finance::app::lookups::transactions;
use octavo_finance::records::{FundTransaction, Kind};
use octavo_finance::store::accounts::Hold;
use octavo_finance::store::rollovers::funds as funds_of_ledger;
use octavo_finance::store::transactions::Wanted;
use octavo_finance::store::years;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Act, keep_line, look_up, rates};
use crate::refusal::{Declined, Found};
use crate::rules::doc::{Doc, id as id_at, objects, text};
use crate::rules::encumbrance::{given_rates, sold_by};
use crate::rules::line::Line;
use crate::rules::rollover::{NewEncumbrance, follow, is_rolled, unlink};
use crate::rules::statuses::Workflow;
use crate::store::rollovers::{lines_of_orders, orders_on_funds};

/// A rollover, as far as orders go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollover {
    pub ledger_id: Uuid,
    pub to_fiscal_year_id: Uuid,
    /// The types of orders that are rolled over; all where none are named.
    pub kinds: Vec<String>,
}

impl Rollover {
    /// Reads a rollover's record.
    #[must_use]
    pub fn read(record: &Doc) -> Option<Rollover> {
        let kinds = objects(record, "encumbrancesRollover");
        Some(Rollover {
            ledger_id: id_at(record, "ledgerId")?,
            to_fiscal_year_id: id_at(record, "toFiscalYearId")?,
            kinds: kinds
                .filter_map(|row| text(row, "orderType").map(str::to_owned))
                .collect(),
        })
    }
}

/// Rolls the orders of a ledger over.
///
/// # Errors
/// When a rate is not known.
#[boxed]
pub async fn roll_over(act: Act<'_>, rollover: &Rollover) -> Result<(), Declined> {
    let (transaction, tables) = (act.work.transaction, act.work.context.tables());
    let funds = funds_of_ledger(transaction, tables, rollover.ledger_id).await?;
    let funds: Vec<Uuid> = funds.iter().map(|fund| fund.id).collect();
    // Orders before their lines, as everywhere.
    let orders = orders_on_funds(transaction, tables, &funds).await?;
    let lines = lines_of_orders(transaction, tables, &orders, &funds).await?;
    roll_lines(act, rollover, lines).await
}

/// Rolls lines over, which are locked.
///
/// # Errors
/// When a rate is not known.
#[boxed]
pub async fn roll_lines(
    act: Act<'_>,
    rollover: &Rollover,
    mut lines: Vec<Doc>,
) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let order_ids: Vec<Uuid> = lines
        .iter()
        .filter_map(|line| Line(line).order_id())
        .collect();
    let orders = look_up::hold_orders(transaction, context, &order_ids).await?;
    lines.retain(|line| {
        let order = Line(line).order_id().and_then(|id| orders.get(&id));
        order.is_some_and(|order| is_rolled(order, &rollover.kinds))
    });
    let ids: Vec<Uuid> = lines.iter().map(|line| Line(line).id()).collect();
    let stored = transactions(transaction, tables, Wanted::Lines(&ids), Hold::No).await?;
    let mut new: HashMap<Uuid, Vec<NewEncumbrance>> = HashMap::new();
    for one in stored.iter().filter(|one| is_new(one, rollover)) {
        if let Some(line_id) = sold_by(one) {
            new.entry(line_id).or_default().push(seen(one));
        }
    }
    let year_ids = [rollover.to_fiscal_year_id];
    let years = years::by_ids(transaction, tables, &year_ids).await?;
    let year = years.get(&rollover.to_fiscal_year_id).found()?;
    let given = given_rates(&lines, &year.currency);
    let mut written = Vec::new();
    for mut line in lines {
        let of_order = Line(&line).order_id().and_then(|id| orders.get(&id));
        let Some(order) = of_order else { continue };
        let line_id = Line(&line).id();
        let changed = match Workflow::of(order) {
            Workflow::Open => {
                let of_line = new.get(&line_id).map_or(&[][..], Vec::as_slice);
                let rate = match of_line.is_empty() {
                    true => Decimal::ONE,
                    false => rate_of(act, &line, &given, &year.currency).await?,
                };
                follow(&mut line, of_line, rate)
            }
            Workflow::Pending | Workflow::Closed => unlink(&mut line),
        };
        if changed {
            written.push(line);
        }
    }
    Ok(keep_line::write_money(work, written).await?)
}

fn is_new(one: &FundTransaction, rollover: &Rollover) -> bool {
    one.kind == Kind::Encumbrance && one.fiscal_year_id == rollover.to_fiscal_year_id
}

/// An encumbrance as the rule takes it.
#[must_use]
pub fn seen(one: &FundTransaction) -> NewEncumbrance {
    let initial = one.encumbrance.as_ref();
    NewEncumbrance {
        id: one.id,
        fund_id: one.from_fund_id,
        expense_class_id: one.expense_class_id,
        initial: initial.map_or(Decimal::ZERO, |part| {
            part.initial_amount_encumbered.decimal()
        }),
    }
}

/// What one unit of a line's currency is worth in another.
#[boxed]
pub async fn rate_of(
    act: Act<'_>,
    line: &Doc,
    given: &HashMap<String, Option<Decimal>>,
    currency: &str,
) -> Result<Decimal, Declined> {
    let of = Line(line).currency();
    if of == currency {
        return Ok(Decimal::ONE);
    }
    let own = Line(line).exchange_rate();
    match own.or(given.get(of).copied().flatten()) {
        Some(rate) => Ok(rate),
        None => rates::rate(act, of, currency).await,
    }
}
