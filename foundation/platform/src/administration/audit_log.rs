//! `GET /_/octavo/audit`: the audit log of the caller's tenant, newest entries first.

use axum::response::Response;
use http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit::PERMISSION;
use crate::audit::store::{self, AuditFilter};
use crate::call::{Call, incorrect};
use crate::error::ApiError;
use crate::module::Interface;
use crate::respond::pretty;
use crate::route::Handler;

/// The default number of entries in a page.
const LIMIT: i64 = 100;
/// The most entries in a page.
const LIMIT_MAX: i64 = 1_000;

#[must_use]
pub(crate) fn interface() -> Interface {
    Interface::new("octavo-audit", "1.0").route(
        Method::GET,
        "/_/octavo/audit",
        PERMISSION,
        Handler::call(list),
    )
}

/// 200 with a page; `next` is the `before` of the next page.
async fn list(call: Call) -> Result<Response, ApiError> {
    let wanted = wanted(&call)?;
    // Writes pending entries, so that the caller sees everything recorded before this request.
    call.platform.audit.flush().await;
    let database = &call.writer().database;
    let entries = store::list(database, &call.tenant, &wanted).await;
    let entries = entries?;
    let is_full = entries.len() as i64 >= wanted.limit;
    let last = entries.last().and_then(|entry| entry.position);
    let shown: Vec<Value> = entries.iter().map(store::Entry::json).collect();
    let mut body = json!({"auditEntries": shown});
    if let Some(last) = last.filter(|_| is_full) {
        body["next"] = json!(last);
    }
    Ok(pretty(StatusCode::OK, &body))
}

fn wanted(call: &Call) -> Result<AuditFilter, ApiError> {
    let limit = call.number("limit", LIMIT, 1)?;
    if limit > LIMIT_MAX {
        let why = format!("must be at most {LIMIT_MAX}");
        return Err(incorrect("limit", &limit.to_string(), &why));
    }
    Ok(AuditFilter {
        before: parsed(call, "before", "must be a position")?,
        kind: call.parameter("kind")?,
        user_id: parsed::<Uuid>(call, "userId", "must be a UUID")?,
        from: parsed::<Timestamp>(call, "from", "must be an instant like 2026-01-31T12:30:00Z")?,
        until: parsed::<Timestamp>(
            call,
            "until",
            "must be an instant like 2026-01-31T12:30:00Z",
        )?,
        limit,
    })
}

fn parsed<T: std::str::FromStr>(call: &Call, name: &str, why: &str) -> Result<Option<T>, ApiError> {
    let Some(text) = call.parameter(name)? else {
        return Ok(None);
    };
    let value = text.parse().map_err(|_| incorrect(name, &text, why));
    value.map(Some)
}
