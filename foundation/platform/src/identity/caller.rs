//! The caller of a request: its token, the token's claims, and the identity that follows from them.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderMap, HeaderName, StatusCode};
use octavo_records::StoreError;
use serde_json::{Map, Value};

use crate::error::ApiError;
use crate::identity::Identity;
use crate::token::TokenError;
use crate::wire::header_names::TOKEN;

/// The cookie that carries the access token after `login-with-expiry`.
pub const ACCESS_COOKIE: &str = "folioAccessToken";
/// The cookie that carries the refresh token.
pub const REFRESH_COOKIE: &str = "folioRefreshToken";

/// Okapi's message for a request with two different tokens.
const DIFFERENT: &str =
    "Different tokens in Authentication and X-Okapi-Token. Use only one of them";

/// The token of a request: in Okapi's header, in `Authorization`, or in a cookie; several have to
/// be the same.
pub(crate) fn token(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let bearers = values(headers, &AUTHORIZATION).filter_map(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let places = values(headers, &TOKEN)
        .chain(bearers)
        .chain(cookies(headers, ACCESS_COOKIE));
    let mut found: Option<&str> = None;
    for token in places.filter(|token| !token.is_empty()) {
        if found.is_some_and(|earlier| earlier != token) {
            return Err(ApiError::bad_request(DIFFERENT));
        }
        found = Some(token);
    }
    Ok(found)
}

/// A value that is not text cannot be a token, but also differs from any other.
fn values<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> + use<'a> {
    let values = headers.get_all(name).iter();
    values.map(|value| value.to_str().unwrap_or("?").trim())
}

/// The values of all cookies with a name.
pub fn cookies<'a>(headers: &'a HeaderMap, name: &'static str) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(move |(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim().trim_matches('"'))
}

/// Okapi's response where the token has to name the tenant and cannot be parsed, whatever its
/// signature.
pub(crate) fn unreadable(token: &str) -> Option<ApiError> {
    let why = match token.split('.').nth(1) {
        Some(payload) if token.split('.').count() > 2 => {
            let bytes = URL_SAFE_NO_PAD.decode(payload.trim_end_matches('='));
            match bytes.map(|bytes| serde_json::from_slice::<Map<String, Value>>(&bytes)) {
                Ok(Ok(_)) => return None,
                Ok(Err(_)) => "Failed to decode",
                Err(_) => "Illegal base64 character",
            }
        }
        _ => "Missing . separator for token",
    };
    Some(ApiError::bad_request(format!("Invalid Token: {why}")))
}

pub(crate) fn invalid() -> ApiError {
    ApiError::text(StatusCode::UNAUTHORIZED, TokenError::Invalid.to_string())
}

/// Refuses a caller who lacks a permission.
pub(crate) fn require(name: &str, identity: Option<&Identity>) -> Result<(), ApiError> {
    let Some(identity) = identity else {
        return Err(ApiError::text(
            StatusCode::UNAUTHORIZED,
            format!("Token missing, access requires permission: {name}"),
        ));
    };
    if identity.grants.has(name) {
        return Ok(());
    }
    Err(ApiError::text(
        StatusCode::FORBIDDEN,
        format!(
            "Access for user '{}' ({}) requires permission: {name}",
            identity.claims.sub,
            identity
                .user_id
                .map_or_else(|| "null".to_owned(), |id| id.to_string())
        ),
    ))
}

pub(crate) fn shared_error(error: Arc<StoreError>) -> ApiError {
    match &*error {
        StoreError::Unavailable(outage, fault) => {
            StoreError::Unavailable(*outage, fault.clone()).into()
        }
        StoreError::Timeout(fault) => StoreError::Timeout(fault.clone()).into(),
        StoreError::Fault(fault) => ApiError::Internal(fault.clone()),
        other => ApiError::fault(other),
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue};

    use super::*;

    fn headers(lines: &[(&str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name: HeaderName = name.parse().expect("a name");
            headers.append(name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn a_token_is_found_wherever_it_stands() {
        for (lines, found) in [
            (&[][..], None),
            (&[("x-okapi-token", "a.b.c")], Some("a.b.c")),
            (&[("authorization", "Bearer a.b.c")], Some("a.b.c")),
            (&[("authorization", "bearer  a.b.c ")], Some("a.b.c")),
            (&[("authorization", "Basic YTpi")], None),
            (
                &[("cookie", "x=1; folioAccessToken=a.b.c; y=2")],
                Some("a.b.c"),
            ),
            (&[("cookie", "folioAccessToken=\"a.b.c\"")], Some("a.b.c")),
            (
                &[("cookie", "folioAccessToken=; folioRefreshToken=a")],
                None,
            ),
            (
                &[("cookie", "x=1"), ("cookie", "folioAccessToken=a")],
                Some("a"),
            ),
            (&[("x-okapi-token", "a"), ("x-okapi-token", "a")], Some("a")),
            (
                &[("x-okapi-token", "a"), ("authorization", "Bearer a")],
                Some("a"),
            ),
            (
                &[("x-okapi-token", "a"), ("cookie", "folioAccessToken=a")],
                Some("a"),
            ),
        ] {
            let headers = headers(lines);
            assert_eq!(token(&headers).ok(), Some(found), "{lines:?}");
        }
    }

    #[test]
    fn tokens_that_differ_are_refused() {
        for lines in [
            &[("x-okapi-token", "a"), ("x-okapi-token", "b")][..],
            &[("x-okapi-token", "a"), ("x-okapi-token", "\u{e9}")],
            &[("x-okapi-token", "a"), ("authorization", "Bearer b")],
            &[("authorization", "Bearer a"), ("authorization", "Bearer b")],
            &[("x-okapi-token", "a"), ("cookie", "folioAccessToken=b")],
            &[
                ("authorization", "Bearer a"),
                ("cookie", "folioAccessToken=b"),
            ],
            &[("cookie", "folioAccessToken=a; folioAccessToken=b")],
            &[
                ("cookie", "folioAccessToken=a"),
                ("cookie", "folioAccessToken=b"),
            ],
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in lines {
                let name: HeaderName = name.parse().expect("a name");
                let value = HeaderValue::from_bytes(value.as_bytes()).expect("a value");
                headers.append(name, value);
            }
            let refused = token(&headers).expect_err("two tokens");
            assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{lines:?}");
        }
    }
}
