//! `/source-storage/records` and `/source-storage/formattedRecords`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::{answer, parameters};
use crate::app::Refusal;
use crate::app::mark_deleted::{delete_record, suppress_record, undelete_record};
use crate::app::search::{IdType, current};
use crate::app::store_record::{create_generation, create_record, replace_record};
use crate::store;

/// A page of records.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let plan = parameters::records(&call)?;
    let sql = store::records(call.tenant.schema(), &plan, paging.limit, paging.offset);
    let collection = call.context().collection("source_record");
    Ok(page_of(&call, collection, &plan, sql, paging.search()).await?)
}

/// One generation of a record.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let collection = call.context().collection("source_record");
    let record = call.store().read(&call.tenant, collection, id).await?;
    let record = record.ok_or_else(|| answer(Refusal::RecordNotFound(id)))?;
    Ok(json_bytes(StatusCode::OK, record))
}

/// The newest record of an id of any type, with its formatted content.
///
/// # Errors
/// 400 for an unknown type of id, 404 when there is none.
pub async fn formatted(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let kind = parameters::id_type(&call, IdType::Record)?;
    let (wanted, state) = (kind.among(&[id]), current(true));
    let database = &call.store().database;
    match store::newest_record(database, &call.tenant, &wanted, &state).await? {
        Some(record) => Ok(json_bytes(StatusCode::OK, record)),
        None => Err(ApiError::text(
            StatusCode::NOT_FOUND,
            format!(
                "Couldn't find record with id type {} and id {id}",
                kind.name()
            ),
        )),
    }
}

/// A new record, or a new generation of one.
///
/// # Errors
/// 404 when its snapshot does not exist, 400 and 422 when it does not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let stored = create_record(&call.context(), call.json()?)
        .await
        .map_err(answer)?;
    Ok(json_bytes(StatusCode::CREATED, stored))
}

/// A record replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let stored = replace_record(&call.context(), id, call.json()?)
        .await
        .map_err(answer)?;
    Ok(json_bytes(StatusCode::OK, stored))
}

/// A new generation of the record in the path.
///
/// # Errors
/// As [`create`], and 404 when there is no such record.
pub async fn replace_generation(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let stored = create_generation(&call.context(), id, call.json()?)
        .await
        .map_err(answer)?;
    Ok(json_bytes(StatusCode::OK, stored))
}

/// A record marked as deleted.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let kind = parameters::id_type(&call, IdType::SrsRecord)?;
    delete_record(&call.context(), kind, id)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A record no longer marked as deleted.
pub async fn undelete(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let kind = parameters::id_type(&call, IdType::Record)?;
    undelete_record(&call.context(), kind, id)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A record hidden from discovery, or shown.
pub async fn suppress(call: Call) -> Result<Response, ApiError> {
    let id = parameters::path_id(&call, "id")?;
    let kind = parameters::id_type(&call, IdType::Record)?;
    let suppressed = parameters::flag(&call, "suppress")?.unwrap_or(true);
    suppress_record(&call.context(), kind, id, suppressed)
        .await
        .map_err(answer)?;
    Ok(empty(StatusCode::OK))
}
