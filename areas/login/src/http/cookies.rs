//! The cookies that carry tokens: set and cleared.

use axum::response::Response;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::Timestamp;
use octavo_platform::caller::{ACCESS_COOKIE, REFRESH_COOKIE, cookies};
use octavo_platform::respond::pretty;
use octavo_platform::token::SameSite;
use octavo_platform::{ApiError, Call};
use serde_json::json;

use crate::app::sign::Tokens;

/// The path of each cookie: browsers send the refresh token only to `/authn`.
const COOKIES: [(&str, &str); 2] = [(ACCESS_COOKIE, "/"), (REFRESH_COOKIE, "/authn")];

/// 201 with the tokens in cookies and their expirations in the body.
pub fn with_tokens(call: &Call, tokens: &Tokens) -> Result<Response, ApiError> {
    let body = json!({
        "accessTokenExpiration": instant(tokens.access_ends),
        "refreshTokenExpiration": instant(tokens.refresh_ends),
    });
    let mut response = pretty(StatusCode::CREATED, &body);
    let now = Timestamp::now();
    let values = [
        (&tokens.access, tokens.access_ends),
        (&tokens.refresh, tokens.refresh_ends),
    ];
    for ((name, path), (token, ends)) in COOKIES.into_iter().zip(values) {
        let cookie = set(
            name,
            path,
            token,
            ends,
            now,
            call.platform.identities.login.same_site,
        );
        let value = HeaderValue::try_from(cookie).map_err(|error| ApiError::fault(error))?;
        response.headers_mut().append(SET_COOKIE, value);
    }
    Ok(response)
}

fn set(
    name: &str,
    path: &str,
    token: &str,
    ends: Timestamp,
    now: Timestamp,
    same_site: SameSite,
) -> String {
    let seconds = (ends.as_second() - now.as_second()).max(1);
    let expires = ends.strftime("%a, %d %b %Y %H:%M:%S GMT");
    format!(
        "{name}={token}; Max-Age={seconds}; Expires={expires}; Path={path}; Secure; HttpOnly; \
         SameSite={same_site}"
    )
}

/// Clears both cookies.
pub fn clear(mut response: Response) -> Response {
    for (name, path) in COOKIES {
        let cookie = format!(
            "{name}=; SameSite=None; Secure; Path={path}; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        );
        if let Ok(value) = HeaderValue::try_from(cookie) {
            response.headers_mut().append(SET_COOKIE, value);
        }
    }
    response
}

/// The refresh token among the cookies. Two different ones are refused as ambiguous.
pub fn refresh_token(headers: &HeaderMap) -> Result<Option<&str>, ()> {
    let mut found = None;
    for token in cookies(headers, REFRESH_COOKIE) {
        if found.is_some_and(|earlier| earlier != token) {
            return Err(());
        }
        found = Some(token);
    }
    Ok(found.filter(|token| !token.is_empty()))
}

/// A token's expiration as FOLIO writes it: whole seconds, `2026-01-02T03:04:05Z`.
pub fn instant(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_are_set_as_folio_sets_them() {
        let now = Timestamp::from_second(1_706_022_349).expect("an instant");
        let ends = Timestamp::from_second(1_706_022_949).expect("an instant");
        assert_eq!(
            set("folioAccessToken", "/", "a.b.c", ends, now, SameSite::Lax),
            "folioAccessToken=a.b.c; Max-Age=600; Expires=Tue, 23 Jan 2024 15:15:49 GMT; Path=/; \
             Secure; HttpOnly; SameSite=Lax"
        );
        assert_eq!(instant(ends), "2024-01-23T15:15:49Z");
    }
}
