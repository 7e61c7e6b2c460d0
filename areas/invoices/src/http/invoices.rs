//! `/invoice/…`: invoices and their lines.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::OperationError;
use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::pages::{INVOICES, LINES, one, page};
use super::refusal::listed;
use super::rights;
use crate::app::approve::mismatch;
use crate::app::change_invoice::change_invoice;
use crate::app::create_invoice::create_invoice;
use crate::app::lines;
use crate::app::remove_invoice::remove_invoice;
use crate::app::usable_years::usable_years;
use crate::rules::adjustment::{Adjustment, added};
use crate::rules::amount::{digits, half_even};
use crate::rules::distribution::{self, Distribution};
use crate::rules::document;

/// A page of the invoices that the user may see.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, INVOICES).await.map_err(listed)
}

/// One invoice.
///
/// # Errors
/// 404 when there is none, 403 when its units hide it.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    one(&call, INVOICES).await.map_err(listed)
}

/// A new invoice.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = call.record().map_err(listed)?;
    let made = create_invoice(&call.context(), rights(&call), sent).await;
    let (id, stored) = made.map_err(|declined| listed(declined.into()))?;
    Ok(created(stored, &format!("/invoice/invoices/{id}")))
}

/// A changed invoice: approved, paid and cancelled too.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let sent = call.record().map_err(listed)?;
    let done = change_invoice(&call.context(), rights(&call), id, sent).await;
    done.map_err(|declined| listed(declined.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A deleted invoice.
///
/// # Errors
/// FOLIO's refusals.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let done = remove_invoice(&call.context(), rights(&call), id).await;
    done.map_err(|declined| listed(declined.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The fiscal years from which an invoice can be paid.
///
/// # Errors
/// 422 when there is none, or the funds have several series.
pub async fn fiscal_years(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("id");
    let id = uuid::Uuid::try_parse(id)
        .map_err(|_| listed(octavo_platform::incorrect("id", id, "must be a UUID")))?;
    let years = usable_years(&call.context(), rights(&call), id).await;
    let years = years.map_err(|declined| listed(declined.into()))?;
    let total = years.len();
    let page = json!({"fiscalYears": years, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &page))
}

/// A page of the lines that the user may see.
///
/// # Errors
/// 400 when the query cannot be run.
pub async fn list_lines(call: Call) -> Result<Response, ApiError> {
    page(&call, LINES).await.map_err(listed)
}

/// One line.
///
/// # Errors
/// 404 when there is none, 403 when its invoice's units hide it.
pub async fn read_line(call: Call) -> Result<Response, ApiError> {
    one(&call, LINES).await.map_err(listed)
}

/// A new line.
///
/// # Errors
/// FOLIO's refusals.
pub async fn create_line(call: Call) -> Result<Response, ApiError> {
    let sent = call.record().map_err(listed)?;
    let made = lines::create_line(&call.context(), rights(&call), sent).await;
    let (id, stored) = made.map_err(|declined| listed(declined.into()))?;
    Ok(created(stored, &format!("/invoice/invoice-lines/{id}")))
}

/// A changed line.
///
/// # Errors
/// FOLIO's refusals.
pub async fn replace_line(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let sent = call.record().map_err(listed)?;
    let done = lines::change_line(&call.context(), rights(&call), id, sent).await;
    done.map_err(|declined| listed(declined.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A deleted line.
///
/// # Errors
/// FOLIO's refusals.
pub async fn delete_line(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let done = lines::remove_line(&call.context(), rights(&call), id).await;
    done.map_err(|declined| listed(declined.into()))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Whether fund distributions make the whole of an amount with its adjustments.
///
/// # Errors
/// 422 when they do not.
pub async fn validate(call: Call) -> Result<Response, ApiError> {
    let sent: Map<String, Value> = call.json_as().map_err(listed)?;
    let sub_total = document::given(&sent, "subTotal");
    let currency = document::text(&sent, "currency");
    let (Some(sub_total), Some(currency)) = (sub_total, currency) else {
        return Err(ApiError::invalid(
            "subTotal and currency must be given",
            "",
            "",
        ));
    };
    let sub_total: Decimal = half_even(sub_total, 2);
    let adjustments = Adjustment::all(&sent);
    let more = half_even(added(adjustments.iter(), sub_total), digits(currency));
    let distributions = Distribution::named(&sent, "fundDistribution");
    let checked = distribution::check(sub_total + more, &distributions);
    checked.map_err(|wrong| ApiError::from(OperationError::from(mismatch(wrong))))?;
    Ok(empty(StatusCode::NO_CONTENT))
}
