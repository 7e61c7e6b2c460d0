//! `/authority-source-files`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::{object, refusal, worded};
use crate::app::source_files as app;

const KIND: &str = "Authority Source File";

/// "Not found" names the kind of record.
pub const HOOKS: Hooks = Hooks {
    wording: |refused| worded(refused, KIND),
    ..super::HOOKS
};

/// A new local file.
///
/// # Errors
/// 422 when it is invalid, or its name, address or code is taken.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let form = object(&call)?;
    for name in ["name", "code"] {
        if form
            .get(name)
            .is_none_or(|value| value.as_str().is_none_or(str::is_empty))
        {
            return Err(refusal::invalid(
                &format!("{name}: must not be null"),
                name,
                "null",
            ));
        }
    }
    let (id, stored) = app::create(&call.context(), &form).await?;
    Ok(created(stored, &format!("/authority-source-files/{id}")))
}

/// Parts of a file changed.
///
/// # Errors
/// 404 when there is none, 409 on a version conflict, 422 for an invalid change.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let form = object(&call)?;
    if form.get("_version").is_none_or(|version| !version.is_i64()) {
        return Err(refusal::invalid(
            "_version: must not be null",
            "_version",
            "null",
        ));
    }
    app::patch(&call.context(), call.id()?, &form).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A file deleted.
///
/// # Errors
/// 404 when there is none, 422 when it is FOLIO's or has authorities.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    app::remove(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The next natural id of a file.
///
/// # Errors
/// 404 when there is none, 422 when it has no HRIDs.
pub async fn next_hrid(call: Call) -> Result<Response, ApiError> {
    let next = app::next_hrid(&call.context(), call.id()?).await?;
    Ok(json_bytes(StatusCode::OK, next.to_string()))
}
