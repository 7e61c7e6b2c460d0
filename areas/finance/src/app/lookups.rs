//! What other areas look up: funds, the current fiscal year of their ledgers, budgets, currency.

use std::collections::{BTreeSet, HashMap};

use futures_util::try_join;
use jiff::tz::TimeZone;
use octavo_boxed::boxed;

use octavo_records::{Context, Executor, StoreError};
use uuid::Uuid;

use crate::rules::batch::Account;
use crate::rules::fiscal_years::{FiscalYear, current, planned};
use crate::store::accounts::{Hold, accounts};
use crate::store::years;

pub use crate::store::accounts::{FundFacts, funds};
pub use crate::store::rollovers::{committed_into, forget_errors, orders_with_errors};
pub use crate::store::transactions::{Wanted, find as transactions};

/// The current and the planned fiscal year of a ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerYears {
    pub current: Option<FiscalYear>,
    pub planned: Option<FiscalYear>,
}

/// The years of ledgers at the instant of the operation, in the tenant's time zone.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn ledger_years(
    context: Context<'_>,
    executor: &dyn Executor,
    ledgers: &[Uuid],
) -> Result<HashMap<Uuid, LedgerYears>, StoreError> {
    let (of_ledgers, settings) = try_join!(
        years::of_ledgers(executor, context.tables(), ledgers),
        years::settings(executor, context.tables()),
    )?;
    let zone = TimeZone::get(&settings.timezone).unwrap_or(TimeZone::UTC);
    let now = context.stamp.at;
    let years = of_ledgers.into_iter().map(|(ledger, years)| {
        let found = LedgerYears {
            current: current(&years, now, &zone).cloned(),
            planned: planned(&years, now, &zone).cloned(),
        };
        (ledger, found)
    });
    Ok(years.collect())
}

/// The budget of each fund in a fiscal year, locked when it is held.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn budgets(
    context: Context<'_>,
    executor: &dyn Executor,
    fund_ids: &[Uuid],
    fiscal_year_id: Uuid,
    hold: Hold,
) -> Result<HashMap<Uuid, Account>, StoreError> {
    let keys: BTreeSet<(Uuid, Uuid)> = fund_ids.iter().map(|id| (*id, fiscal_year_id)).collect();
    let found = accounts(executor, context.tables(), &keys, hold).await?;
    let by_fund = found
        .into_iter()
        .map(|((fund, _), account)| (fund, account));
    Ok(by_fund.collect())
}

/// The tenant's currency.
///
/// # Errors
/// When the database does not answer.
pub async fn system_currency(
    context: Context<'_>,
    executor: &dyn Executor,
) -> Result<String, StoreError> {
    let settings = years::settings(executor, context.tables()).await?;
    Ok(settings.currency)
}
