//! What one unit of a currency is worth in another, where no line says it.

use octavo_boxed::boxed;
use rust_decimal::Decimal;

use super::Act;
use crate::refusal::{Declined, Refusal};

/// The rate of finance's table.
///
/// # Errors
/// 404 where it has none.
#[boxed]
pub async fn rate(_: Act<'_>, from: &str, to: &str) -> Result<Decimal, Declined> {
    if from == to {
        return Ok(Decimal::ONE);
    }
    let message = format!("No exchange rate from {from} to {to}");
    Err(Refusal::text(404, message).into())
}
