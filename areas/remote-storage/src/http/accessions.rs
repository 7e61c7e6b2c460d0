//! `/remote-storage/accessions`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{Answer, ApiError, Call};

use super::parameters::{created, flag, id, segment, window};
use super::refusal::in_form;
use crate::app::mark_done::{Done, mark_done};
use crate::app::take_in::take_in;
use crate::rules::body::Body;
use crate::store::queues::{ACCESSIONS, Narrowed, Rows};

/// 200 with a page.
///
/// # Errors
/// 400 for a parameter that cannot be read.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let narrowed = Narrowed {
        done: flag(&call, "accessioned")?,
        storage: id(&call, "storageId")?,
        created: created(&call)?,
    };
    let page = ACCESSIONS.page(call.store(), call.tables(), narrowed, window(&call)?);
    Ok(json_bytes(StatusCode::OK, page.await?))
}

/// 201 with the row of an item that the storage has taken in.
///
/// # Errors
/// 400 when the item cannot get the storage's location.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = call.json().map_err(in_form)?;
    let mut body = Body::new(&sent);
    let read = (body.text("itemBarcode"), body.id("remoteStorageId"));
    let (barcode, storage) = body.done(read).map_err(Answer::answer)?;
    let row = take_in(&call.context(), storage, &barcode).await?;
    Ok(json_bytes(StatusCode::CREATED, row))
}

/// 204 when the row was open.
///
/// # Errors
/// 404 when there is none.
pub async fn done_by_id(call: Call) -> Result<Response, ApiError> {
    let row = Rows::Id(segment(&call, "accessionId")?);
    mark_done(&call.context(), Done::Accession(row)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 when the item had open rows.
///
/// # Errors
/// 404 when it had none.
pub async fn done_by_barcode(call: Call) -> Result<Response, ApiError> {
    let rows = Rows::Barcode(call.segment("barcode"));
    mark_done(&call.context(), Done::Accession(rows)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
