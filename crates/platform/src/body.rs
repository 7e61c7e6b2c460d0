//! Bodies of requests as JSON: what is none, and what no record can hold, is refused before any
//! handler sees it.

use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::error::ApiError;

/// How the character that no text in PostgreSQL has is written in JSON, behind the backslash. Unescaped
/// it is not JSON.
const ESCAPED_NUL: &[u8] = b"u0000";

/// Refuses a body that is announced as something other than JSON; one that is not announced is
/// taken as JSON. FOLIO's storage modules do so, its business modules take what they get.
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

/// A body as JSON.
///
/// # Errors
/// 400 when it is not JSON; 422 naming the property that holds U+0000.
pub(crate) fn json(body: &[u8]) -> Result<Value, ApiError> {
    let _span = octavo_trace::span("read the JSON");
    let value = serde_json::from_slice(body)
        .map_err(|error| ApiError::bad_request(format!("The body is not valid JSON: {error}")))?;
    // Looked for in the bytes first: hardly any body has it.
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

/// Whether a text or a name in it has the character; `path` then leads there.
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
        // The backslash is escaped: these are six other characters.
        assert!(json(br#"{"a": "\\u0000"}"#).is_ok());
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
