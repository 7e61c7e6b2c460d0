//! Orders and lines as clients read them: with lines, totals and parts.

use std::collections::{BTreeSet, HashMap};

use octavo_boxed::boxed;
use octavo_configuration::app::locale::Locale;
use octavo_configuration::store::tenant::locale;
use octavo_finance::app::lookups::{FundFacts, committed_into, funds, ledger_years, transactions};
use octavo_finance::records::Kind;
use octavo_finance::rules::fiscal_years::FiscalYear;
use octavo_finance::store::accounts::Hold;
use octavo_finance::store::transactions::Wanted;
use octavo_organizations::units::{Operation, standing};
use octavo_records::Context;
use octavo_records::store::fetch;
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use super::composite::{LINES, shown, total_items};
use super::settle::ids;
use super::terms::Rights;
use super::{guard, keep_line, keep_order};
use crate::refusal::{Declined, Found};
use crate::rules::amount::{json as number, round};
use crate::rules::doc::{Doc, id as id_at, object, set};
use crate::rules::encumbrance::given_rates;
use crate::rules::line::Line;
use crate::rules::price::total;
use crate::rules::units::protect;
use crate::store::invoices::about_lines;
use crate::store::lines::{Held, of_orders};
use crate::store::usage::has_rollover_errors;

/// An order with its lines and their totals.
///
/// # Errors
/// 404 when there is none.
#[boxed]
pub async fn with_totals(context: &Context<'_>, id: Uuid) -> Result<Doc, Declined> {
    let Stored {
        order,
        lines,
        currency,
    } = stored(context, id).await?;
    composed(context, order, lines, &currency).await
}

/// An order and its lines, and the currency that totals are in.
struct Stored {
    order: Doc,
    lines: Vec<Doc>,
    currency: String,
}

async fn stored(context: &Context<'_>, id: Uuid) -> Result<Stored, Declined> {
    let database = &context.store.database;
    let collection = context.collection(keep_order::TABLE);
    let ids = [id];
    let (order, lines, locale) = futures_util::try_join!(
        fetch(database, context.tenant, collection, id),
        of_orders(database, context.tables(), &ids, Held::No),
        locale(database, context.tenant, &context.store.catalog),
    )?;
    Ok(Stored {
        order: object(order.found()?),
        lines,
        currency: Locale::stored(locale.as_deref()).currency,
    })
}

/// An order and its lines as they are stored, with their totals in a currency.
#[boxed]
pub async fn composed(
    context: &Context<'_>,
    mut order: Doc,
    lines: Vec<Doc>,
    currency: &str,
) -> Result<Doc, Declined> {
    let rates = given_rates(&lines, currency);
    let rate = |line: Line<'_>| {
        let given = line.exchange_rate().filter(|_| line.currency() != currency);
        let of_currency = rates.get(line.currency()).copied().flatten();
        given.or(of_currency).unwrap_or(Decimal::ONE)
    };
    let price = total(lines.iter().map(Line), currency, rate);
    let items = total_items(&lines);
    let database = &context.store.database;
    let shown = shown(database, context, lines).await?;
    set(&mut order, LINES, json!(shown));
    set(&mut order, "totalEstimatedPrice", number(price));
    set(&mut order, "totalItems", items);
    Ok(order)
}

/// An order with its lines and all totals, for its readers.
///
/// # Errors
/// 404 when there is none, 403 when units protect it.
#[boxed]
pub async fn whole(context: &Context<'_>, id: Uuid, rights: Rights) -> Result<Doc, Declined> {
    let Stored {
        order,
        lines,
        currency,
    } = stored(context, id).await?;
    readable(context, &order, rights).await?;
    let money = money(context, &lines).await?;
    let spent = spent(context, &lines, &currency, money.year.as_ref()).await?;
    let needs = needs_re_encumber(context, id, &money).await?;
    let mut order = composed(context, order, lines, &currency).await?;
    for (name, amount) in ["totalEncumbered", "totalExpended", "totalCredited"]
        .into_iter()
        .zip(spent)
    {
        set(&mut order, name, number(amount));
    }
    set(&mut order, "needReEncumber", needs);
    Ok(order)
}

async fn readable(context: &Context<'_>, order: &Doc, rights: Rights) -> Result<(), Declined> {
    let of_order = guard::units_of(order);
    if rights.bypass_units || of_order.is_empty() {
        return Ok(());
    }
    let user = context.stamp.user_id;
    let known = standing(&context.store.database, context.tables(), &of_order, user).await?;
    Ok(protect(&known, &of_order, Operation::Read)?)
}

/// What is encumbered, expended and credited in the current fiscal year.
async fn spent(
    context: &Context<'_>,
    lines: &[Doc],
    currency: &str,
    year: Option<&FiscalYear>,
) -> Result<[Decimal; 3], Declined> {
    let database = &context.store.database;
    let ids = ids(lines);
    let (encumbrances, invoiced) = futures_util::try_join!(
        transactions(database, context.tables(), Wanted::Lines(&ids), Hold::No),
        about_lines(database, context.tables(), &ids),
    )?;
    let year_id = year.map(|year| year.id);
    let encumbered = encumbrances
        .iter()
        .filter(|one| one.kind == Kind::Encumbrance && Some(one.fiscal_year_id) == year_id)
        .map(|one| one.amount.decimal())
        .sum();
    let (expended, credited) = invoiced.spent(
        |line| year_id.is_none() || line.fiscal_year_id == year_id,
        |amount| round(amount, currency),
    );
    Ok([encumbered, expended, credited])
}

/// The funds that pay for an order.
struct Money {
    /// Those of the distributions.
    wanted: BTreeSet<Uuid>,
    /// Those that exist.
    known: HashMap<Uuid, FundFacts>,
    /// The current fiscal year of the first distribution's.
    year: Option<FiscalYear>,
}

async fn money(context: &Context<'_>, lines: &[Doc]) -> Result<Money, Declined> {
    let database = &context.store.database;
    let named: Vec<Uuid> = lines
        .iter()
        .flat_map(|line| Line(line).distributions())
        .filter_map(|row| id_at(row, "fundId"))
        .collect();
    let wanted: BTreeSet<Uuid> = named.iter().copied().collect();
    let mut money = Money {
        wanted,
        known: HashMap::new(),
        year: None,
    };
    let Some(first) = named.first() else {
        return Ok(money);
    };
    let ids: Vec<Uuid> = money.wanted.iter().copied().collect();
    money.known = funds(database, context.tables(), &ids).await?;
    if let Some(ledger) = money.known.get(first).map(|fund| fund.ledger_id) {
        let years = ledger_years(*context, database, &[ledger]).await?;
        money.year = years.get(&ledger).and_then(|years| years.current.clone());
    }
    Ok(money)
}

/// Whether an order lacks encumbrances: a fund of it is in no ledger, only some of its ledgers are rolled
/// over, or a rollover could not make them.
async fn needs_re_encumber(
    context: &Context<'_>,
    id: Uuid,
    money: &Money,
) -> Result<bool, Declined> {
    if money.wanted.is_empty() {
        return Ok(false);
    }
    if money.known.len() < money.wanted.len() {
        return Ok(true);
    }
    let (database, tables) = (&context.store.database, context.tables());
    let ledgers: BTreeSet<Uuid> = money.known.values().map(|fund| fund.ledger_id).collect();
    let ledgers: Vec<Uuid> = ledgers.into_iter().collect();
    if let (2.., Some(year)) = (ledgers.len(), &money.year) {
        let done = committed_into(database, tables, &ledgers, year.id).await?;
        if !done.is_empty() && done.len() < ledgers.len() {
            return Ok(true);
        }
    }
    Ok(has_rollover_errors(database, tables, id).await?)
}

/// A line with its parts, for its readers.
///
/// # Errors
/// 404 when there is none, 403 when units protect its order.
#[boxed]
pub async fn line(context: &Context<'_>, id: Uuid, rights: Rights) -> Result<Doc, Declined> {
    let database = &context.store.database;
    let lines = context.collection(keep_line::TABLE);
    let line = fetch(database, context.tenant, lines, id).await?.found()?;
    let line = object(line);
    if !rights.bypass_units
        && let Some(order_id) = Line(&line).order_id()
    {
        let orders = context.collection(keep_order::TABLE);
        if let Some(order) = fetch(database, context.tenant, orders, order_id).await? {
            readable(context, &object(order), rights).await?;
        }
    }
    shown_line(context, line).await
}

/// A line with its parts.
#[boxed]
pub async fn shown_line(context: &Context<'_>, line: Doc) -> Result<Doc, Declined> {
    let shown = shown(&context.store.database, context, vec![line]).await?;
    shown.into_iter().next().found()
}
