//! `PUT` and `DELETE /circulation/requests/{id}`, and queues: read and reordered.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::id_at;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::{desk, overrides};
use crate::app::change_request::{Outcome, change_request};
use crate::app::delete_request::delete_request;
use crate::app::place::place;
use crate::app::reorder::reorder_queue;
use crate::config_cache::ConfigCache;
use crate::placing::PlaceRequest;
use crate::queue_upkeep::{Queue, QueueOf};
use crate::refusal::OverridableBlock;
use crate::request_change::WantedPosition;
use crate::store::view;

/// 204; the request is replaced. An unknown one is placed under the id.
///
/// # Errors
/// 400 when its status is invalid, 422 with the refusal.
pub async fn replace(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let Value::Object(mut sent) = call.json()? else {
        return Err(ApiError::bad_request("A request is an object"));
    };
    let desk = desk(&call, &cache);
    match change_request(desk, id.into(), &sent).await? {
        Outcome::Changed(_) => Ok(empty(StatusCode::NO_CONTENT)),
        Outcome::Unknown => {
            sent.insert("id".to_owned(), json!(id));
            let permissions = overrides(&call, &[OverridableBlock::Patron]);
            place(desk, &PlaceRequest::new(sent), &permissions).await?;
            Ok(empty(StatusCode::NO_CONTENT))
        }
    }
}

/// 204 after deleting the request.
///
/// # Errors
/// 404 without the request.
pub async fn delete(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    delete_request(desk(&call, &cache), call.id()?.into()).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 after deleting all requests.
pub async fn delete_all(call: Call) -> Result<Response, ApiError> {
    let store = call.store();
    let requests = store.catalog.get("request").ok_or(StoreError::NotFound)?;
    let all = "cql.allRecords=1";
    store.delete_matching(&call.tenant, requests, all).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 200 with the queue of an item.
pub async fn queue_of_item(call: Call) -> Result<Response, ApiError> {
    queue(&call, QueueOf::Item).await
}

/// 200 with the queue of a title.
pub async fn queue_of_title(call: Call) -> Result<Response, ApiError> {
    queue(&call, QueueOf::Title).await
}

async fn queue(call: &Call, of: QueueOf) -> Result<Response, ApiError> {
    let id = call.id()?;
    let database = &call.store().database;
    let requests = view::queue(database, call.tables(), Queue { of, id }).await?;
    Ok(shown(requests))
}

/// 200 with the queue of an item in its new order.
///
/// # Errors
/// 404 without requests, 422 with the refusal.
pub async fn reorder_item(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    reorder(&cache, &call, QueueOf::Item).await
}

/// 200 with the queue of a title in its new order.
///
/// # Errors
/// 404 without requests, 422 with the refusal.
pub async fn reorder_title(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    reorder(&cache, &call, QueueOf::Title).await
}

async fn reorder(cache: &ConfigCache, call: &Call, of: QueueOf) -> Result<Response, ApiError> {
    let id = call.id()?;
    let body = call.json()?;
    let wanted = body["reorderedQueue"].as_array().into_iter().flatten();
    let wanted: Vec<WantedPosition> = wanted
        .map(|one| WantedPosition {
            id: id_at(&one["id"]),
            place: one["newPosition"].as_i64(),
        })
        .collect();
    let requests = reorder_queue(desk(call, cache), Queue { of, id }, &wanted).await?;
    Ok(shown(requests))
}

fn shown(requests: Vec<Value>) -> Response {
    let total = requests.len();
    let page = json!({"requests": requests, "totalRecords": total});
    pretty(StatusCode::OK, &page)
}
