//! `GET /circulation/loans`: loans with names resolved from their ids.

use axum::response::Response;
use octavo_platform::records_http::Hooks;
use octavo_platform::{ApiError, Call};

use super::shown;
use crate::store::view;

/// Lists of loans with resolved names.
pub const HOOKS: Hooks = Hooks {
    page: Some(view::loans),
    ..Hooks::NONE
};

/// One loan.
///
/// # Errors
/// 404 with circulation's message.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let found = view::loan(&call.store().database, call.tables(), id).await?;
    shown("loan", id, found)
}
