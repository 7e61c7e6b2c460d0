//! Exchange rates. They come from the entry `exchangeRates` of the configuration of module FINANCE, which a
//! job of the library or staff keep; without it no rate is known.

use octavo_boxed::boxed;
use octavo_records::{Context, Executor, StoreError};
use rust_decimal::Decimal;

use crate::rules::exchange::{Rates, rate as between};
use crate::store::rates;

/// How much one unit of a currency is worth in another; `None` when that is not known.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn rate(
    context: Context<'_>,
    executor: &dyn Executor,
    from: &str,
    to: &str,
) -> Result<Option<Decimal>, StoreError> {
    if from == to {
        return Ok(Some(Decimal::ONE));
    }
    let configured = rates::configured(executor, context.tables()).await?;
    let rates = configured.as_deref().and_then(Rates::read);
    Ok(between(rates.as_ref(), from, to))
}
