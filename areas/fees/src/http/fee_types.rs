//! `/feefines`: automatic fee types cannot be changed.

use http::StatusCode;
use octavo_platform::records_http::{Hooks, Write};
use octavo_platform::{ApiError, Operation};
use serde_json::json;

use super::plain_lists;
use crate::app::record_rules::{AUTOMATIC_TYPE, AUTOMATIC_TYPES, is_automatic};

/// Automatic fee types are neither created, changed nor deleted.
pub const HOOKS: Hooks = Hooks {
    arrived: |call, operation| match operation {
        Operation::Replace | Operation::Delete if AUTOMATIC_TYPES.contains(&call.id()?) => {
            Err(automatic())
        }
        _ => Ok(()),
    },
    before: |_, write, fee_type| match write {
        Write::Create if is_automatic(fee_type.get("id")) => Err(automatic()),
        _ => Ok(()),
    },
    wording: plain_lists::wording,
    ..Hooks::NONE
};

fn automatic() -> ApiError {
    let error = json!({"message": AUTOMATIC_TYPE, "parameters": []});
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![error])
}
