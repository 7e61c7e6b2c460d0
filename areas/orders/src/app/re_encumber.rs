//! One order encumbered again after a rollover that left it out: its lines cost what the rollover's settings
//! make of last year's encumbrances.

use std::collections::BTreeSet;

use octavo_boxed::boxed;
use octavo_finance::app::lookups::transactions;
use octavo_finance::records::{FundTransaction, Kind};
use octavo_finance::store::accounts::Hold;
use octavo_finance::store::transactions::Wanted;
use octavo_organizations::units::Operation;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::encumber::{encumber, finances};
use super::settle::{ids, write_lines};
use super::{Act, guard, keep_order, rollover};
use crate::refusal::{Code, Declined, Found, Refusal, Wrong};
use crate::rules::amount::amount;
use crate::rules::doc::{Doc, flag, id as id_at, objects, text};
use crate::rules::encumbrance::{Aim, given_rates, sold_by};
use crate::rules::line::Line;
use crate::rules::rollover::{adjust, kind_of};
use crate::store::lines::{Held, of_orders};
use crate::store::rollovers::{ended, forget_errors};

/// Encumbers an order again.
///
/// # Errors
/// 400 when its ledgers are only partly rolled over, 409 when there is nothing to do.
#[boxed]
pub async fn re_encumber(act: Act<'_>, id: Uuid) -> Result<(), Declined> {
    let (work, context) = (act.work, act.work.context);
    let (transaction, tables) = (work.transaction, context.tables());
    let order = keep_order::hold(work, id).await?.found()?;
    guard::protect(act, &guard::units_of(&order), &[Operation::Update]).await?;
    let lines = of_orders(transaction, tables, &[id], Held::Yes).await?;
    let nothing = || Refusal::new(409, Code::EncumbrancesForReEncumberNotFound);
    let known = finances(act, &order, &lines, Hold::No).await?;
    let known = known.ok_or_else(nothing)?;
    let ledgers: BTreeSet<Uuid> = known.funds.values().map(|fund| fund.ledger_id).collect();
    let ledgers: Vec<Uuid> = ledgers.into_iter().collect();
    let rollovers = ended(transaction, tables, &ledgers, known.year.id).await?;
    let is_done = |ledger: &&Uuid| {
        let mut rollovers = rollovers.iter();
        rollovers.any(|one| id_at(one, "ledgerId") == Some(**ledger))
    };
    let left: Vec<String> = ledgers
        .iter()
        .filter(|ledger| !is_done(ledger))
        .map(Uuid::to_string)
        .collect();
    if !left.is_empty() && left.len() < ledgers.len() {
        let wrong = Wrong::of(Code::RolloverNotCompleted).with("ledgerIds", left.join(", "));
        return Err(Refusal::bad(wrong).into());
    }
    let setting = rollovers.iter().find_map(|one| {
        let row = objects(one, "encumbrancesRollover")
            .find(|row| text(row, "orderType") == Some(kind_of(&order)))?;
        Some((id_at(one, "fromFiscalYearId")?, row))
    });
    let (from, setting) = setting.ok_or_else(nothing)?;
    if !flag(&order, "reEncumber") {
        return Err(nothing().into());
    }
    let line_ids = ids(&lines);
    let stored = transactions(transaction, tables, Wanted::Lines(&line_ids), Hold::Yes).await?;
    let past: Vec<&FundTransaction> = stored
        .iter()
        .filter(|one| one.kind == Kind::Encumbrance && one.fiscal_year_id == from)
        .collect();
    let given = given_rates(&lines, &known.year.currency);
    let mut again: Vec<Doc> = Vec::new();
    for line in &lines {
        let line_id = Line(line).id();
        let is_there = |one: &&FundTransaction| {
            one.fiscal_year_id == known.year.id && sold_by(one) == Some(line_id)
        };
        let of_line: Vec<&&FundTransaction> = past
            .iter()
            .filter(|one| sold_by(one) == Some(line_id))
            .collect();
        if of_line.is_empty() || stored.iter().any(|one| is_there(&one)) {
            continue;
        }
        let rate = rollover::rate_of(act, line, &given, &known.year.currency).await?;
        let total = rolled(&of_line, setting);
        let mut line = line.clone();
        adjust(&mut line, total / rate);
        again.push(line);
    }
    if again.is_empty() {
        return Err(nothing().into());
    }
    encumber(act, &order, &mut again, &lines, Aim::Open).await?;
    forget_errors(transaction, tables, id).await?;
    write_lines(act, &again).await
}

/// What last year's encumbrances of a line are rolled over to.
fn rolled(past: &[&&FundTransaction], setting: &Doc) -> Decimal {
    let of_one = |one: &&&FundTransaction| {
        let Some(part) = &one.encumbrance else {
            return Decimal::ZERO;
        };
        match text(setting, "basedOn") {
            Some("Expended") => (part.amount_expended - part.amount_credited).decimal(),
            Some("InitialAmount") => part.initial_amount_encumbered.decimal(),
            _ => one.amount.decimal(),
        }
    };
    let total: Decimal = past.iter().map(of_one).sum();
    total + total * amount(setting, "increaseBy") / Decimal::ONE_HUNDRED
}
