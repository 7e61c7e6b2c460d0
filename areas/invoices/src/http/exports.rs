//! `/batch-voucher/…`: exports of vouchers.

use std::sync::Arc;

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_platform::respond::{created, empty, json_bytes, pretty, pretty_text};
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::{OperationError, StoreError};
use serde_json::{Value, json};

use super::refusal::listed;
use crate::app::exports::{self, Exports};
use crate::app::upload::{self, Unusable};
use crate::refusal::{Code, Refusal};
use crate::rules::batch_voucher::xml;

/// A new export, which runs in the background.
///
/// # Errors
/// 422 when it does not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = call.record().map_err(listed)?;
    let made = exports::submit(&call.writer_context(), sent).await;
    let (id, stored) = made.map_err(|error| listed(error.into()))?;
    call.begin_work(Arc::new(Exports));
    let location = format!("/batch-voucher/batch-voucher-exports/{id}");
    Ok(created(pretty_text(&stored).into(), &location))
}

/// The exports that are due by the clock begin: 202, or 204 when there are none.
///
/// # Errors
/// When the database does not answer.
pub async fn scheduled(call: Call) -> Result<Response, ApiError> {
    let made = exports::submit_due(&call.writer_context()).await;
    match made.map_err(|error| listed(error.into()))? {
        0 => Ok(empty(StatusCode::NO_CONTENT)),
        _ => {
            call.begin_work(Arc::new(Exports));
            Ok(pretty(StatusCode::ACCEPTED, &json!({})))
        }
    }
}

/// An export is uploaded once more.
///
/// # Errors
/// 404 when there is none.
pub async fn upload_again(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("id");
    let id = uuid::Uuid::try_parse(id)
        .map_err(|_| listed(octavo_platform::incorrect("id", id, "must be a UUID")))?;
    let export = exports::upload_again(&call.writer_context(), id).await;
    let export = export.map_err(|error| listed(error.into()))?;
    call.begin_work(Arc::new(Exports));
    Ok(pretty(StatusCode::ACCEPTED, &export))
}

/// Goes on with exports that another process left.
///
/// # Errors
/// When the database does not answer.
pub async fn go_on(call: Call) -> Result<Response, ApiError> {
    call.begin_work(Arc::new(Exports));
    Ok(empty(StatusCode::ACCEPTED))
}

/// A batch voucher, in JSON or XML as the client accepts it.
///
/// # Errors
/// 404 when there is none, 400 when the client accepts neither.
pub async fn batch_voucher(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let collection = call.collection("batch_vouchers");
    let found = call.store().read(&call.tenant, collection, id).await;
    let found = found.map_err(|error: StoreError| listed(error.into()))?;
    let Some(stored) = found else {
        let refusal = Refusal::missing(Code::BatchVoucherNotFound);
        return Err(OperationError::from(refusal).into());
    };
    let accepts = call.headers.get(header::ACCEPT);
    let accepts = accepts
        .and_then(|value| value.to_str().ok())
        .unwrap_or("*/*");
    if accepts.contains("application/xml") {
        let batch: Value = serde_json::from_slice(&stored)?;
        let mut response = json_bytes(StatusCode::OK, xml(&batch));
        let kind = HeaderValue::from_static("application/xml");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        return Ok(response);
    }
    match accepts.contains("application/json") || accepts.contains('*') {
        true => Ok(json_bytes(StatusCode::OK, stored)),
        false => Err(listed(ApiError::bad_request(
            "Accept header must be [\"application/xml\",\"application/json\"]",
        ))),
    }
}

impl Answer for Unusable {
    fn answer(self) -> ApiError {
        ApiError::text(StatusCode::FORBIDDEN, self.0)
    }
}

/// Tries the credentials of a configuration at its server.
///
/// # Errors
/// 404 when there is no such configuration, 403 when something is missing or the server refuses.
pub async fn try_credentials(call: Call) -> Result<Response, ApiError> {
    let id = call.id().map_err(listed)?;
    let tried = upload::try_credentials(&call.writer_context(), id).await;
    let server = tried.map_err(|error| listed(error.into()))?;
    let message = format!("The log-in at {server} succeeded");
    Ok(pretty(StatusCode::OK, &json!({ "message": message })))
}
