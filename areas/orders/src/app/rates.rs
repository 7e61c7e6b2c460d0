//! What one unit of a currency is worth in another, where no line says it.

use octavo_boxed::boxed;
use octavo_finance::app::exchange;
use rust_decimal::Decimal;

use super::Act;
use crate::refusal::{Declined, Refusal};

/// The rate that finance knows.
///
/// # Errors
/// 404 where it knows none.
#[boxed]
pub async fn rate(act: Act<'_>, from: &str, to: &str) -> Result<Decimal, Declined> {
    let found = exchange::rate(*act.work.context, act.work.transaction, from, to).await?;
    let message = || format!("No exchange rate from {from} to {to}");
    found.ok_or_else(|| Refusal::text(404, message()).into())
}
