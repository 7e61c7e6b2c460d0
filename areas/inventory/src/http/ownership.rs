//! `/inventory/items/update-ownership` and `/inventory/holdings/update-ownership`: moving records to
//! another tenant of a consortium. Octavo has no consortia, so every valid request is refused as FOLIO
//! does for a tenant outside any consortium.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use crate::rules::ownership_form::{self, accept};

/// POST of items.
///
/// # Errors
/// Always: 422 when something is missing, else 400.
pub async fn items(call: Call) -> Result<Response, ApiError> {
    refuse(&call, ownership_form::ITEMS)
}

/// POST of holdings.
///
/// # Errors
/// Always: 422 when something is missing, else 400.
pub async fn holdings(call: Call) -> Result<Response, ApiError> {
    refuse(&call, ownership_form::HOLDINGS)
}

fn refuse(call: &Call, required: &[&'static str]) -> Result<Response, ApiError> {
    let tenant = call.tenant.id();
    accept(&call.json()?, required, tenant)
        .map_err(|(sentence, key, value)| ApiError::invalid(sentence, key, value))?;
    Err(ApiError::bad_request(format!(
        "{tenant} tenant is not in consortia"
    )))
}
