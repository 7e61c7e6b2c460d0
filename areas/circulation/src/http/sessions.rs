//! Patron action sessions: ended by clients, and found and ended by time-out.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::UserId;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use serde::Deserialize;
use serde_json::{Value, json};

use super::desk;
use crate::app::patron_action_sessions::{
    ActionType, Ended, SESSIONS_MAX, end_expired, end_sessions,
};
use crate::config_cache::ConfigCache;
use crate::store::session;

/// 204.
///
/// # Errors
/// 422 when a session is not well described, 413 when there are too many.
pub async fn end(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let listed = body["endSessions"].as_array().ok_or_else(|| {
        let missing = "End patron session request must have endSessions";
        ApiError::invalid(missing, "endSessions", "null")
    })?;
    if listed.len() > SESSIONS_MAX {
        return Err(ApiError::text(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("At most {SESSIONS_MAX} sessions can be ended at once"),
        ));
    }
    let ended: Vec<Ended> = listed.iter().map(described).collect::<Result<_, _>>()?;
    if end_sessions(desk(&call, &cache), &ended).await? > 0 {
        octavo_notices::queue::soon(&call);
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Reads a client's session; refused with FOLIO's message.
fn described(session: &Value) -> Result<Ended, ApiError> {
    let text = |name: &str| {
        let text = session.get(name).and_then(Value::as_str);
        text.filter(|text| !text.trim().is_empty())
    };
    let missing = |what: &str, key: &str| {
        let message = format!("End patron session request must have {what}");
        let error = json!({"message": message, "parameters": [{"key": key, "value": null}]});
        ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![error])
    };
    let patron = text("patronId").ok_or_else(|| missing("patron id", "patronId"))?;
    let action = text("actionType").ok_or_else(|| missing("action type", "actionType"))?;
    let action_type = ActionType::deserialize(session["actionType"].clone())
        .map_err(|_| ApiError::invalid("Invalid patron action type value", "actionType", action))?;
    let patron_id = UserId::parse(patron)
        .ok_or_else(|| ApiError::invalid("must be the UUID of a user", "patronId", patron))?;
    Ok(Ended {
        patron_id,
        action_type,
    })
}

/// FOLIO's storage: 200 with the patrons whose session has had no action since an instant.
///
/// # Errors
/// 422 when instant or kind of action are invalid, 400 when no instant is given.
pub async fn expired_patrons(call: Call) -> Result<Response, ApiError> {
    let given = call.parameter("session_inactivity_time_limit")?;
    let given = given.ok_or_else(|| {
        ApiError::bad_request("The parameter session_inactivity_time_limit is required")
    })?;
    let limit = call.number("limit", 10, 0)?;
    let since = instant::parse(&given).ok_or_else(|| {
        let key = "session_inactivity_time_limit";
        ApiError::invalid("Date cannot be parsed", key, given.clone())
    })?;
    let action = call.parameter("action_type")?;
    let action = action.filter(|text| !text.trim().is_empty());
    if let Some(text) = &action
        && text != "Check-out"
        && text != "Check-in"
    {
        return Err(ApiError::invalid(
            "Invalid action type value",
            "action_type",
            text,
        ));
    }
    let database = &call.store().database;
    let found = session::expired(database, call.tables(), action.as_deref(), since, limit).await?;
    let found: Vec<Value> = found
        .into_iter()
        .map(|(patron, action)| json!({"patronId": patron, "actionType": action}))
        .collect();
    Ok(pretty(StatusCode::OK, &json!({"expiredSessions": found})))
}

/// The timer: 204, after ending timed-out sessions.
pub async fn end_quiet(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let ended = end_expired(desk(&call, &cache)).await?;
    if ended.told > 0 {
        octavo_notices::queue::soon(&call);
    }
    if ended.loans > 0 {
        let (loans, told) = (ended.loans, ended.told);
        tracing::debug!(
            tenant = call.tenant.id(),
            loans,
            told,
            "patrons' visits ended"
        );
    }
    Ok(empty(StatusCode::NO_CONTENT))
}
