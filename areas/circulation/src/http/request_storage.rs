//! `POST /request-storage/requests` and `PUT`: rules of FOLIO's storage beyond the shape.

use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};

/// Violations of the shape are refused first.
pub const HOOKS: Hooks = Hooks {
    before: |call, _, request| complete(call, request),
    ..Hooks::NONE
};

fn complete(call: &Call, request: &Value) -> Result<(), ApiError> {
    let shape = &call.collection("request").shape;
    if shape.check(&mut request.clone()).is_err() {
        return Ok(());
    }
    let errors = lacking(request);
    match errors.is_empty() {
        true => Ok(()),
        false => Err(ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors)),
    }
}

/// A request for an item names it with its holdings; one for a title names both or neither.
fn lacking(request: &Value) -> Vec<Value> {
    let (item, holdings) = (
        request["itemId"].is_string(),
        request["holdingsRecordId"].is_string(),
    );
    let mut messages = Vec::new();
    if request["requestLevel"] == "Item" {
        if !item {
            messages.push("Item ID in item level request should not be absent");
        }
        if !holdings {
            messages.push("Holdings record ID in item level request should not be absent");
        }
    } else if item != holdings {
        messages.push("Title level request must have both itemId and holdingsRecordId or neither");
    }
    let error = |message| json!({"message": message, "parameters": []});
    messages.into_iter().map(error).collect()
}
