//! Version and health: of this process, and of remote modules.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, Request, StatusCode, header};
use serde_json::{Value, json};

use super::scope::{listed, missing, operator};
use crate::call::Call;
use crate::error::ApiError;
use crate::registry::Deployment;
use crate::respond::{json_bytes, pretty};

pub(super) async fn version(_: Call) -> Result<Response, ApiError> {
    let mut response = json_bytes(StatusCode::OK, env!("CARGO_PKG_VERSION"));
    let text = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, text);
    Ok(response)
}

/// Healthy means that the database answers and accepts writes; without its replicas it serves all
/// reads itself. A failure is described in text.
pub(super) async fn health(call: Call) -> Result<Response, ApiError> {
    let writer = call.writer();
    let pinged = writer.ping().await;
    match writer.database.trouble() {
        Some(trouble) => Ok(unhealthy(&trouble)),
        None => pinged
            .map(|()| json_bytes(StatusCode::OK, "[ ]"))
            .map_err(ApiError::from),
    }
}

fn unhealthy(trouble: &str) -> Response {
    let mut response = json_bytes(StatusCode::SERVICE_UNAVAILABLE, trouble.to_owned());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// Whether instances of remote modules answer: all, those of a module, or one.
pub(super) async fn of_modules(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let (service, instance) = (call.segment("serviceId"), call.segment("instanceId"));
    let state = call.platform.registry.state();
    let all = state.deployments.values().flatten();
    let meant = all.filter(|one| {
        (service.is_empty() || one.srvc_id.as_deref() == Some(service))
            && (instance.is_empty() || one.inst_id.as_deref() == Some(instance))
    });
    let mut shown = Vec::new();
    for one in meant {
        shown.push(of_one(&call, one).await);
    }
    match (service.is_empty(), instance.is_empty(), shown.is_empty()) {
        (false, _, true) => Err(missing(service)),
        (false, false, false) => Ok(pretty(StatusCode::OK, &shown.remove(0))),
        _ => Ok(listed(shown)),
    }
}

async fn of_one(call: &Call, one: &Deployment) -> Value {
    let outcome = check_health(call, one).await;
    json!({
        "srvcId": one.srvc_id,
        "instId": one.inst_id,
        "healthMessage": outcome.as_ref().err().map_or("OK".to_owned(), |why| format!("Fail: {why}")),
        "healthStatus": outcome.is_ok(),
    })
}

/// Any response counts as healthy, as in Okapi.
async fn check_health(call: &Call, one: &Deployment) -> Result<(), String> {
    let url = one.url.as_deref().ok_or("Unknown")?;
    let request = Request::get(format!("{}/admin/health", url.trim_end_matches('/')))
        .body(Body::empty())
        .map_err(|error| error.to_string())?;
    let module = one.srvc_id.as_deref().unwrap_or_default();
    let answer = call.platform.remotes.proxy.send(module, url, request).await;
    answer.map(|_| ()).map_err(|fault| fault.to_string())
}
