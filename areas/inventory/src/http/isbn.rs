//! `/isbn/…`: conversion between the two lengths, and check digits.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::json;

use crate::rules::isbn::{is_valid_10, is_valid_13, to_10, to_13};
use crate::rules::isbn_groups::hyphenated;

/// Maximal number of characters of the input quoted in an error.
const QUOTED_CHARS_MAX: usize = 100;

/// GET: an ISBN in thirteen digits. One that has them comes back as it was sent.
///
/// # Errors
/// 400 when it is none.
pub async fn convert_to_13(call: Call) -> Result<Response, ApiError> {
    convert(&call, |isbn| match is_valid_13(isbn) {
        true => Some(isbn.to_owned()),
        false => to_13(isbn),
    })
}

/// GET: an ISBN in ten digits. One that has them comes back as it was sent.
///
/// # Errors
/// 400 when it is none, or has no form of ten digits.
pub async fn convert_to_10(call: Call) -> Result<Response, ApiError> {
    convert(&call, |isbn| match is_valid_10(isbn) {
        true => Some(isbn.to_owned()),
        false => to_10(isbn),
    })
}

fn convert(call: &Call, by: impl Fn(&str) -> Option<String>) -> Result<Response, ApiError> {
    let sent = call.parameter("isbn")?;
    let sent = sent.ok_or_else(|| ApiError::bad_request("Isbn must be specified"))?;
    let hyphens = match call.parameter("hyphens")? {
        None => false,
        Some(text) if text.eq_ignore_ascii_case("true") => true,
        Some(text) if text.eq_ignore_ascii_case("false") => false,
        Some(_) => return Err(ApiError::bad_request("Hyphens must be true or false")),
    };
    let shown: String = sent.chars().take(QUOTED_CHARS_MAX).collect();
    let converted =
        by(&sent).ok_or_else(|| ApiError::bad_request(format!("ISBN value {shown} is invalid")))?;
    let isbn = match hyphens {
        false => converted,
        true => hyphenated(&converted).ok_or_else(|| {
            ApiError::bad_request(format!(
                "ISBN value {shown} cannot be hyphenated: it is of a range that is not given out; \
                 ask for it without hyphens"
            ))
        })?,
    };
    Ok(pretty(StatusCode::OK, &json!({"isbn": isbn})))
}

/// GET: whether a text is an ISBN, of ten digits, of thirteen, or of either.
///
/// # Errors
/// 400 unless exactly one of the three parameters is given, and nothing else.
pub async fn validate(call: Call) -> Result<Response, ApiError> {
    let given = call.query.split('&').filter(|pair| !pair.is_empty());
    let value = |name: &str| match given.clone().count() {
        1 => call.parameter(name),
        _ => Ok(None),
    };
    let is_valid = if let Some(isbn) = value("isbn")? {
        is_valid_10(&isbn) || is_valid_13(&isbn)
    } else if let Some(isbn) = value("isbn10")? {
        is_valid_10(&isbn)
    } else if let Some(isbn) = value("isbn13")? {
        is_valid_13(&isbn)
    } else {
        return Err(ApiError::bad_request(
            "Only one of following query params must be specified: isbn, isbn10, isbn13",
        ));
    };
    Ok(pretty(StatusCode::OK, &json!({"isValid": is_valid})))
}
