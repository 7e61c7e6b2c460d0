//! `/source-storage/snapshots`

use axum::response::Response;
use http::StatusCode;
use octavo_library::SnapshotId;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::{answer, parameters};
use crate::app::Refusal;
use crate::app::snapshots::{create_snapshot, delete_snapshot, replace_snapshot};
use crate::store;

const SEGMENT: &str = "jobExecutionId";

/// A page of snapshots.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = parameters::snapshots(&call)?;
    let sql = store::snapshots(call.tenant.schema(), &plan, paging.limit, paging.offset);
    let collection = call.context().collection("snapshot");
    Ok(page_of(&call, collection, &plan, sql, paging.search()).await?)
}

/// One snapshot.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, SEGMENT)?;
    Ok(json_bytes(StatusCode::OK, stored(&call, id).await?))
}

/// A new snapshot, or what replaces the one of its id.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let id = create_snapshot(&call.context(), call.json()?)
        .await
        .map_err(answer)?;
    Ok(created(stored(&call, id).await?, &id.to_string()))
}

/// A snapshot replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, SEGMENT)?;
    replace_snapshot(&call.context(), id, call.json()?)
        .await
        .map_err(answer)?;
    Ok(json_bytes(StatusCode::OK, stored(&call, id).await?))
}

/// A snapshot deleted with its records.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, SEGMENT)?;
    delete_snapshot(&call.context(), id).await.map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

async fn stored(call: &Call, id: SnapshotId) -> Result<bytes::Bytes, ApiError> {
    let snapshot = store::snapshot(&call.store().database, &call.tenant, id).await?;
    snapshot.ok_or_else(|| answer(Refusal::SnapshotNotFound(id)))
}
