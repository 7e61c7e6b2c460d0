//! `POST /request-storage/requests` and `PUT`: what FOLIO's storage asks of a request beyond its form.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::{ApiError, Call, Operation, records_http};
use octavo_records::StoreError;
use serde_json::{Value, json};

/// A new request.
///
/// # Errors
/// 422 when it does not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let request = call.record()?;
    generic(Operation::Create, call, request).await
}

/// A request stored in place of another, or as the first of its id.
///
/// # Errors
/// 422 when it does not fit.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let request = call.record()?;
    generic(Operation::Replace, call, request).await
}

async fn generic(
    operation: Operation,
    call: Call,
    mut request: Value,
) -> Result<Response, ApiError> {
    let requests = call.store().catalog.get("request").cloned();
    let requests = requests.ok_or(StoreError::NotFound)?;
    // What has not the form of a request is refused for that.
    if requests.shape.check(&mut request).is_ok() {
        let errors = lacking(&request);
        if !errors.is_empty() {
            return Err(refused(errors));
        }
    }
    records_http::run(operation, &requests, call).await
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

fn refused(errors: Vec<Value>) -> ApiError {
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors)
}
