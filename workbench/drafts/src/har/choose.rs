//! Chooses the entries of a recording that are requests to FOLIO, and the parts of them that a
//! draft sends.

use std::collections::BTreeMap;

use super::archive::{Entry, Request};
use crate::draft::DraftError;
use crate::login;
use crate::note::Notes;

const LEFT_OUT: &str = "requests left out";
const HEADERS: &str = "headers left out";

const STATIC_ENDINGS: [&str; 20] = [
    "js",
    "mjs",
    "css",
    "map",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "svg",
    "ico",
    "webp",
    "avif",
    "woff",
    "woff2",
    "ttf",
    "otf",
    "eot",
    "html",
    "wasm",
    "webmanifest",
];
const STATIC_RESOURCES: [&str; 8] = [
    "script",
    "stylesheet",
    "image",
    "font",
    "document",
    "media",
    "manifest",
    "websocket",
];
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"];

/// Headers that browser, connection or recording add by themselves.
const DROPPED: [&str; 22] = [
    "host",
    "connection",
    "content-length",
    "accept-encoding",
    "transfer-encoding",
    "keep-alive",
    "te",
    "trailer",
    "upgrade",
    "origin",
    "referer",
    "user-agent",
    "priority",
    "pragma",
    "cache-control",
    "dnt",
    "if-none-match",
    "if-modified-since",
    "purpose",
    "expect",
    "via",
    "x-forwarded-for",
];
/// Names of values that are secret.
const SECRET: [&str; 7] = [
    "cookie", "auth", "token", "secret", "password", "api-key", "apikey",
];

/// The chosen requests.
pub(super) struct Chosen<'a> {
    pub(super) entries: Vec<&'a Entry>,
    /// The path before FOLIO's own paths.
    pub(super) prefix: String,
}

/// Chooses the host that is FOLIO, and its requests that are not for static files.
pub(super) fn choose<'a>(
    entries: &'a [Entry],
    notes: &mut Notes,
) -> Result<Chosen<'a>, DraftError> {
    let Some(main) = main_host(entries) else {
        return Err(DraftError::NoRequest {
            reason: "no entry of the recording is a request that can be sent again; record \
                     the browser's work with FOLIO from the login on"
                .to_owned(),
        });
    };
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for entry in entries {
        let reason = match address(&entry.request.url) {
            None => Some("not HTTP".to_owned()),
            Some(_) if !METHODS.contains(&entry.request.method.to_uppercase().as_str()) => {
                Some(format!("the method {}", shown(&entry.request.method)))
            }
            Some(_) if is_static(entry) => Some("pages, scripts, styles, images, fonts".to_owned()),
            Some((host, _)) if host != main => Some(format!("another host, {}", shown(host))),
            Some(_) if entry.response.status <= 0 => Some("never answered".to_owned()),
            Some(_) => None,
        };
        match reason {
            Some(reason) => *left_out.entry(reason).or_default() += 1,
            None => chosen.push(entry),
        }
    }
    for (reason, count) in left_out {
        notes.add(0, LEFT_OUT, format!("{count}: {reason}"));
    }
    // Some browsers record requests in the order in which they end.
    if chosen.iter().all(|entry| entry.started_ms().is_some()) {
        chosen.sort_by_key(|entry| entry.started_ms());
    }
    let prefix = prefix(&chosen);
    if !prefix.is_empty() {
        let what = format!("FOLIO was at the path {prefix}; it belongs to --url");
        notes.add(0, "hosts", what);
    }
    Ok(Chosen {
        entries: chosen,
        prefix,
    })
}

fn shown(text: &str) -> String {
    let text: String = text
        .chars()
        .filter(|one| !one.is_control())
        .take(80)
        .collect();
    text
}

/// Host with port, and the rest.
fn address(url: &str) -> Option<(&str, &str)> {
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = &rest[..end];
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    (!host.is_empty()).then_some((host, &rest[end..]))
}

/// The host of the login, or otherwise the one with most FOLIO-like requests.
fn main_host(entries: &[Entry]) -> Option<&str> {
    let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries {
        let Some((host, rest)) = address(&entry.request.url) else {
            continue;
        };
        if login::is_login(&entry.request.method, rest) {
            return Some(host);
        }
        if is_static(entry) {
            continue;
        }
        let mut headers = entry.request.headers.iter();
        let is_folio = headers
            .any(|one| login::is_tenant_header(&one.name) || login::is_token_header(&one.name));
        let is_json = entry.response.content.kind.contains("json");
        let points = 1 + 1000 * usize::from(is_folio) + usize::from(is_json);
        *hosts.entry(host).or_default() += points;
    }
    let most = hosts.iter().max_by_key(|(_, points)| **points);
    most.map(|(host, _)| *host)
}

fn is_static(entry: &Entry) -> bool {
    if STATIC_RESOURCES.contains(&entry.resource.as_str()) {
        return true;
    }
    let path = address(&entry.request.url).map_or("", |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let kind = entry.response.content.kind.to_lowercase();
    let is_page = entry.request.method == "GET" && kind.starts_with("text/html");
    STATIC_ENDINGS.contains(&ending.to_lowercase().as_str())
        || ["image/", "font/", "audio/", "video/"]
            .iter()
            .any(|one| kind.starts_with(one))
        || kind.contains("javascript")
        || kind.contains("css")
        || (is_page && entry.response.status < 400)
}

/// The path before that of the login.
fn prefix(chosen: &[&Entry]) -> String {
    let login = chosen.iter().find_map(|entry| {
        let (_, rest) = address(&entry.request.url)?;
        let path = rest.split('?').next().unwrap_or_default();
        let is_login = login::is_login(&entry.request.method, path);
        let at = path
            .find("/authn/login")
            .or_else(|| path.find("/bl-users/login"))?;
        is_login.then(|| path[..at].to_owned())
    });
    login.unwrap_or_default()
}

/// The unencoded target, and its path for notes.
pub(super) fn target(url: &str, prefix: &str) -> (String, String) {
    let rest = address(url).map_or("/", |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    let rest = match rest.strip_prefix(prefix) {
        Some(inner) if inner.starts_with('/') => inner,
        _ => rest,
    };
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    let clean = |text: String| text.replace(|letter: char| letter.is_control(), " ");
    let path = clean(crate::jmx::decoded(path, false));
    let path = if path.starts_with('/') {
        path
    } else {
        format!("/{path}")
    };
    match query {
        Some(query) => {
            let query = clean(crate::jmx::decoded(query, true));
            (format!("{path}?{query}"), path)
        }
        None => (path.clone(), path),
    }
}

/// The headers that a draft sends.
pub(super) fn headers(request: &Request, notes: &mut Notes) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for header in &request.headers {
        let name = header.name.to_lowercase();
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if name.is_empty()
            || !name.bytes().all(is_token)
            || DROPPED.contains(&name.as_str())
            || name.starts_with("sec-")
            || name.starts_with("proxy-")
        {
            continue;
        }
        if SECRET.iter().any(|secret| name.contains(secret)) || login::is_token(&header.value) {
            if !login::is_token_header(&name) && name != "cookie" && name != "authorization" {
                let what = format!("`{name}`, because its value may be a secret");
                notes.add(0, HEADERS, what);
            }
            continue;
        }
        let value = header.value.replace(|letter: char| letter.is_control(), "");
        kept.retain(|(other, _)| *other != name);
        kept.push((name, crate::reference::literal(&value)));
    }
    if let Some(data) = &request.post_data
        && !data.kind.is_empty()
        && !kept.iter().any(|(name, _)| name == "content-type")
    {
        let kind = data.kind.replace(|letter: char| letter.is_control(), "");
        kept.push(("content-type".to_owned(), kind));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_unencoded_and_without_the_prefix() {
        let check = |url: &str, expected: &str| assert_eq!(target(url, "/okapi").0, expected);
        check(
            "https://h:9130/okapi/users?query=barcode%3D%3D%22a+b%22&limit=1#x",
            "/users?query=barcode==\"a b\"&limit=1",
        );
        check("https://h/okapi2/users", "/okapi2/users");
        check("https://h", "/");
    }

    #[test]
    fn hosts_stand_before_paths() {
        assert_eq!(address("https://u:p@h:1/a"), Some(("h:1", "/a")));
        assert_eq!(address("data:text/plain,x"), None);
    }
}
