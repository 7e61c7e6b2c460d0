//! `/authority-source-files`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::{object, refusal, worded};
use crate::app::source_files as app;

const KIND: &str = "Authority Source File";

/// A file that does not exist is named by its kind.
pub const HOOKS: Hooks = Hooks {
    wording: |refused| worded(refused, KIND),
    ..super::HOOKS
};

/// A new file of the library's own.
///
/// # Errors
/// 422 when it is not as it may be, or others have its name, address or letters.
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
/// 404 when there is none, 409 when it has changed, 422 when what is wanted may not be.
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
/// 404 when there is none, 422 when it is FOLIO's or authorities are of it.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    app::remove(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The next natural id of a file.
///
/// # Errors
/// 404 when there is none, 422 when it numbers nothing.
pub async fn next_hrid(call: Call) -> Result<Response, ApiError> {
    let next = app::next_hrid(&call.context(), call.id()?).await?;
    Ok(json_bytes(StatusCode::OK, next.to_string()))
}
