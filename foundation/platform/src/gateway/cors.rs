//! Cross-origin requests (CORS): preflights are answered here without a token and without the
//! database.

use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::respond::empty;

const METHODS: HeaderValue = HeaderValue::from_static("PUT,PATCH,DELETE,GET,POST");
const HEADERS: HeaderValue = HeaderValue::from_static(
    "content-type,x-okapi-tenant,x-okapi-token,authorization,x-okapi-request-id,x-okapi-module-id,\
     x-octavo-position,x-octavo-trace",
);
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "location,etag,x-okapi-trace,x-okapi-token,authorization,x-okapi-request-id,x-okapi-tenant,\
     server-timing,x-octavo-position,x-octavo-trace,x-octavo-trace-id",
);
/// Two hours, the longest that any browser caches a preflight.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// 204 to any `OPTIONS` request.
#[must_use]
pub fn preflight(origin: Option<&HeaderValue>, is_listed: bool) -> Response {
    let mut response = empty(StatusCode::NO_CONTENT);
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    allow(headers, origin, is_listed);
    response
}

/// Whether pages of an origin may send cookies and read the responses.
#[must_use]
pub fn is_listed(origins: &[String], origin: Option<&HeaderValue>) -> bool {
    let origin = origin.and_then(|origin| origin.to_str().ok());
    origin.is_some_and(|origin| origins.iter().any(|one| one.eq_ignore_ascii_case(origin)))
}

/// Lets the requesting page read a response: with cookies for a listed origin, which has to be
/// named; for any other origin without cookies, so that the page has to send a token of its own.
pub fn allow(headers: &mut HeaderMap, origin: Option<&HeaderValue>, is_listed: bool) {
    let Some(origin) = origin else { return };
    if is_listed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(
            ACCESS_CONTROL_ALLOW_CREDENTIALS,
            HeaderValue::from_static("true"),
        );
    } else {
        let anybody = HeaderValue::from_static("*");
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.insert(VARY, HeaderValue::from_static("origin"));
}
