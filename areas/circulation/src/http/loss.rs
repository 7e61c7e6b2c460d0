//! `POST /circulation/loans/{id}/declare-item-lost`, `claim-item-returned` and
//! `declare-claimed-returned-item-as-missing`; and event handlers for fees.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::{LoanId, id_at};
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::desk;
use crate::app::Declined;
use crate::app::claim_returned::claim_returned;
use crate::app::declare_lost::declare_lost;
use crate::app::declare_missing::declare_missing;
use crate::app::settle_loss::fee_closed;
use crate::config_cache::ConfigCache;
use crate::loss::claim::{ClaimReturned, DeclareMissing};
use crate::loss::declare::DeclareLost;

/// 204.
///
/// # Errors
/// 404 when there is no such loan, 422 with the refusal.
pub async fn lost(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let request = DeclareLost::from_body(&call.json()?).map_err(Declined::from)?;
    declare_lost(desk(&call, &cache), id.into(), &request).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
///
/// # Errors
/// 404 when there is no such loan, 422 with the refusal.
pub async fn claimed(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let request = ClaimReturned::from_body(&call.json()?).map_err(Declined::from)?;
    claim_returned(desk(&call, &cache), id.into(), &request).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
///
/// # Errors
/// 404 when there is no such loan, 422 with the refusal.
pub async fn missing(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let request = DeclareMissing::from_body(&call.json()?).map_err(Declined::from)?;
    declare_missing(desk(&call, &cache), id.into(), &request).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Event handler: a fee of a loan was closed. Closes the loan if nothing more is owed for its lost item.
/// Always 204, as FOLIO answers events about unknown records too.
///
/// # Errors
/// 400 when the body is not JSON.
pub async fn fee_fine_closed(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    if let Some(loan_id) = loan_id(&call.json()?) {
        fee_closed(desk(&call, &cache), loan_id).await?;
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Event handler: the remaining amount of a fee has changed. No loan depends on that; FOLIO only
/// schedules a notice for actual costs, and always answers 204.
///
/// # Errors
/// 400 when the body is not JSON.
pub async fn balance_changed(call: Call) -> Result<Response, ApiError> {
    let _event = call.json()?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn loan_id(event: &Value) -> Option<LoanId> {
    id_at(event.get("loanId")?)
}
