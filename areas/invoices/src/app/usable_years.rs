//! The fiscal years that an invoice may be paid from: those of its funds' series in which every fund has an
//! active budget.

use octavo_boxed::boxed;
use octavo_organizations::units::Operation;
use octavo_records::{Context, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::guard::{Rights, allow};
use super::keep::INVOICES;
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::adjustment::Adjustment;
use crate::rules::distribution::{Distribution, funds};
use crate::store::finance::{UsableYear, years_with_budgets};
use crate::store::invoices;

/// The documents of the years, the latest first.
///
/// # Errors
/// 404 without the invoice; 422 when the funds are of several series, or no year has budgets of all.
#[boxed]
pub async fn usable_years(
    context: &Context<'_>,
    rights: Rights,
    id: Uuid,
) -> Result<Vec<Value>, Declined> {
    let (database, tables) = (&context.store.database, context.tables());
    let collection = context.collection(INVOICES);
    let found = context.store.read(context.tenant, collection, id).await?;
    let found = found.ok_or(StoreError::NotFound)?;
    let invoice = serde_json::from_slice(&found).map_err(|error| StoreError::json(error))?;
    allow(context, database, rights, Operation::Read, &invoice).await?;
    let lines = invoices::lines(database, tables, id).await?;
    let mut distributions: Vec<Distribution> = lines
        .iter()
        .flat_map(|(_, line)| Distribution::all(line))
        .collect();
    let adjustments = Adjustment::all(&invoice).into_iter();
    distributions.extend(adjustments.flat_map(|one| one.distributions));
    let fund_ids = funds(distributions.iter());
    let years = years_with_budgets(database, tables, &fund_ids).await?;
    let mut series: Vec<&str> = years.iter().map(|year| year.series.as_str()).collect();
    series.sort_unstable();
    series.dedup();
    if series.len() > 1 {
        return Err(Refusal::invalid(Code::SeveralSeries).into());
    }
    let wanted = i64::try_from(fund_ids.len()).unwrap_or(i64::MAX);
    let usable: Vec<Value> = years
        .into_iter()
        .filter(|year: &UsableYear| year.funds == wanted && wanted > 0)
        .map(|year| year.document)
        .collect();
    match usable.is_empty() {
        true => Err(Refusal::invalid(Code::NoValidYear).into()),
        false => Ok(usable),
    }
}
