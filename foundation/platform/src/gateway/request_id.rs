//! The id of a request, which its log lines and its response have.

use std::sync::atomic::{AtomicU32, Ordering};

use http::{HeaderMap, HeaderName, HeaderValue};

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-okapi-request-id");

/// A request id in FOLIO's form, `123456/users`; one that the client sent is kept.
pub(super) fn request_id(headers: &HeaderMap, path: &str) -> HeaderValue {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if let Some(given) = headers.get(REQUEST_ID)
        && given.len() <= 256
    {
        return given.clone();
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed) % 1_000_000;
    // By characters: a path may hold any UTF-8.
    let first: String = path
        .split('/')
        .nth(1)
        .unwrap_or_default()
        .chars()
        .take(64)
        .collect();
    let text = format!("{number:06}/{first}");
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("000000/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_ids_are_made_for_any_path_and_kept_when_given() {
        let none = HeaderMap::new();
        let made = request_id(&none, &format!("/a{}/b", "é".repeat(200)));
        let text = String::from_utf8_lossy(made.as_bytes()).into_owned();
        assert!(text.ends_with(&format!("/a{}", "é".repeat(63))), "{text}");
        let mut given = HeaderMap::new();
        given.insert(REQUEST_ID, HeaderValue::from_static("123456/users"));
        assert_eq!(request_id(&given, "/items"), "123456/users");
    }
}
