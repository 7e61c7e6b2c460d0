//! `/inventory/instances`.

use std::sync::OnceLock;
use std::time::Instant;

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};
use octavo_records::Collection;
use uuid::Uuid;

use super::inventory_paging;
use crate::app::{Refusal, manage_instances};
use crate::store::instance_view;

/// GET: a page of instances.
///
/// # Errors
/// When the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = inventory_paging(&call)?;
    let collection = call.context().collection("instance");
    let plan = call
        .store()
        .plan(&call.tenant, collection, paging.query.as_deref())?;
    let search = paging.search();
    let sql = instance_view::page(call.tenant.schema(), &plan, search.limit, search.offset);
    // Made once: the declaration is the same for every request and tenant.
    static LISTED: OnceLock<Collection> = OnceLock::new();
    let listed = LISTED.get_or_init(|| collection.without_result_info());
    Ok(page_of(&call, listed, &plan, sql, search).await?)
}

/// GET: one instance.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let started = Instant::now();
    let shown = shown(&call, call.id()?).await?;
    call.timing.stage("records", started);
    Ok(json_bytes(StatusCode::OK, shown))
}

async fn shown(call: &Call, id: Uuid) -> Result<Bytes, ApiError> {
    super::shown(call, &instance_view::one(call.tenant.schema(), id)).await
}

/// POST: a new instance.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let id = manage_instances::create(&call.context(), call.json()?)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(created(
        shown(&call, id).await?,
        &format!("/inventory/instances/{id}"),
    ))
}

/// PUT: an instance replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, form) = (call.id()?, call.json()?);
    manage_instances::replace(&call.context(), id, form)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PATCH: some of its properties replaced.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let (id, changes) = super::patch(&call)?;
    manage_instances::patch(&call.context(), id, changes)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE `mark-deleted`: marks an instance as deleted and suppresses it.
///
/// # Errors
/// 404 when there is none.
pub async fn mark_deleted(call: Call) -> Result<Response, ApiError> {
    manage_instances::mark_deleted(&call.context(), call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
