//! Protection against cross-site requests from a logged-in browser: requests that a page of another
//! site can send are not accepted with a cookie, and responses carry headers against sniffing,
//! caching and referrers.

use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use crate::caller::{ACCESS_COOKIE, REFRESH_COOKIE, cookies};
use crate::error::ApiError;
use crate::wire::header_names::{TENANT, TOKEN};

/// A header that scripts send to prove that the request does not come from a form.
const REQUESTED_WITH: HeaderName = HeaderName::from_static("x-requested-with");
/// One year.
const TLS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Refuses a request that a page of another site can make a browser send without a preflight: a
/// POST that authenticates by a cookie alone, is not JSON, and has no header that such a page
/// cannot set.
///
/// # Errors
/// 403 naming what is missing.
pub(crate) fn refuse_forged(method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    // Browsers send a preflight before any other method that changes something.
    if *method != Method::POST {
        return Ok(());
    }
    let has_proof = [TOKEN, AUTHORIZATION, TENANT, REQUESTED_WITH]
        .iter()
        .any(|name| headers.contains_key(name));
    let is_json = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|essence| {
            let essence = essence.trim().to_ascii_lowercase();
            essence == "application/json" || essence.ends_with("+json")
        });
    if has_proof || is_json {
        return Ok(());
    }
    let by_cookie = [ACCESS_COOKIE, REFRESH_COOKIE]
        .into_iter()
        .any(|name| cookies(headers, name).next().is_some());
    if !by_cookie {
        return Ok(());
    }
    Err(ApiError::text(
        StatusCode::FORBIDDEN,
        "A request with a cookie has to be of Content-Type application/json, or to have the header \
         X-Okapi-Tenant or X-Requested-With: a page of another site can send none of these",
    ))
}

/// Sets the headers of a response that prevent content sniffing, referrers and caching.
pub(crate) fn mark(headers: &mut HeaderMap, strict_transport: bool) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // A response with an ETag may be cached and revalidated.
    if !headers.contains_key(CACHE_CONTROL) && !headers.contains_key(ETAG) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if strict_transport {
        headers.insert(STRICT_TRANSPORT_SECURITY, TLS_ONLY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(method: &Method, lines: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        refuse_forged(method, &headers).is_ok()
    }

    #[test]
    fn a_form_of_another_site_is_refused() {
        let cookie = ("cookie", "folioAccessToken=a.b.c");
        let refresh = ("cookie", "x=1; folioRefreshToken=a.b.c");
        for (method, lines, expected) in [
            (Method::POST, &[cookie][..], false),
            (Method::POST, &[refresh], false),
            (
                Method::POST,
                &[cookie, ("content-type", "text/plain")],
                false,
            ),
            (
                Method::POST,
                &[cookie, ("content-type", "text/plain; a=application/json")],
                false,
            ),
            (
                Method::POST,
                &[cookie, ("content-type", "application/json; charset=utf-8")],
                true,
            ),
            (Method::POST, &[cookie, ("x-okapi-tenant", "diku")], true),
            (Method::POST, &[cookie, ("x-requested-with", "fetch")], true),
            (Method::POST, &[cookie, ("x-okapi-token", "a.b.c")], true),
            (Method::POST, &[("cookie", "x=1")], true),
            (Method::GET, &[cookie], true),
            (Method::DELETE, &[cookie], true),
        ] {
            assert_eq!(taken(&method, lines), expected, "{method} {lines:?}");
        }
    }

    #[test]
    fn what_has_a_tag_may_be_kept() {
        let mut headers = HeaderMap::new();
        mark(&mut headers, false);
        assert_eq!(headers[CACHE_CONTROL], "no-store");
        assert!(!headers.contains_key(STRICT_TRANSPORT_SECURITY));
        let mut headers = HeaderMap::new();
        headers.insert(ETAG, HeaderValue::from_static("\"1\""));
        mark(&mut headers, true);
        assert!(!headers.contains_key(CACHE_CONTROL));
        assert_eq!(headers[STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    }
}
