//! Answers in FOLIO's forms, and bodies of requests up to a limit.

use bytes::Bytes;
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Longer bodies are refused, except where they are not kept.
pub const BODY_BYTES_MAX: usize = 1024 * 1024;

/// Why a body ends before its end.
pub type BodyError = Box<dyn std::error::Error + Send + Sync>;

/// An answer.
pub type Response = http::Response<BoxBody<Bytes, BodyError>>;

/// What a request is answered with when it is not carried out.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    /// A sentence.
    Text(StatusCode, String),
    /// A property whose value will not do: message, name, value.
    Invalid(String, String, String),
}

impl Refusal {
    /// 400 with a sentence.
    pub fn bad_request(message: impl Into<String>) -> Refusal {
        Refusal::Text(StatusCode::BAD_REQUEST, message.into())
    }

    /// 404.
    pub fn not_found() -> Refusal {
        Refusal::Text(StatusCode::NOT_FOUND, "Not found".to_owned())
    }

    /// The answer that says it.
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

/// Any body as that of an answer.
pub fn boxed<B>(body: B) -> BoxBody<Bytes, BodyError>
where
    B: Body<Data = Bytes> + Send + Sync + 'static,
    B::Error: Into<BodyError>,
{
    body.map_err(Into::into).boxed()
}

/// A status without a body.
pub fn empty(status: StatusCode) -> Response {
    typed(status, None, Bytes::new())
}

/// Plain text.
pub fn text(status: StatusCode, text: impl Into<String>) -> Response {
    typed(status, Some("text/plain"), Bytes::from(text.into()))
}

/// JSON.
pub fn json(status: StatusCode, value: &Value) -> Response {
    typed(status, Some("application/json"), value.to_string().into())
}

/// JSON with the place of what was made.
pub fn made(value: &Value, location: &str) -> Response {
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

/// The body of a request as JSON.
///
/// # Errors
/// 413 when it is too large, 400 when it ends early or is no JSON, 422 when it is of another type.
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
    fn no_json_and_the_wrong_json_are_told_apart() {
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
