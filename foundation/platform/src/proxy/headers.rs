//! The headers that remote modules receive, and those of their responses that clients receive.

use http::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, TE, TRAILER, TRANSFER_ENCODING,
    UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use jiff::Timestamp;

use crate::caller::{ACCESS_COOKIE, REFRESH_COOKIE};
use crate::wire::header_names::{TENANT, TOKEN};

/// The prefix of Okapi's headers.
const OKAPI: &str = "x-okapi-";
/// This server's own cookies, which modules do not get.
const OUR_COOKIES: [&str; 2] = [ACCESS_COOKIE, REFRESH_COOKIE];
const USER_ID: HeaderName = HeaderName::from_static("x-okapi-user-id");
const URL: HeaderName = HeaderName::from_static("x-okapi-url");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-okapi-request-id");
const REQUEST_METHOD: HeaderName = HeaderName::from_static("x-okapi-request-method");
const REQUEST_TIMESTAMP: HeaderName = HeaderName::from_static("x-okapi-request-timestamp");
const PERMISSIONS: HeaderName = HeaderName::from_static("x-okapi-permissions");
/// Headers that concern one connection only.
const HOP_BY_HOP: [HeaderName; 7] = [
    CONNECTION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
];

/// The content of the gateway's headers to a remote module.
#[derive(Debug)]
pub(super) struct ForwardedContext<'a> {
    pub tenant: &'a str,
    pub token: &'a str,
    pub user_id: Option<String>,
    pub url: &'a str,
    pub request_id: Option<&'a HeaderValue>,
    pub method: &'a str,
    /// Those of the desired permissions that the caller holds.
    pub permissions: Vec<&'a str>,
}

/// A client's headers as a module receives them: Okapi's headers from the client are replaced.
pub(super) fn inward(client: &HeaderMap, context: &ForwardedContext<'_>) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(client.len() + 8);
    let connection = named_by_connection(client);
    for (name, value) in client {
        let ours = name.as_str().starts_with(OKAPI)
            || HOP_BY_HOP.contains(name)
            || connection.contains(name)
            || [HOST, CONTENT_LENGTH, AUTHORIZATION].contains(name);
        if ours {
            continue;
        }
        if *name == COOKIE {
            if let Some(rest) = without_ours(value) {
                headers.append(COOKIE, rest);
            }
            continue;
        }
        headers.append(name.clone(), value.clone());
    }
    set(&mut headers, TENANT, context.tenant);
    set(&mut headers, TOKEN, context.token);
    set(&mut headers, URL, context.url);
    set(&mut headers, REQUEST_METHOD, context.method);
    set(
        &mut headers,
        REQUEST_TIMESTAMP,
        &Timestamp::now().as_millisecond().to_string(),
    );
    if let Some(user_id) = &context.user_id {
        set(&mut headers, USER_ID, user_id);
    }
    if let Some(id) = context.request_id {
        headers.insert(REQUEST_ID, id.clone());
    }
    if !context.permissions.is_empty()
        && let Ok(list) = serde_json::to_string(&context.permissions)
    {
        set(&mut headers, PERMISSIONS, &list);
    }
    headers
}

/// A module's headers as the client receives them.
pub(super) fn outward(module: &mut HeaderMap) {
    let connection = named_by_connection(module);
    for name in HOP_BY_HOP.iter().chain(&connection) {
        module.remove(name);
    }
    let inner: Vec<HeaderName> = module
        .keys()
        .filter(|name| name.as_str().starts_with(OKAPI) && **name != TOKEN)
        .cloned()
        .collect();
    for name in inner {
        module.remove(&name);
    }
}

/// Takes over a filter's changes of a request's headers: all that begin with `X-`, except Okapi's.
pub(super) fn take_over(request: &mut HeaderMap, filter: &HeaderMap) {
    for (name, value) in filter {
        if name.as_str().starts_with("x-") && !name.as_str().starts_with(OKAPI) {
            request.insert(name.clone(), value.clone());
        }
    }
}

pub(super) fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

fn named_by_connection(headers: &HeaderMap) -> Vec<HeaderName> {
    let values = headers.get_all(CONNECTION).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect()
}

fn without_ours(cookies: &HeaderValue) -> Option<HeaderValue> {
    let text = cookies.to_str().ok()?;
    let ours = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default().trim();
        OUR_COOKIES.contains(&name)
    };
    let rest: Vec<&str> = text
        .split(';')
        .map(str::trim)
        .filter(|pair| !ours(pair))
        .collect();
    let rest = rest.join("; ");
    (!rest.is_empty())
        .then(|| HeaderValue::try_from(rest).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut made = HeaderMap::new();
        for (name, value) in pairs {
            made.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        made
    }

    #[test]
    fn clients_cannot_speak_for_the_gateway() {
        let client = headers(&[
            ("accept", "application/json"),
            ("authorization", "Bearer the-users-token"),
            ("connection", "keep-alive, x-secret"),
            ("content-length", "17"),
            ("cookie", "a=1; folioAccessToken=the-users-token; b=2"),
            ("host", "example.org"),
            ("x-okapi-permissions", "[\"all\"]"),
            ("x-okapi-user-id", "somebody else"),
            ("x-okapi-token", "the-users-token"),
            ("x-secret", "hop"),
            ("x-forwarded-for", "10.0.0.1"),
        ]);
        let context = ForwardedContext {
            tenant: "diku",
            token: "the-modules-token",
            user_id: Some("7".to_owned()),
            url: "http://localhost:9130",
            request_id: None,
            method: "GET",
            permissions: vec!["a.b"],
        };
        let sent = inward(&client, &context);
        let text = format!("{sent:?}");
        assert!(
            !text.contains("the-users-token") && !text.contains("somebody else"),
            "{text}"
        );
        for (name, value) in [
            ("accept", Some("application/json")),
            ("cookie", Some("a=1; b=2")),
            ("x-okapi-tenant", Some("diku")),
            ("x-okapi-token", Some("the-modules-token")),
            ("x-okapi-user-id", Some("7")),
            ("x-okapi-permissions", Some("[\"a.b\"]")),
            ("x-forwarded-for", Some("10.0.0.1")),
            ("connection", None),
            ("x-secret", None),
            ("content-length", None),
            ("host", None),
        ] {
            let found = sent.get(name).and_then(|value| value.to_str().ok());
            assert_eq!(found, value, "{name}");
        }
    }

    #[test]
    fn what_modules_report_to_the_gateway_stays_inside() {
        let mut answer = headers(&[
            ("connection", "close"),
            ("content-type", "application/json"),
            ("x-okapi-module-tokens", "{}"),
            ("x-okapi-token", "a new one"),
            ("x-total", "3"),
        ]);
        outward(&mut answer);
        let mut names: Vec<&str> = answer.keys().map(HeaderName::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["content-type", "x-okapi-token", "x-total"]);
    }
}
