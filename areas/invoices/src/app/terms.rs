//! The terms on which an invoice is paid: the fiscal year, its currency and the exchange rate, the funds and
//! their budgets.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_finance::app::exchange;
use octavo_finance::app::lookups::{self, FundFacts};
use octavo_finance::records::BudgetStatus;
use octavo_finance::rules::batch::Account;
use octavo_finance::rules::fiscal_years::FiscalYear;
use octavo_finance::store::accounts::Hold;
use octavo_finance::store::years;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::keep::Work;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::amount::digits;
use crate::rules::document::{self, Document};
use crate::rules::parts::Terms;

/// The fiscal year of an invoice, and the budgets of its funds in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Payers {
    pub year: FiscalYear,
    pub funds: HashMap<Uuid, FundFacts>,
    /// By fund; all of them are active.
    pub budgets: HashMap<Uuid, Account>,
}

impl Payers {
    /// The terms of an invoice at this rate.
    #[must_use]
    pub fn terms(&self, invoice_id: Uuid, rate: Decimal) -> Terms<'_> {
        Terms {
            invoice_id,
            fiscal_year_id: self.year.id,
            currency: &self.year.currency,
            places: digits(&self.year.currency),
            rate,
        }
    }
}

/// The budgets that pay an invoice, locked: in the invoice's fiscal year, else in the current one of the funds.
///
/// # Errors
/// 404 when a fund has no active budget, 422 when the funds have several fiscal years.
#[boxed]
pub async fn payers(
    work: Work<'_>,
    invoice: &Document,
    fund_ids: &[Uuid],
) -> Result<Payers, Declined> {
    let (transaction, context) = (work.transaction, *work.context);
    let funds = lookups::funds(transaction, context.tables(), fund_ids).await?;
    if let Some(missing) = fund_ids.iter().find(|id| !funds.contains_key(id)) {
        return Err(Refusal::missing(Code::FundsNotFound)
            .with("fundIds", missing)
            .into());
    }
    let given = document::id(invoice, "fiscalYearId");
    let year = match given {
        Some(id) => year_by_id(work, id).await?,
        None => common_year(work, fund_ids, &funds).await?,
    };
    let held = lookups::budgets(context, transaction, fund_ids, year.id, Hold::Yes).await?;
    let is_active = |id: &&Uuid| {
        let budget = held.get(*id).map(|account| account.budget.status);
        budget == Some(BudgetStatus::Active)
    };
    if let Some(fund) = fund_ids.iter().find(|id| !is_active(id)) {
        return Err(match given {
            Some(year) => Refusal::missing(Code::BudgetOfYear)
                .with("fundId", fund)
                .with("fiscalYearId", year),
            None => Refusal::missing(Code::BudgetOfFund).with("fundId", fund),
        }
        .into());
    }
    Ok(Payers {
        year,
        funds,
        budgets: held,
    })
}

/// A fiscal year that exists.
///
/// # Errors
/// 400 when it does not.
pub async fn year_by_id(work: Work<'_>, id: Uuid) -> Result<FiscalYear, Declined> {
    let found = years::by_ids(work.transaction, work.context.tables(), &[id]).await?;
    let year = found.into_values().next();
    year.ok_or_else(|| {
        Refusal::bad(Code::NoCurrentYear)
            .with("fiscalYearId", id)
            .into()
    })
}

/// The current fiscal year of a fund's ledger.
///
/// # Errors
/// 404 without the fund, 400 without a current year.
pub async fn current_year(work: Work<'_>, fund: Uuid) -> Result<FiscalYear, Declined> {
    let tables = work.context.tables();
    let funds = lookups::funds(work.transaction, tables, &[fund]).await?;
    if !funds.contains_key(&fund) {
        return Err(Refusal::missing(Code::FundsNotFound)
            .with("fundIds", fund)
            .into());
    }
    common_year(work, &[fund], &funds).await
}

/// The current fiscal year of all of the funds.
async fn common_year(
    work: Work<'_>,
    fund_ids: &[Uuid],
    funds: &HashMap<Uuid, FundFacts>,
) -> Result<FiscalYear, Declined> {
    let of_funds = current_years(work, fund_ids, funds).await?;
    let mut of_funds = of_funds.into_iter();
    let Some((first, year)) = of_funds.next() else {
        return Err(Refusal::bad(Code::NoCurrentYear).into());
    };
    for (other, its) in of_funds {
        if its.id != year.id {
            let code = |id: &Uuid| funds.get(id).map_or("", |fund| fund.code.as_str());
            let (one, other) = (code(&first), code(&other));
            return Err(Refusal::invalid(Code::MultipleYears)
                .naming(&[one, other])
                .with("fundCodes", format!("[{one}, {other}]"))
                .into());
        }
    }
    Ok(year)
}

/// The current fiscal year of each fund.
///
/// # Errors
/// 400 when a ledger has none.
pub async fn current_years(
    work: Work<'_>,
    fund_ids: &[Uuid],
    funds: &HashMap<Uuid, FundFacts>,
) -> Result<Vec<(Uuid, FiscalYear)>, Declined> {
    let mut ledgers: Vec<Uuid> = funds.values().map(|fund| fund.ledger_id).collect();
    ledgers.sort_unstable();
    ledgers.dedup();
    let years = lookups::ledger_years(*work.context, work.transaction, &ledgers).await?;
    let mut found = Vec::with_capacity(fund_ids.len());
    for id in fund_ids {
        let ledger = funds.get(id).map(|fund| fund.ledger_id).unwrap_or_default();
        let year = years.get(&ledger).and_then(|years| years.current.clone());
        let year =
            year.ok_or_else(|| Refusal::bad(Code::NoCurrentYear).with("ledgerId", ledger))?;
        found.push((*id, year));
    }
    Ok(found)
}

/// The rate from the invoice's currency to another: 1 between equal ones, else the one that the invoice gives,
/// else that of the library's table.
///
/// # Errors
/// 404 when there is none.
pub async fn rate(work: Work<'_>, invoice: &Document, currency: &str) -> Result<Decimal, Declined> {
    let from = document::text(invoice, "currency").unwrap_or_default();
    if from == currency {
        return Ok(Decimal::ONE);
    }
    if let Some(given) = document::given(invoice, "exchangeRate") {
        return Ok(given);
    }
    let found = exchange::rate(*work.context, work.transaction, from, currency).await?;
    found.ok_or_else(|| {
        let message = format!("No exchange rate found from {from} to {currency}");
        Refusal::missing(Code::Generic).saying(message).into()
    })
}
