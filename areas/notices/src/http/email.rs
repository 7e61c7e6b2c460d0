//! `/email` and `/delayedTask/expiredMessages`

use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::instant;

use super::{refused, text};
use crate::app::expire::{expiration_hours, expire};
use crate::app::send_email::send_email;

/// An e-mail sent; 200 with the text of the result, delivered or not.
///
/// # Errors
/// 422 when it does not fit.
pub async fn send(call: Call) -> Result<Response, ApiError> {
    let told = send_email(&call, call.record()?).await.map_err(refused)?;
    Ok(text(StatusCode::OK, told))
}

/// Messages deleted: `emailStatus` (delivered ones by default), tried up to the day `expirationDate`, or
/// longer ago than the settings keep them.
///
/// # Errors
/// 400 for an invalid date.
pub async fn delete_expired(call: Call) -> Result<Response, ApiError> {
    let given = call.parameter("expirationDate")?.unwrap_or_default();
    let status = call.parameter("emailStatus")?.unwrap_or_default();
    let known = ["DELIVERED", "FAILURE", "PROCESSING"];
    let status = known.iter().find(|one| one.eq_ignore_ascii_case(&status));
    let before = match given.trim() {
        "" => Timestamp::now() - expiration_hours(&call).await?.hours(),
        day => end_of(day).ok_or_else(|| {
            ApiError::bad_request(
                "Invalid date value, the parameter must be in the format: yyyy-MM-dd",
            )
        })?,
    };
    let deleted = expire(
        &call,
        status.unwrap_or(&"DELIVERED"),
        &instant::format(before),
    )
    .await?;
    if deleted > 0 {
        tracing::info!(
            tenant = call.tenant.id(),
            deleted,
            "expired messages were deleted"
        );
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

fn end_of(day: &str) -> Option<Timestamp> {
    let well_formed = day.len() == 10 && day.as_bytes()[4] == b'-' && day.as_bytes()[7] == b'-';
    let day: Date = day.parse().ok().filter(|_| well_formed)?;
    Some(
        day.tomorrow()
            .ok()?
            .to_zoned(TimeZone::UTC)
            .ok()?
            .timestamp(),
    )
}
