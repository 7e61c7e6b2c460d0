//! `/remote-storage/configurations` and `/remote-storage/providers`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call, Operation, Paging};
use octavo_records::{StoreError, Totals};
use serde_json::{Value, json};

use super::parameters::{segment, window};
use super::refusal::{constraint, in_form, of_store, unreadable};
use crate::collections::CONFIGURATIONS;
use crate::rules::configuration::{PROVIDERS, lacks_delay};

/// The generic operations in mod-remote-storage's words.
pub const HOOKS: Hooks = Hooks {
    paging,
    id: |call| segment(call, "id"),
    body: |call, _| call.json(),
    before,
    wording,
    form: in_form,
    created: |_, _, stored| json_bytes(StatusCode::CREATED, stored),
    ..Hooks::NONE
};

/// A query is taken and not used.
fn paging(call: &Call) -> Result<Paging, ApiError> {
    let window = window(call)?;
    Ok(Paging {
        query: None,
        offset: window.offset,
        limit: window.limit,
        totals: Totals::Exact,
    })
}

fn before(_: &Call, write: Write, document: &mut Value) -> Result<(), ApiError> {
    if let Write::Replace(id) = write {
        let sent = document.get("id").and_then(Value::as_str);
        if sent.is_none_or(|sent| !sent.eq_ignore_ascii_case(&id.to_string())) {
            return Err(unreadable("request id and entity id are not equal"));
        }
    }
    match lacks_delay(document) {
        true => Err(constraint("accessionDelay must not be null")),
        false => Ok(()),
    }
}

fn wording(refused: Refused<'_>) -> ApiError {
    let missing = match refused.operation {
        // Without a body.
        Operation::Read => ApiError::text(StatusCode::NOT_FOUND, ""),
        _ => ApiError::text(StatusCode::NOT_FOUND, "Configuration not found"),
    };
    of_store(refused.error, missing)
}

/// 204, whether there was one or not. Its mappings stay.
///
/// # Errors
/// 400 when the id is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let collection = call.collection(CONFIGURATIONS);
    match call.store().delete(&call.tenant, collection, id).await {
        Ok(()) | Err(StoreError::NotFound) => Ok(empty(StatusCode::NO_CONTENT)),
        Err(error) => Err(error.into()),
    }
}

/// The systems that a configuration can name.
///
/// # Errors
/// None.
pub async fn providers(_: Call) -> Result<Response, ApiError> {
    let providers = PROVIDERS.map(|(id, name)| json!({"id": id, "name": name}));
    Ok(super::json(StatusCode::OK, &json!(providers)))
}
