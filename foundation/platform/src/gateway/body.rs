//! Request bodies: read within limits of size and time, and parsed as JSON. Malformed JSON and
//! values that no record can hold are rejected before any handler sees them.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::sync::SemaphorePermit;

use crate::error::ApiError;
use crate::gateway::admission::{Admission, too_many};
use crate::gateway::comments;
use crate::shares::{Party, Share, Shares};

/// The largest body of a public request, in bytes: a log-in, a user name.
pub const PUBLIC_BODY_BYTES_MAX: usize = 64 * 1024;
/// The time-out of such a body, which a client can send at once.
const PUBLIC_BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// What a request holds while its body is processed: a permit to be served, and a share of the
/// memory for bodies.
#[derive(Debug)]
pub(crate) struct BodyPermit<'a> {
    _place: SemaphorePermit<'a>,
    _bytes: Option<Share>,
}

/// Who sends a body, and whether the route is public.
pub(crate) struct Terms<'a> {
    pub party: &'a (dyn Fn() -> Party + Sync),
    pub is_public: bool,
}

/// The limits of a body.
struct Allowance<'a> {
    bytes_max: usize,
    patience: Duration,
    room: &'a Arc<Shares>,
}

impl<'a> Allowance<'a> {
    fn new(admission: &'a Admission, is_public: bool) -> Allowance<'a> {
        let limits = &admission.limits;
        match is_public {
            true => Allowance {
                bytes_max: limits.body_bytes.min(PUBLIC_BODY_BYTES_MAX),
                patience: limits.body_timeout.min(PUBLIC_BODY_TIMEOUT),
                room: &admission.public_bodies,
            },
            false => Allowance {
                bytes_max: limits.body_bytes,
                patience: limits.body_timeout,
                room: &admission.bodies,
            },
        }
    }
}

/// Reads the body of a request. The permit to be served is released meanwhile, so that a client
/// that sends slowly does not keep others out. Bodies of public requests are small and have a
/// memory budget of their own; when the budget is used up, its heaviest users lose their place, the
/// slowest first.
///
/// # Errors
/// 413 when it is too large, 408 when it takes too long, 400 when it ends early, 503 when there is
/// no memory or permit for it.
pub(crate) async fn read<'a>(
    admission: &'a Admission,
    headers: &HeaderMap,
    body: Body,
    place: SemaphorePermit<'a>,
    terms: Terms<'_>,
) -> Result<(Bytes, BodyPermit<'a>), ApiError> {
    let allowance = Allowance::new(admission, terms.is_public);
    if announced(headers).is_some_and(|length| length > allowance.bytes_max as u64) {
        return Err(too_large(allowance.bytes_max));
    }
    // No timer for the requests without a body, which are most.
    if body.is_end_stream() {
        let held = BodyPermit {
            _place: place,
            _bytes: None,
        };
        return Ok((Bytes::new(), held));
    }
    drop(place);
    let patience = allowance.patience;
    let collecting = collect(&allowance, body, &terms);
    let (body, bytes) = match tokio::time::timeout(patience, collecting).await {
        Ok(collected) => collected?,
        Err(_) => {
            return Err(ApiError::text(
                StatusCode::REQUEST_TIMEOUT,
                format!(
                    "The request body did not arrive within {} s",
                    patience.as_secs_f64()
                ),
            ));
        }
    };
    let place = admission.serving.try_acquire().map_err(|_| too_many())?;
    let held = BodyPermit {
        _place: place,
        _bytes: bytes,
    };
    Ok((body, held))
}

/// The length of a body that its head announces.
pub(crate) fn announced(headers: &HeaderMap) -> Option<u64> {
    let length = headers.get(CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

async fn collect(
    allowance: &Allowance<'_>,
    mut body: Body,
    terms: &Terms<'_>,
) -> Result<(Bytes, Option<Share>), ApiError> {
    let limit = allowance.bytes_max;
    let mut held: Option<Share> = None;
    // Most bodies arrive in one chunk, which is used without a copy.
    let (mut first, mut more) = (Bytes::new(), BytesMut::new());
    loop {
        let frame = match &held {
            None => body.frame().await,
            Some(share) => tokio::select! {
                frame = body.frame() => frame,
                () = share.asked_to_leave() => return Err(no_room()),
            },
        };
        let Some(frame) = frame else { break };
        let frame = frame.map_err(|_| ApiError::bad_request("The request body ended early"))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        let length = first.len() + more.len() + data.len();
        if length > limit {
            return Err(too_large(limit));
        }
        let is_whole = held.is_none() && body.is_end_stream();
        let at_once = is_whole.then(|| allowance.room.take(data.len())).flatten();
        match at_once {
            Some(share) => held = Some(share),
            None => {
                let entering = || allowance.room.enter((terms.party)());
                let share = held.get_or_insert_with(entering);
                share.grow(data.len()).await.map_err(|_| no_room())?;
                share.moved(data.len());
            }
        }
        if first.is_empty() && more.is_empty() {
            first = data;
        } else {
            if more.is_empty() {
                more.extend_from_slice(&first);
                first = Bytes::new();
            }
            more.extend_from_slice(&data);
        }
    }
    if let Some(share) = &held {
        share.settle();
    }
    let whole = if more.is_empty() {
        first
    } else {
        more.freeze()
    };
    Ok((whole, held))
}

fn no_room() -> ApiError {
    ApiError::Unavailable("Too many large requests are being served now; try again in a moment")
}

fn too_large(limit: usize) -> ApiError {
    ApiError::text(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("The request body is larger than the limit of {limit} bytes"),
    )
}

/// NUL escaped in JSON, behind the backslash; PostgreSQL's text cannot hold it. Unescaped it is not
/// JSON.
const ESCAPED_NUL: &[u8] = b"u0000";

/// Rejects a body whose content type is not JSON; without a content type it counts as JSON. FOLIO's
/// storage modules do so, its business modules accept any.
///
/// # Errors
/// 400 in FOLIO's words.
pub(crate) fn announced_as_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(announced) = headers.get(CONTENT_TYPE) else {
        return Ok(());
    };
    let announced = announced.to_str().unwrap_or("?");
    let essence = announced.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let shown: String = announced.chars().take(100).collect();
    Err(ApiError::bad_request(format!(
        "Content-type header must be [\"application/json\"] but it is \"{shown}\""
    )))
}

/// Parses a body as JSON. Text after the first document is ignored, as FOLIO's parsers do.
///
/// # Errors
/// 400 when it is not JSON; 422 naming the property that holds U+0000.
pub(crate) fn json(body: &[u8]) -> Result<Value, ApiError> {
    let _span = octavo_trace::span("read the JSON");
    storable(body, document(body).map_err(|error| not_json(&error))?)
}

/// The same for FOLIO's business modules, whose parser ignores comments.
///
/// # Errors
/// As [`json`].
pub(crate) fn json_with_comments(body: &[u8]) -> Result<Value, ApiError> {
    let _span = octavo_trace::span("read the JSON");
    let value = match document(body) {
        Err(error) if body.contains(&b'/') => {
            // The error has to be that of the original text, whose positions the client knows.
            document(&comments::blanked(body)).map_err(|_| not_json(&error))?
        }
        outcome => outcome.map_err(|error| not_json(&error))?,
    };
    storable(body, value)
}

fn document(body: &[u8]) -> Result<Value, serde_json::Error> {
    let mut documents = serde_json::Deserializer::from_slice(body).into_iter::<Value>();
    match documents.next() {
        Some(document) => document,
        // An empty body: the parser reports it.
        None => serde_json::from_slice(body),
    }
}

fn not_json(error: &serde_json::Error) -> ApiError {
    ApiError::bad_request(format!("The body is not valid JSON: {error}"))
}

fn storable(body: &[u8], value: Value) -> Result<Value, ApiError> {
    // Searches the bytes first, since hardly any body has the character.
    let mut escapes = body.split(|byte| *byte == b'\\').skip(1);
    if escapes.any(|escape| escape.starts_with(ESCAPED_NUL)) {
        let mut path = Vec::new();
        if holds_nul(&value, &mut path) {
            return Err(ApiError::invalid(
                "must not contain the character U+0000",
                path.join("."),
                "",
            ));
        }
    }
    Ok(value)
}

/// Whether a text or a name has the character; `path` is then its path.
fn holds_nul(value: &Value, path: &mut Vec<String>) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(elements) => elements.iter().enumerate().any(|(at, element)| {
            path.push(at.to_string());
            let found = holds_nul(element, path);
            if !found {
                path.pop();
            }
            found
        }),
        Value::Object(properties) => properties.iter().any(|(name, inner)| {
            path.push(name.replace('\0', "\u{fffd}").chars().take(100).collect());
            let found = name.contains('\0') || holds_nul(inner, path);
            if !found {
                path.pop();
            }
            found
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn refused(body: &str) -> (u16, String) {
        let error = json(body.as_bytes()).expect_err("it is refused");
        (error.status().as_u16(), format!("{error:?}"))
    }

    #[test]
    fn what_no_record_can_hold_is_named() {
        let (status, shown) = refused(r#"{"a": [{"b": "x\u0000y"}]}"#);
        assert_eq!(status, 422);
        assert!(shown.contains("a.0.b"), "{shown}");
        assert_eq!(refused(r#"{"a": {"b\u0000c": 1}}"#).0, 422);
        // The backslash is escaped, so these are six ordinary characters.
        assert!(json(br#"{"a": "\\u0000"}"#).is_ok());
    }

    #[test]
    fn what_stands_behind_a_document_is_not_looked_at() {
        for body in [
            "{\"a\": 1} and more",
            "{\"a\": 1}}",
            "{\"a\": 1}\n{\"b\": 2}",
        ] {
            let read = json(body.as_bytes()).expect("it is read");
            assert_eq!(read, serde_json::json!({"a": 1}), "{body}");
        }
        for body in ["", " ", "and {}", "{\"a\" 1}"] {
            assert_eq!(refused(body).0, 400, "{body}");
        }
    }

    #[test]
    fn comments_are_passed_over_where_folio_does() {
        let body = b"/* rules */ {\"a\": \"http://x/*y*/\", // the end\n \"b\": 1 /* 2 */ }";
        let read = json_with_comments(body).expect("it is read");
        assert_eq!(read, serde_json::json!({"a": "http://x/*y*/", "b": 1}));
        assert_eq!(refused("/* rules */ {}").0, 400);
        assert!(json_with_comments(b"/* without an end {}").is_err());
    }

    #[test]
    fn other_content_types_are_refused() {
        let mut headers = HeaderMap::new();
        assert!(announced_as_json(&headers).is_ok());
        for (sent, taken) in [
            ("application/json", true),
            ("Application/JSON; charset=UTF-8", true),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
        ] {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(sent));
            assert_eq!(announced_as_json(&headers).is_ok(), taken, "{sent}");
        }
    }
}
