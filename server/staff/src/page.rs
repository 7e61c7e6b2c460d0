//! Which file answers a request, and with which headers. Pure: a request's head in, a response out.

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION, VARY, X_FRAME_OPTIONS,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use crate::files::File;

const ROOT: &str = "/staff/";
/// Vite puts a hash of the content into the names of files here.
const HASHED: &str = "assets/";
/// Pictures of users may lie elsewhere: libraries note an address in the record (docs/decisions/0051).
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     font-src 'self'; img-src 'self' data: https:; worker-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
);
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Stored, but asked for again each time: the answer is mostly 304.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");
const ABSENT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Octavo</title>\
    <h1>Built without the staff client</h1><p>This program was built without the staff client. \
    Run <code>make ui</code> (it needs Node 20.19 or later), then build the program again.</p></html>";

/// What a request of the client asks for.
#[derive(Debug)]
pub(crate) enum Found {
    Page(Response),
    /// What the client has to know before anybody has logged in.
    Installation,
}

/// The answer to a request of a browser; none for requests to the API.
pub(crate) fn find(files: &'static [File], request: &Parts) -> Option<Found> {
    if request.method != Method::GET && request.method != Method::HEAD {
        return None;
    }
    let page = match request.uri.path() {
        // Clients of the API get its 404 here.
        "/" if accepts_html(&request.headers) => redirect(),
        "/staff" => redirect(),
        path => match path.strip_prefix(ROOT)? {
            "installation.json" => return Some(Found::Installation),
            path => file(files, path, &request.headers),
        },
    };
    Some(Found::Page(page))
}

fn file(files: &'static [File], path: &str, headers: &HeaderMap) -> Response {
    // Any other path is a place within the client, which its own router knows.
    let named = File::named(files, path);
    let is_hashed = path.starts_with(HASHED);
    let Some(file) = named.or_else(|| match is_hashed {
        true => None,
        false => File::named(files, "index.html"),
    }) else {
        return match is_hashed {
            true => text(StatusCode::NOT_FOUND, "text/plain", "There is no such file"),
            false => text(StatusCode::NOT_FOUND, "text/html; charset=utf-8", ABSENT),
        };
    };
    let is_known = headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .any(|tag| tag.trim().trim_start_matches("W/") == file.tag);
    let packed = file.packed.filter(|_| accepts_brotli(headers));
    let mut response = match is_known {
        true => Response::new(Body::empty()),
        false => Response::new(Body::from(packed.unwrap_or(file.plain))),
    };
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let set = response.headers_mut();
    set.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type()));
    set.insert(ETAG, HeaderValue::from_static(file.tag));
    set.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    set.insert(CACHE_CONTROL, if is_hashed { FOR_EVER } else { ASK_AGAIN });
    if packed.is_some() && !is_known {
        set.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    if file.path == "index.html" {
        set.insert(CONTENT_SECURITY_POLICY, POLICY);
        set.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    response
}

fn redirect() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::FOUND;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static(ROOT));
    headers.insert(VARY, HeaderValue::from_static("Accept"));
    response
}

fn text(status: StatusCode, media_type: &'static str, body: &'static str) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn lists(headers: &HeaderMap, name: HeaderName, wanted: &str) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .map(|one| one.split_once(';').unwrap_or((one, "")))
        .any(|(one, quality)| one.trim().eq_ignore_ascii_case(wanted) && quality.trim() != "q=0")
}

fn accepts_html(headers: &HeaderMap) -> bool {
    lists(headers, ACCEPT, "text/html")
}

fn accepts_brotli(headers: &HeaderMap) -> bool {
    lists(headers, ACCEPT_ENCODING, "br")
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    const FILES: &[File] = &[
        File {
            path: "assets/main-abc.js",
            tag: "\"m\"",
            plain: b"plain",
            packed: Some(b"packed"),
        },
        File {
            path: "index.html",
            tag: "\"i\"",
            plain: b"<html>",
            packed: None,
        },
    ];

    fn asked(method: Method, path: &str, headers: &[(HeaderName, &str)]) -> Option<Found> {
        let mut request = http::Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        find(FILES, &request.body(()).expect("a request").into_parts().0)
    }

    fn page(path: &str, headers: &[(HeaderName, &str)]) -> Response {
        match asked(Method::GET, path, headers) {
            Some(Found::Page(response)) => response,
            other => panic!("{path}: {other:?}"),
        }
    }

    async fn body(response: Response) -> Vec<u8> {
        let body = response.into_body().collect().await.expect("a body");
        body.to_bytes().to_vec()
    }

    #[tokio::test]
    async fn assets_are_kept_for_ever_and_compressed_for_those_who_can() {
        let plain = page(
            "/staff/assets/main-abc.js",
            &[(ACCEPT_ENCODING, "gzip, br;q=0")],
        );
        assert_eq!(plain.headers()[CACHE_CONTROL], FOR_EVER);
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(body(plain).await, b"plain");
        let packed = page(
            "/staff/assets/main-abc.js",
            &[(ACCEPT_ENCODING, "gzip, br")],
        );
        assert_eq!(packed.headers()[CONTENT_ENCODING], "br");
        assert_eq!(
            packed.headers()[CONTENT_TYPE],
            "text/javascript; charset=utf-8"
        );
        assert_eq!(body(packed).await, b"packed");
    }

    #[tokio::test]
    async fn places_of_the_client_get_its_page_with_the_policy() {
        for path in ["/staff/", "/staff/check-in", "/staff/users/1?tab=loans"] {
            let response = page(path, &[]);
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(response.headers()[CACHE_CONTROL], ASK_AGAIN);
            assert_eq!(response.headers()[CONTENT_SECURITY_POLICY], POLICY);
            assert_eq!(body(response).await, b"<html>");
        }
        let again = page("/staff/check-in", &[(IF_NONE_MATCH, "\"x\", W/\"i\"")]);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(body(again).await, b"");
    }

    #[test]
    fn an_asset_of_another_version_is_not_found() {
        let response = page("/staff/assets/main-old.js", &[]);
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
    }

    #[test]
    fn browsers_are_led_to_the_client_and_others_to_the_api() {
        let browser = page("/", &[(ACCEPT, "text/html,application/xhtml+xml;q=0.9")]);
        assert_eq!(browser.status(), StatusCode::FOUND);
        assert_eq!(browser.headers()[LOCATION], "/staff/");
        for (method, path) in [
            (Method::GET, "/"),
            (Method::POST, "/staff/"),
            (Method::GET, "/staffing"),
            (Method::GET, "/users"),
        ] {
            assert!(
                asked(method.clone(), path, &[]).is_none(),
                "{method} {path}"
            );
        }
    }

    #[tokio::test]
    async fn a_program_without_the_client_says_how_to_build_it() {
        let request = http::Request::get("/staff/").body(()).expect("a request");
        let Some(Found::Page(response)) = find(&[], &request.into_parts().0) else {
            panic!("no page");
        };
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        let text = String::from_utf8(body(response).await).expect("text");
        assert!(text.contains("make ui"), "{text}");
    }
}
