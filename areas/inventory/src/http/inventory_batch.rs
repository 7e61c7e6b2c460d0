//! `/inventory/instances/batch`: creates many instances with their links.

use std::collections::HashMap;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use uuid::Uuid;

use super::batches;
use crate::app::create_instances::create_instances;
use crate::store::instance_view;

/// POST: 201 with what was stored and why the rest was not; 500 when nothing was, as in FOLIO.
///
/// # Errors
/// 422 when the body is not a list of instances, 413 when there are too many.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let forms = batches::list(&call, "instances")?;
    let outcome = create_instances(&call.context(), forms).await?;
    let instances = shown(&call, &outcome.created).await?;
    let status = match instances.is_empty() {
        true => StatusCode::INTERNAL_SERVER_ERROR,
        false => StatusCode::CREATED,
    };
    let body = json!({
        "totalRecords": instances.len(),
        "instances": instances,
        "errorMessages": outcome.errors,
    });
    Ok(pretty(status, &body))
}

/// The instances as GET shows them, in the order of their ids.
async fn shown(call: &Call, ids: &[Uuid]) -> Result<Vec<Value>, ApiError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = instance_view::of(call.tenant.schema(), ids);
    let found: HashMap<Uuid, Value> =
        crate::store::view::read_all(&call.store().database, &sql).await?;
    let mut found = found;
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}
