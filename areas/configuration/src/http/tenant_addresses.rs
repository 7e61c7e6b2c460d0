//! `/tenant-addresses`

use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused, Write};
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::{plain, settings_paging, small_json};

const LIMIT_DEFAULT: i64 = 50;

/// Addresses are refused in plain text, and a new one is answered with the stored record.
pub const HOOKS: Hooks = Hooks {
    paging: |call| settings_paging(call, LIMIT_DEFAULT),
    body: |call, _| small_json(call),
    before: complete,
    wording: refused,
    created: |_, _, stored| json_bytes(StatusCode::CREATED, stored),
    ..Hooks::NONE
};

fn complete(_: &Call, write: Write, address: &mut Value) -> Result<(), ApiError> {
    match address["name"].as_str() {
        Some(name) if !name.trim().is_empty() => {}
        _ => return Err(ApiError::bad_request("name missing")),
    }
    let given = address["id"].as_str().map(Uuid::try_parse);
    let is_id = given.is_some_and(|id| id.is_ok());
    // An id that is not a UUID is replaced by a new one; in a replacement the path's id counts.
    if (write != Write::Create || !is_id)
        && let Some(address) = address.as_object_mut()
    {
        address.remove("id");
    }
    Ok(())
}

fn refused(refused: Refused<'_>) -> ApiError {
    match refused.error {
        StoreError::Duplicate { field, .. } => {
            let key = if field == "id" { "id" } else { "name" };
            ApiError::text(
                StatusCode::UNPROCESSABLE_ENTITY,
                format!("{key} already exists"),
            )
        }
        other => plain(other),
    }
}
