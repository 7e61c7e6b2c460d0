//! The encumbrances of orders: planned from what finance and invoices know, checked against what the budgets
//! allow, and applied in the same transaction. The order and its lines are locked by the caller.

use std::collections::{BTreeSet, HashMap};

use futures_util::try_join;
use octavo_boxed::boxed;
use octavo_finance::Amount;
use octavo_finance::app::lookups::{FundFacts, budgets, funds, ledger_years, transactions};
use octavo_finance::app::transactions::apply;
use octavo_finance::records::{BudgetStatus, FundTransaction, Kind, OrderStatus};
use octavo_finance::rules::batch::{Account, Batch};
use octavo_finance::rules::fiscal_years::FiscalYear;
use octavo_finance::store::accounts::Hold;
use octavo_finance::store::transactions::Wanted;
use octavo_records::StoreError;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Act, rates};
use crate::refusal::{Code, Declined, Refusal, Wrong, of_finance};
use crate::rules::doc::{Doc, id as id_at};
use crate::rules::encumbrance::{self, Aim, Facts, Plan, given_rates};
use crate::rules::line::Line;
use crate::store::invoices::{about_lines, unlink_encumbrances};

/// What finance knows about the funds of an order's lines.
#[derive(Debug)]
pub struct Finances {
    pub funds: HashMap<Uuid, FundFacts>,
    pub year: FiscalYear,
    pub accounts: HashMap<Uuid, Account>,
    pub rates: HashMap<String, Decimal>,
}

/// Looks up the one fiscal year and the active budgets of all funds of lines; nothing where there are none.
/// `all` are all lines of the order, which share their rates.
///
/// # Errors
/// FOLIO's refusals of funds without year or budget.
#[boxed]
pub async fn finances(
    act: Act<'_>,
    order: &Doc,
    all: &[Doc],
    hold: Hold,
) -> Result<Option<Finances>, Declined> {
    let context = *act.work.context;
    let (executor, tables) = (act.work.transaction, context.tables());
    let fund_ids: BTreeSet<Uuid> = all
        .iter()
        .flat_map(|line| Line(line).distributions())
        .filter_map(|row| id_at(row, "fundId"))
        .collect();
    if fund_ids.is_empty() {
        return Ok(None);
    }
    let fund_ids: Vec<Uuid> = fund_ids.into_iter().collect();
    let funds = funds(executor, tables, &fund_ids).await?;
    if let Some(unknown) = fund_ids.iter().find(|id| !funds.contains_key(id)) {
        let wrong = Wrong::of(Code::FundsNotFound).with("funds", unknown);
        return Err(Refusal::new(404, wrong).into());
    }
    let ledgers: BTreeSet<Uuid> = funds.values().map(|fund| fund.ledger_id).collect();
    let ledgers: Vec<Uuid> = ledgers.into_iter().collect();
    let years = ledger_years(context, executor, &ledgers).await?;
    let mut of_funds: Vec<FiscalYear> = Vec::new();
    for ledger in &ledgers {
        let current = years.get(ledger).and_then(|years| years.current.clone());
        let current = current.ok_or_else(|| {
            let wrong = Wrong::of(Code::CurrentFYearNotFound).with("ledgerId", ledger);
            Refusal::new(404, wrong)
        })?;
        if !of_funds.iter().any(|year| year.id == current.id) {
            of_funds.push(current);
        }
    }
    if of_funds.len() > 1 {
        let ids: Vec<String> = of_funds.iter().map(|year| year.id.to_string()).collect();
        let wrong = Wrong::of(Code::MultipleFiscalYears)
            .with("fiscalYearIds", format!("[{}]", ids.join(", ")))
            .with("poId", id_at(order, "id").unwrap_or_default());
        return Err(Refusal::invalid(wrong).into());
    }
    let Some(year) = of_funds.pop() else {
        return Ok(None);
    };
    let accounts = budgets(context, executor, &fund_ids, year.id, hold).await?;
    refuse_without_budget(all, &funds, &year, &accounts)?;
    let rates = worth(act, all, &year.currency).await?;
    Ok(Some(Finances {
        funds,
        year,
        accounts,
        rates,
    }))
}

fn refuse_without_budget(
    lines: &[Doc],
    funds: &HashMap<Uuid, FundFacts>,
    year: &FiscalYear,
    accounts: &HashMap<Uuid, Account>,
) -> Result<(), Refusal> {
    let is_active = |id: &Uuid| {
        accounts
            .get(id)
            .is_some_and(|account| account.budget.status == BudgetStatus::Active)
    };
    let mut without: Vec<&FundFacts> = funds.values().filter(|fund| !is_active(&fund.id)).collect();
    if without.is_empty() {
        return Ok(());
    }
    without.sort_by(|one, other| one.code.cmp(&other.code));
    let concerned: Vec<Line<'_>> = lines
        .iter()
        .map(Line)
        .filter(|line| {
            line.distributions().any(|row| {
                without
                    .iter()
                    .any(|fund| id_at(row, "fundId") == Some(fund.id))
            })
        })
        .collect();
    let listed = |parts: Vec<String>| format!("[{}]", parts.join(", "));
    let wrong = Wrong::of(Code::BudgetNotFoundForFiscalYear)
        .with(
            "fundIds",
            listed(without.iter().map(|fund| fund.id.to_string()).collect()),
        )
        .with(
            "fundCodes",
            listed(without.iter().map(|fund| fund.code.clone()).collect()),
        )
        .with(
            "poLineIds",
            listed(concerned.iter().map(|line| line.id().to_string()).collect()),
        )
        .with(
            "poLineNumbers",
            listed(
                concerned
                    .iter()
                    .map(|line| line.number().to_owned())
                    .collect(),
            ),
        )
        .with("fiscalYearId", year.id)
        .with("fiscalYearCode", &year.code);
    Err(Refusal::invalid(wrong))
}

/// What one unit of each currency of the lines is worth in another.
async fn worth(
    act: Act<'_>,
    lines: &[Doc],
    currency: &str,
) -> Result<HashMap<String, Decimal>, Declined> {
    let mut worth = HashMap::new();
    for (of, given) in given_rates(lines, currency) {
        let rate = match given {
            Some(rate) => rate,
            None => rates::rate(act, &of, currency).await?,
        };
        worth.insert(of, rate);
    }
    Ok(worth)
}

/// Encumbers lines of an order, and writes the ids of the encumbrances into them. `all` are all lines of the
/// order, for their rates.
///
/// # Errors
/// FOLIO's refusals: budgets, restrictions, invoices.
#[boxed]
pub async fn encumber(
    act: Act<'_>,
    order: &Doc,
    lines: &mut [Doc],
    all: &[Doc],
    aim: Aim,
) -> Result<(), Declined> {
    let plan = plan(act, order, lines, all, aim).await?;
    let ids: Vec<Uuid> = lines.iter().map(|line| Line(line).id()).collect();
    carry_out(act, plan, &ids).await
}

/// What [`encumber`] does with lines, which get their encumbrances' ids; none where there is nothing to do.
/// The existing encumbrances are locked.
///
/// # Errors
/// As [`encumber`].
#[boxed]
pub async fn plan(
    act: Act<'_>,
    order: &Doc,
    lines: &mut [Doc],
    all: &[Doc],
    aim: Aim,
) -> Result<Plan, Declined> {
    let context = *act.work.context;
    let (executor, tables) = (act.work.transaction, context.tables());
    let ids: Vec<Uuid> = lines.iter().map(|line| Line(line).id()).collect();
    let hold = Hold::Yes;
    let (stored, invoiced) = try_join!(
        transactions(executor, tables, Wanted::Lines(&ids), hold),
        about_lines(executor, tables, &ids),
    )?;
    let found = finances(act, order, all, Hold::No).await?;
    let (year, rates, accounts) = match found {
        Some(found) => (found.year, found.rates, found.accounts),
        None => match year_of(act, &stored).await? {
            Some(year) => (year, HashMap::new(), HashMap::new()),
            None => return Ok(Plan::default()),
        },
    };
    let stored: Vec<FundTransaction> = stored
        .into_iter()
        .filter(|one| one.kind == Kind::Encumbrance && one.fiscal_year_id == year.id)
        .collect();
    let stored_ids: Vec<Uuid> = stored.iter().map(|one| one.id).collect();
    let pending = transactions(executor, tables, Wanted::PendingOn(&stored_ids), hold).await?;
    let facts = Facts {
        order,
        year: &year,
        rates: &rates,
        stored: &stored,
        invoiced: &invoiced,
        pending: &pending,
    };
    let plan = encumbrance::plan(&facts, lines, aim)?;
    check_limits(&plan, &accounts)?;
    Ok(plan)
}

/// The latest fiscal year in which there are encumbrances of lines that have no distribution any more.
async fn year_of(act: Act<'_>, stored: &[FundTransaction]) -> Result<Option<FiscalYear>, Declined> {
    let ids: BTreeSet<Uuid> = stored.iter().map(|one| one.fiscal_year_id).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let tables = act.work.context.tables();
    let years = octavo_finance::store::years::by_ids(act.work.transaction, tables, &ids).await?;
    Ok(years.into_values().max_by_key(|year| year.start))
}

/// Refuses what goes beyond the restricted budgets.
fn check_limits(plan: &Plan, accounts: &HashMap<Uuid, Account>) -> Result<(), Refusal> {
    let mut beyond: Vec<&str> = Vec::new();
    for (fund, growth) in &plan.growth {
        let Some(account) = accounts.get(fund).filter(|one| one.restrict_encumbrance) else {
            continue;
        };
        let Some(allowed) = account.budget.allowable_encumbrance else {
            continue;
        };
        let computed = account.budget.sums.computed();
        let left = computed.total_funding.percent(allowed) - computed.unavailable;
        if growth.is_positive() && *growth > left {
            beyond.push(&account.fund_code);
        }
    }
    if beyond.is_empty() {
        return Ok(());
    }
    beyond.sort_unstable();
    let wrong = Wrong::of(Code::FundCannotBePaid).with("funds", format!("[{}]", beyond.join(", ")));
    Err(Refusal::invalid(wrong))
}

/// Carries a plan for lines out.
///
/// # Errors
/// What finance refuses.
#[boxed]
pub async fn carry_out(act: Act<'_>, plan: Plan, line_ids: &[Uuid]) -> Result<(), Declined> {
    let context = *act.work.context;
    let transaction = act.work.transaction;
    let gone = plan.batch.delete.clone();
    if !plan.release.is_empty() {
        let release = Batch::updating(plan.release);
        apply(context, transaction, &release)
            .await
            .map_err(of_finance)?;
    }
    if !plan.batch.is_empty() {
        apply(context, transaction, &plan.batch)
            .await
            .map_err(of_finance)?;
    }
    unlink_encumbrances(transaction, context.tables(), line_ids, &gone).await?;
    Ok(())
}

/// How stored encumbrances change as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    /// Lines are cancelled: they release what is left.
    Release,
    /// Lines are not cancelled any more.
    Unrelease,
    /// The order is closed.
    Close,
    /// The order is open again, and they stay released.
    Reopen,
    /// The order is Pending again.
    Pending,
}

/// Shifts the encumbrances of lines in the current fiscal year of their funds.
///
/// # Errors
/// When a budget takes no transactions.
#[boxed]
pub async fn shift(act: Act<'_>, line_ids: &[Uuid], shift: Shift) -> Result<(), Declined> {
    let context = *act.work.context;
    let (transaction, tables) = (act.work.transaction, context.tables());
    let wanted = Wanted::Lines(line_ids);
    let stored = transactions(transaction, tables, wanted, Hold::Yes).await?;
    let current = in_current_year(act, stored).await?;
    let changed: Vec<FundTransaction> = current
        .into_iter()
        .filter_map(|old| {
            let new = shifted(old.clone(), shift);
            (new != old).then_some(new)
        })
        .collect();
    if changed.is_empty() {
        return Ok(());
    }
    let batch = Batch::updating(changed);
    apply(context, transaction, &batch)
        .await
        .map_err(of_finance)
}

fn shifted(old: FundTransaction, shift: Shift) -> FundTransaction {
    use octavo_finance::records::EncumbranceStatus::Released;
    match shift {
        Shift::Release => encumbrance::released(old, None),
        Shift::Close => encumbrance::released(old, Some(OrderStatus::Closed)),
        Shift::Pending => encumbrance::pending(old),
        Shift::Unrelease => match old.encumbrance.as_ref().map(|part| part.status) {
            Some(Released) => encumbrance::unreleased(old),
            _ => old,
        },
        Shift::Reopen => {
            let mut new = old;
            if let Some(part) = &mut new.encumbrance {
                part.order_status = Some(OrderStatus::Open);
            }
            new
        }
    }
}

/// The encumbrances of the current fiscal year of the first fund's ledger.
async fn in_current_year(
    act: Act<'_>,
    stored: Vec<FundTransaction>,
) -> Result<Vec<FundTransaction>, Declined> {
    let context = *act.work.context;
    let (executor, tables) = (act.work.transaction, context.tables());
    let Some(fund) = stored.iter().find_map(|one| one.from_fund_id) else {
        return Ok(Vec::new());
    };
    let funds = funds(executor, tables, &[fund]).await?;
    let Some(ledger) = funds.get(&fund).map(|fund| fund.ledger_id) else {
        return Ok(Vec::new());
    };
    let years = ledger_years(context, executor, &[ledger]).await?;
    let current = years.get(&ledger).and_then(|years| years.current.as_ref());
    let current = current.map(|year| year.id);
    Ok(stored
        .into_iter()
        .filter(|one| one.kind == Kind::Encumbrance && Some(one.fiscal_year_id) == current)
        .collect())
}

/// The encumbrances of lines, locked.
#[boxed]
pub async fn hold_encumbrances(
    act: Act<'_>,
    line_ids: &[Uuid],
) -> Result<Vec<FundTransaction>, StoreError> {
    let tables = act.work.context.tables();
    let wanted = Wanted::Lines(line_ids);
    let mut stored = transactions(act.work.transaction, tables, wanted, Hold::Yes).await?;
    stored.retain(|one| one.kind == Kind::Encumbrance);
    Ok(stored)
}

/// Deletes the encumbrances of lines, which are locked: those that still commit money are released first.
///
/// # Errors
/// When a budget takes no transactions.
#[boxed]
pub async fn delete(
    act: Act<'_>,
    line_ids: &[Uuid],
    stored: Vec<FundTransaction>,
) -> Result<(), Declined> {
    let plan = Plan {
        release: stored
            .iter()
            .filter(|one| !one.amount.is_zero())
            .map(|one| encumbrance::released(one.clone(), None))
            .collect(),
        batch: Batch {
            delete: stored.iter().map(|one| one.id).collect(),
            ..Batch::default()
        },
        growth: HashMap::new(),
    };
    carry_out(act, plan, line_ids).await
}

/// What the current encumbrances of an order amount to.
#[boxed]
pub async fn encumbered(act: Act<'_>, line_ids: &[Uuid]) -> Result<Amount, Declined> {
    let tables = act.work.context.tables();
    let wanted = Wanted::Lines(line_ids);
    let stored = transactions(act.work.transaction, tables, wanted, Hold::No).await?;
    let current = in_current_year(act, stored).await?;
    Ok(current.iter().map(|one| one.amount).sum())
}
