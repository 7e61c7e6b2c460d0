//! `POST /circulation/end-patron-action-session`.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use serde::Deserialize;

use super::desk;
use crate::app::end_sessions::{Ended, SESSIONS_MAX, end_sessions};
use crate::rules_book::RulesBook;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    end_sessions: Vec<Ended>,
}

/// 204.
///
/// # Errors
/// 422 when a session is not well described, 413 when there are too many.
pub async fn end(rules: Arc<RulesBook>, call: Call) -> Result<Response, ApiError> {
    let body: Body = call.json_as()?;
    if body.end_sessions.len() > SESSIONS_MAX {
        return Err(ApiError::text(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("At most {SESSIONS_MAX} sessions can be ended at once"),
        ));
    }
    end_sessions(desk(&call, &rules), &body.end_sessions).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
