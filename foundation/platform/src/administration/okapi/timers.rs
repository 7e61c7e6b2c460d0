//! `/_/proxy/tenants/{id}/timers`: the timers of a tenant's modules, and changes of their
//! schedules.

use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::scope::{document, listed, missing, tenant_seen};
use crate::call::Call;
use crate::caller::require;
use crate::error::ApiError;
use crate::registry::TenantView;
use crate::registry::descriptor::RoutingEntry;
use crate::registry::schedule;
use crate::respond::{empty, pretty};
use crate::timers::{self, TimerState, timers_of};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Patch {
    id: String,
    #[serde(default, rename = "modified")]
    _modified: bool,
    routing_entry: RoutingEntry,
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    let view = tenant_seen(&call, "okapi.proxy.tenants.timers.list").await?;
    let timers = timers_of(&call.writer().database, &view).await?;
    Ok(listed(timers.iter().map(shown).collect()))
}

pub(super) async fn read(call: Call) -> Result<Response, ApiError> {
    let view = tenant_seen(&call, "okapi.proxy.tenants.timers.get").await?;
    let timer = find(&call, &view, call.segment("timerId")).await?;
    Ok(pretty(StatusCode::OK, &shown(&timer)))
}

/// Changes the schedule of the timer named in the body.
pub(super) async fn patch(call: Call) -> Result<Response, ApiError> {
    let permission = may_change(&call)?;
    let patch: Patch = document(&call)?;
    change(&call, permission, &patch.id, &patch.routing_entry).await
}

/// Changes the schedule of the timer named in the path.
pub(super) async fn patch_one(call: Call) -> Result<Response, ApiError> {
    let permission = may_change(&call)?;
    let entry: RoutingEntry = document(&call)?;
    change(&call, permission, call.segment("timerId"), &entry).await
}

/// Checked before the body, so that callers who may not change timers learn nothing about their
/// request. Returns the permission that granted it.
fn may_change(call: &Call) -> Result<&'static str, ApiError> {
    let permission = if call.segment("tenantId") == call.tenant.id() {
        "okapi.proxy.self.timers.patch"
    } else {
        "okapi.proxy.tenants.timers.patch"
    };
    require(permission, call.identity.as_ref())?;
    Ok(permission)
}

/// A new schedule takes effect at once: with a delay of a second, the timer runs in a second. An
/// empty one restores the module's own.
async fn change(
    call: &Call,
    permission: &str,
    id: &str,
    entry: &RoutingEntry,
) -> Result<Response, ApiError> {
    let view = tenant_seen(call, permission).await?;
    let timer = find(call, &view, id).await?;
    let times = RoutingEntry {
        unit: entry.unit.clone(),
        delay: entry.delay.clone(),
        schedule: entry.schedule.clone(),
        ..RoutingEntry::default()
    };
    if let Some(fault) = schedule::fault(&times) {
        return Err(ApiError::bad_request(fault));
    }
    let reset = times == RoutingEntry::default();
    let patch = if reset {
        None
    } else {
        serde_json::to_value(&times).ok()
    };
    let declared = timers::declared_entry(&view, &timer.id).unwrap_or(timer.entry);
    let now_timed = timers::patched(&declared, patch.as_ref());
    let next = schedule::next(&now_timed, Timestamp::now());
    let database = &call.writer().database;
    let done = timers::store::patch(database, view.tenant.id(), id, patch.as_ref(), next).await;
    done?;
    Ok(empty(StatusCode::NO_CONTENT))
}

async fn find(call: &Call, view: &TenantView, id: &str) -> Result<TimerState, ApiError> {
    let timers = timers_of(&call.writer().database, view).await?;
    timers
        .into_iter()
        .find(|timer| timer.id == id)
        .ok_or_else(|| missing(id))
}

fn shown(timer: &TimerState) -> Value {
    let mut shown = json!({"id": timer.id, "routingEntry": timer.entry});
    if timer.modified {
        shown["modified"] = json!(true);
    }
    shown
}
