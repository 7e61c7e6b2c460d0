//! `/print/entries`, `/mail` and the timer that merges letters.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::merge_letters::merge_letters;
use crate::app::print_entry::{Entry, create_entry, replace_entry};
use crate::app::print_letter::print_letter;
use crate::collections::PRINTING;
use crate::store::printing;

/// FOLIO's message may have undeclared properties.
static MESSAGE: LazyLock<Shape> = LazyLock::new(|| {
    let shape = Shape::parse(include_str!("../shapes/print_message.shape"));
    let mut shape = shape.expect("invariant: the shape is well formed");
    shape.root.open = true;
    shape
});

/// Maximal number of entries of one deletion.
const IDS_MAX: usize = 1_000;

/// One entry with its document.
///
/// # Errors
/// 404 when no record has this id.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let found = printing::entry(&call.store().database, &call.tenant, id).await?;
    let (mut entry, content) = found.ok_or_else(missing)?;
    entry["content"] = Value::String(content);
    Ok(pretty(StatusCode::OK, &entry))
}

/// A new entry: 204.
///
/// # Errors
/// 400 when it does not fit, or there is one of its id.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let entry = sent(&call)?;
    let id = entry.id;
    match create_entry(&call, entry).await? {
        true => Ok(empty(StatusCode::NO_CONTENT)),
        false => Err(ApiError::bad_request(format!(
            "Key (id)=({id}) already exists."
        ))),
    }
}

/// An entry changed: 204.
///
/// # Errors
/// 400 when it does not fit, 404 when no record has this id.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let entry = sent(&call)?;
    if entry.id != id {
        return Err(ApiError::bad_request("id mismatch"));
    }
    replace_entry(&call, entry).await.map_err(plain)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Entries of several ids deleted: 204. Missing ones are ignored.
///
/// # Errors
/// 400 when the ids are invalid.
pub async fn delete_several(call: Call) -> Result<Response, ApiError> {
    let given = call.parameter("ids")?.unwrap_or_default();
    let texts = given.split(',').map(str::trim);
    let ids: Result<Vec<Uuid>, _> = texts.map(Uuid::try_parse).collect();
    let Ok(ids) = ids else {
        return Err(ApiError::bad_request(
            "'ids' parameter is incorrect: it holds UUIDs, separated by commas",
        ));
    };
    if ids.len() > IDS_MAX {
        return Err(ApiError::bad_request(format!(
            "'ids' parameter is incorrect: it holds at most {IDS_MAX} UUIDs"
        )));
    }
    printing::delete(&call.writer().database, &call.tenant, &ids).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// A message that becomes a letter: 200 with the id of its entry.
///
/// # Errors
/// 400 when it has no text.
pub async fn mail(call: Call) -> Result<Response, ApiError> {
    let message = fitting(call.json()?, &MESSAGE)?;
    let text = |name: &str| message[name].as_str();
    let id = Uuid::new_v4();
    let body = text("body").unwrap_or_default();
    print_letter(&call, id, text("to"), (body, text("outputFormat"))).await?;
    Ok(pretty(StatusCode::OK, &json!({"id": id})))
}

/// Merges the letters of the last day: 204.
pub async fn merge(call: Call) -> Result<Response, ApiError> {
    let made = merge_letters(&call).await?;
    if made > 0 {
        tracing::info!(
            tenant = call.tenant.id(),
            made,
            "letters were put together for printing"
        );
    }
    Ok(empty(StatusCode::NO_CONTENT))
}

fn sent(call: &Call) -> Result<Entry, ApiError> {
    let collection = call.store().catalog.get(PRINTING);
    let collection = collection.expect("invariant: notices declares its own tables");
    let sent = fitting(call.json()?, &collection.shape)?;
    Entry::sent(sent).ok_or_else(|| ApiError::bad_request("created: must be an instant"))
}

/// mod-batch-print refuses with 400 and a message.
fn fitting(body: Value, shape: &Shape) -> Result<Value, ApiError> {
    let mut body = body;
    let checked = shape.check(&mut body);
    checked.map_err(|violations| plain(StoreError::Invalid(violations)))?;
    Ok(body)
}

fn plain(error: StoreError) -> ApiError {
    match error {
        StoreError::NotFound => missing(),
        StoreError::Invalid(violations) => {
            let wrong: Vec<String> = violations
                .iter()
                .map(|one| format!("{}: {}", one.path, one.message))
                .collect();
            ApiError::bad_request(format!("invalid request body: {}", wrong.join(", ")))
        }
        other => other.into(),
    }
}

fn missing() -> ApiError {
    ApiError::text(StatusCode::NOT_FOUND, "Not Found")
}
