//! mod-configuration and mod-settings over HTTP: requests and responses, no decisions.

pub mod audit;
pub mod base_url;
pub mod entries;
pub mod locale;
pub mod settings;
pub mod tenant_addresses;

use http::StatusCode;
use octavo_platform::{ApiError, Call, Paging};
use octavo_records::{StoreError, Totals};
use serde_json::Value;

/// mod-settings' limit for the body of one record.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// `query`, `offset` and `limit` as mod-settings reads them; totals are always exact there.
fn settings_paging(call: &Call, default_limit: i64) -> Result<Paging, ApiError> {
    Ok(Paging {
        totals: Totals::Exact,
        ..call.paging_with_default(default_limit)?
    })
}

/// The body, unless it exceeds mod-settings' limit.
fn small_json(call: &Call) -> Result<Value, ApiError> {
    if call.body.len() <= BODY_BYTES_MAX {
        return call.json();
    }
    Err(ApiError::text(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!(
            "Request Entity Too Large: {} bytes; at most {BODY_BYTES_MAX} are taken",
            call.body.len()
        ),
    ))
}

/// mod-settings refuses in plain text, and with 400 where a document does not fit.
fn plain(error: StoreError) -> ApiError {
    match error {
        StoreError::NotFound => missing(),
        StoreError::Invalid(violations) => {
            let wrong: Vec<String> = violations
                .iter()
                .map(|one| format!("{}: {}", one.path, one.message))
                .collect();
            ApiError::bad_request(format!("invalid request body: {}", wrong.join(", ")))
        }
        other => other.into(),
    }
}

/// 404 with mod-settings' message.
fn missing() -> ApiError {
    ApiError::text(StatusCode::NOT_FOUND, "Not Found")
}
