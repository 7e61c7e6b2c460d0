//! Answers in FOLIO's forms, and bodies of requests up to a limit.

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The largest body that is read into memory; bodies that are only streamed may be longer.
pub const BODY_BYTES_MAX: usize = 1024 * 1024;

/// Why a body ended early.
pub type BodyError = Box<dyn std::error::Error + Send + Sync>;

pub type Response = http::Response<BoxBody<Bytes, BodyError>>;

/// Why a request is refused.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    /// A message in plain text.
    Text(StatusCode, String),
    /// An invalid property: message, name, value.
    Invalid(String, String, String),
}

impl Refusal {
    /// 400 with a message in plain text.
    pub fn bad_request(message: impl Into<String>) -> Refusal {
        Refusal::Text(StatusCode::BAD_REQUEST, message.into())
    }

    pub fn not_found() -> Refusal {
        Refusal::Text(StatusCode::NOT_FOUND, "Not found".to_owned())
    }

    pub fn into_response(self) -> Response {
        match self {
            Refusal::Text(status, message) => text(status, message),
            Refusal::Invalid(message, key, value) => json(
                StatusCode::UNPROCESSABLE_ENTITY,
                &json!({"errors": [{"message": message, "type": "1", "code": "-1",
                        "parameters": [{"key": key, "value": value}]}], "total_records": 1}),
            ),
        }
    }
}

/// Boxes a body, so that all responses have one type.
pub fn boxed<B>(body: B) -> BoxBody<Bytes, BodyError>
where
    B: Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<BodyError>,
{
    body.map_err(Into::into).boxed()
}

pub fn empty(status: StatusCode) -> Response {
    typed(status, None, Bytes::new())
}

pub fn text(status: StatusCode, text: impl Into<String>) -> Response {
    typed(status, Some("text/plain"), Bytes::from(text.into()))
}

pub fn json(status: StatusCode, value: &Value) -> Response {
    typed(status, Some("application/json"), value.to_string().into())
}

/// 201 with the new record as JSON and its `Location`.
pub fn created(value: &Value, location: &str) -> Response {
    let mut response = json(StatusCode::CREATED, value);
    if let Ok(location) = HeaderValue::from_str(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

fn typed(status: StatusCode, kind: Option<&'static str>, bytes: Bytes) -> Response {
    let mut response = http::Response::new(boxed(Full::new(bytes)));
    *response.status_mut() = status;
    if let Some(kind) = kind {
        let kind = HeaderValue::from_static(kind);
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response
}

/// Reads the body of a request as JSON.
///
/// # Errors
/// 413 when it is too large, 400 when it ends early or is not JSON, 422 when it has another type.
pub async fn body<T: DeserializeOwned>(request: Request<Incoming>) -> Result<T, Refusal> {
    let limited = Limited::new(request.into_body(), BODY_BYTES_MAX);
    let bytes = match limited.collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            return Err(Refusal::Text(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("The request body is larger than {BODY_BYTES_MAX} bytes"),
            ));
        }
        Err(_) => return Err(Refusal::bad_request("The request body ended early")),
    };
    read(&bytes)
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Refusal::bad_request(format!("The body is not valid JSON: {error}")))?;
    serde_json::from_value(value)
        .map_err(|error| Refusal::Invalid(error.to_string(), String::new(), String::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_json_and_the_wrong_json_are_distinguished() {
        assert!(matches!(
            read::<u8>(b"{"),
            Err(Refusal::Text(StatusCode::BAD_REQUEST, _))
        ));
        assert!(matches!(
            read::<u8>(b"\"x\""),
            Err(Refusal::Invalid(message, ..)) if message.contains("string")
        ));
        assert_eq!(read::<u8>(b"7"), Ok(7));
    }
}
