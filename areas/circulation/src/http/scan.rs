//! `POST /_/octavo/desk/check-in` and `check-out`, `GET /_/octavo/desk/patron`: a scan in one request.

use std::sync::Arc;
use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use octavo_library::ServicePointId;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

use super::desk::{CHECK_OUT_BLOCKS, check_in_answer};
use super::{desk, overrides};
use crate::app::check_in::scan_in;
use crate::app::check_out::scan_out;
use crate::app::patron_card::{Parts, patron_card};
use crate::config_cache::ConfigCache;
use crate::refusal::Refusal;
use crate::scan::{CheckInScan, CheckOutScan, ScanError, Scanned};

/// Amnesty forgives fines, so it takes FOLIO's permission to waive.
pub const AMNESTY: &str = "feesfines.accounts.waive.post";

/// 200 with `{outcome, owed}` or `{questions, item}`.
///
/// # Errors
/// 422 with the refusal and the item; 403 when amnesty is set without the permission to waive.
pub async fn check_in(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let scan = CheckInScan::from_body(call.json()?, call.stamp().at).map_err(unread)?;
    if scan.request.modifiers.amnesty && !call.has_permission(AMNESTY) {
        let message = format!("Access requires permission: {AMNESTY}, because amnesty is set");
        return Err(ApiError::text(StatusCode::FORBIDDEN, message));
    }
    let started = Instant::now();
    let scanned = scan_in(desk(&call, &cache), &scan).await?;
    call.timing.stage("circulation", started);
    answer(scanned, |done| {
        let outcome = check_in_answer(done, call.stamp().at);
        let owed = &outcome["loan"]["feesAndFines"]["amountRemainingToPay"];
        json!({"owed": owed.as_f64().unwrap_or_default(), "outcome": outcome})
    })
}

/// 200 with `{outcome}` or `{questions, item}`.
///
/// # Errors
/// 422 with all refusals and the item.
pub async fn check_out(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let scan: CheckOutScan = call.json_as()?;
    let permissions = overrides(&call, &CHECK_OUT_BLOCKS);
    let started = Instant::now();
    let scanned = scan_out(desk(&call, &cache), &scan, &permissions).await?;
    call.timing.stage("circulation", started);
    answer(scanned, |loan| json!({"outcome": loan}))
}

/// 200 with the card.
///
/// # Errors
/// 404 when nobody has this identifier.
pub async fn card(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let identifier = call.parameter("identifier")?.unwrap_or_default();
    let identifier = identifier.trim();
    if identifier.is_empty() {
        let message = "identifier is required: a barcode, external system id, user name or id";
        return Err(ApiError::bad_request(message));
    }
    let point = call.parameter("servicePointId")?;
    let point = point.as_deref().and_then(ServicePointId::parse);
    let parts = Parts::allowed(|permission| call.has_permission(permission));
    let found = patron_card(desk(&call, &cache), identifier, point, &parts).await?;
    match found {
        Some(card) => Ok(pretty(StatusCode::OK, &card)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            "No user has this barcode, external system id, user name or id",
        )),
    }
}

fn answer<T>(scanned: Scanned<T>, outcome: impl FnOnce(T) -> Value) -> Result<Response, ApiError> {
    match scanned {
        Scanned::Done(done) => Ok(pretty(StatusCode::OK, &outcome(done))),
        Scanned::Asked { questions, item } => {
            let body = json!({"questions": questions, "item": item});
            Ok(pretty(StatusCode::OK, &body))
        }
        Scanned::Refused { refusals, item } => {
            let errors: Vec<Value> = refusals.iter().map(Refusal::to_error).collect();
            let mut body = json!({"errors": errors, "total_records": errors.len()});
            if let Some(item) = item {
                body["item"] = item;
            }
            Err(ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, body))
        }
    }
}

fn unread(error: ScanError) -> ApiError {
    match error {
        ScanError::Refused(refusal) => {
            ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![refusal.to_error()])
        }
        ScanError::Malformed(error) => {
            ApiError::bad_request(format!("the body is malformed: {error}"))
        }
    }
}
