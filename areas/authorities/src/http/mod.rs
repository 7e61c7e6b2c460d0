//! mod-entities-links over HTTP: requests in, answers out; no decisions.

pub mod authorities;
pub mod jobs;
pub mod links;
pub mod note_types;
mod refusal;
pub mod rules;
pub mod settings;
pub mod source_files;
pub mod stats;
pub mod suggestions;
pub mod timers;
pub mod types;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call, records_http};
use octavo_records::Totals;
use serde_json::{Map, Value};

/// The limit of lists without one.
const LIMIT_DEFAULT: i64 = 100;

/// The body as an object.
fn object(call: &Call) -> Result<Map<String, Value>, ApiError> {
    match call.json()? {
        Value::Object(object) => Ok(object),
        _ => Err(refusal::invalid("must be of type object", "", "")),
    }
}

/// 200 with a page of a table's records.
async fn page(call: &Call, table: &str) -> Result<Response, ApiError> {
    let paging = call.paging_with_default(LIMIT_DEFAULT)?;
    let mut search = paging.search();
    search.totals = Totals::Exact;
    let collection = call.collection(table);
    let page = records_http::page(call, collection, search).await;
    page.map_err(refusal::of_store)
}

/// 200 with one record of a table.
async fn one(call: &Call, table: &str, kind: &'static str) -> Result<Response, ApiError> {
    let id = call.id()?;
    let found = call
        .store()
        .read(&call.tenant, call.collection(table), id)
        .await?;
    let found = found.ok_or_else(|| refusal::not_found(kind, id))?;
    Ok(json_bytes(StatusCode::OK, found))
}

fn flag(call: &Call, name: &str) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None | Some("" | "false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(refusal::bad(
            format!("'{name}' must be true or false"),
            name,
            other,
        )),
    }
}
