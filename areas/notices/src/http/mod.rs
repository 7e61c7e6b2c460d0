//! The interfaces of notices over HTTP: requests and responses, no decisions.

pub mod email;
pub mod email_settings;
pub mod message_delivery;
pub mod notifications;
pub mod printing;
pub mod smtp_configuration;
pub mod template_request;
pub mod templates;
pub mod timers;

use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_platform::ApiError;
use octavo_records::{Shape, StoreError};
use serde_json::Value;

use crate::app::Failure;

/// The response of most modules here: 400 with a message.
fn refused(failure: Failure) -> ApiError {
    match failure {
        Failure::Unrendered(error) => ApiError::bad_request(error.to_string()),
        Failure::Refused(message) => ApiError::bad_request(message),
        Failure::Invalid(violations) => StoreError::Invalid(violations).into(),
        Failure::Store(error) => error.into(),
    }
}

/// A body that fits a shape.
fn fitting(mut body: Value, shape: &Shape) -> Result<Value, ApiError> {
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    Ok(body)
}

fn text(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}
