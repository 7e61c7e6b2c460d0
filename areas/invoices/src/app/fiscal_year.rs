//! The fiscal year of an invoice: who may change it, and where it comes from when nobody sets it.

use octavo_finance::app::lookups;
use serde_json::json;
use uuid::Uuid;

use super::guard::Rights;
use super::keep::Work;
use super::terms::{current_year, current_years};
use crate::refusal::{Code, Declined, Refusal};
use crate::rules::adjustment::Adjustment;
use crate::rules::distribution::funds;
use crate::rules::document::{self, Document};

const YEAR: &str = "fiscalYearId";

/// Whether the fiscal year may change as it is sent.
///
/// # Errors
/// 422 when it would be emptied, 403 when the user may not change it.
pub fn check_change(rights: Rights, held: &Document, new: &Document) -> Result<(), Refusal> {
    let (had, has) = (document::id(held, YEAR), document::id(new, YEAR));
    match (had, has) {
        (Some(_), None) => Err(Refusal::invalid(Code::ResetFiscalYear)),
        (Some(had), Some(has)) if had != has && !rights.changes_fiscal_year => {
            Err(Refusal::forbidden(Code::MayNotChangeFiscalYear))
        }
        _ => Ok(()),
    }
}

/// Fills the year from the funds of the invoice's adjustments, if it has none and they have one.
///
/// # Errors
/// 422 when they have several.
pub async fn fill_from_adjustments(work: Work<'_>, invoice: &mut Document) -> Result<(), Declined> {
    if document::id(invoice, YEAR).is_some() {
        return Ok(());
    }
    let adjustments = Adjustment::all(invoice);
    let fund_ids = funds(adjustments.iter().flat_map(|one| &one.distributions));
    if fund_ids.is_empty() {
        return Ok(());
    }
    let facts = lookups::funds(work.transaction, work.context.tables(), &fund_ids).await?;
    if let Some(missing) = fund_ids.iter().find(|id| !facts.contains_key(id)) {
        return Err(Refusal::missing(Code::FundsNotFound)
            .with("fundIds", missing)
            .into());
    }
    let years = current_years(work, &fund_ids, &facts).await?;
    let first = years.first().map(|(_, year)| year.id);
    if years.iter().any(|(_, year)| Some(year.id) != first) {
        return Err(Refusal::invalid(Code::MultipleAdjustmentYears).into());
    }
    document::set(invoice, YEAR, first.map(|id| json!(id)));
    Ok(())
}

/// Fills the year from the first fund of a line, if the invoice has none.
///
/// # Errors
/// When the fund does not exist or its ledger has no current year.
pub async fn fill_from_line(
    work: Work<'_>,
    invoice: &mut Document,
    fund: Option<Uuid>,
) -> Result<Option<Uuid>, Declined> {
    if let Some(year) = document::id(invoice, YEAR) {
        return Ok(Some(year));
    }
    let Some(fund) = fund else { return Ok(None) };
    let year = current_year(work, fund).await?.id;
    invoice.insert(YEAR.to_owned(), json!(year));
    Ok(Some(year))
}
