//! The numbers of invoices, lines and vouchers.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::json;
use uuid::Uuid;

use crate::store::numbers::{self, Sequence};

fn number(number: i64) -> Response {
    pretty(
        StatusCode::OK,
        &json!({"sequenceNumber": number.to_string()}),
    )
}

/// The next number of an invoice.
///
/// # Errors
/// When the database does not answer.
pub async fn invoice(call: Call) -> Result<Response, ApiError> {
    next(&call, Sequence::Invoices).await
}

/// The next number of a voucher.
///
/// # Errors
/// When the database does not answer.
pub async fn voucher(call: Call) -> Result<Response, ApiError> {
    next(&call, Sequence::Vouchers).await
}

async fn next(call: &Call, sequence: Sequence) -> Result<Response, ApiError> {
    let database = &call.writer().database;
    Ok(number(
        numbers::next(database, call.tables(), sequence).await?,
    ))
}

/// The number that vouchers began with.
///
/// # Errors
/// When the database does not answer.
pub async fn voucher_start(call: Call) -> Result<Response, ApiError> {
    let database = &call.writer().database;
    let start = numbers::start(database, call.tables(), Sequence::Vouchers).await?;
    Ok(number(start))
}

/// Lets vouchers go on from a number.
///
/// # Errors
/// 400 when it is none.
pub async fn set_voucher_start(call: Call) -> Result<Response, ApiError> {
    let text = call.segment("value");
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let start = is_number.then(|| text.parse::<i64>().ok()).flatten();
    let start = start.ok_or_else(|| ApiError::bad_request("Bad request - illegal value"))?;
    let database = &call.writer().database;
    numbers::restart(database, call.tables(), Sequence::Vouchers, start).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The next number of an invoice's lines.
///
/// # Errors
/// 400 without an invoice, 404 when there is none.
pub async fn invoice_line(call: Call) -> Result<Response, ApiError> {
    let text = call.parameter("invoiceId")?.unwrap_or_default();
    let invoice = Uuid::try_parse(&text)
        .map_err(|_| ApiError::bad_request("invoiceId is required and must be a UUID"))?;
    let database = &call.writer().database;
    let taken = numbers::next_line(database, call.tables(), invoice).await?;
    Ok(number(taken.ok_or_else(ApiError::not_found)?))
}
