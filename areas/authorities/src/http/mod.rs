//! mod-entities-links over HTTP: requests and responses, no decisions.

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

use axum::response::Response;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::{ApiError, Call, Paging, records_http};
use octavo_records::{StoreError, Totals};
use serde_json::{Map, Value};

/// The default limit of lists.
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
    let paging = paging(call)?;
    let page = records_http::page(call, call.collection(table), paging.search()).await;
    page.map_err(refusal::of_store)
}

/// What the collections of this area have in common.
pub const HOOKS: Hooks = Hooks {
    paging,
    body: |call, _| object(call).map(Value::Object),
    wording: |refused| refusal::of_store(refused.error),
    ..Hooks::NONE
};

/// The response for a refusal of the store, with the kind of record.
fn worded(refused: Refused<'_>, kind: &'static str) -> ApiError {
    match (&refused.error, refused.id) {
        (StoreError::NotFound, Some(id)) => refusal::not_found(kind, id),
        _ => refusal::of_store(refused.error),
    }
}

/// `query`, `offset` and `limit`; totals are always exact here.
fn paging(call: &Call) -> Result<Paging, ApiError> {
    Ok(Paging {
        totals: Totals::Exact,
        ..call.paging_with_default(LIMIT_DEFAULT)?
    })
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
