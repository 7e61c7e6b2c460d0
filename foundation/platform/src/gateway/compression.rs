//! Compresses JSON for clients that accept it: a browser behind a slow line, not the neighbour on the same machine.

use std::convert::Infallible;
use std::future::Future;

use axum::body::Body;
use axum::response::Response;
use http::header::{ACCEPT_ENCODING, CONTENT_TYPE};
use http::{Extensions, HeaderMap, Request, StatusCode, Version};
use tower::{ServiceExt, service_fn};
use tower_http::CompressionLevel;
use tower_http::compression::Compression;
use tower_http::compression::predicate::{Predicate, SizeAbove};

/// Below this size compression saves no packet.
const BYTES_MIN: u16 = 1024;

/// Answers a request, and compresses the answer if the client accepts it.
pub(super) async fn compressed<F>(
    request: Request<Body>,
    answer: impl FnOnce(Request<Body>) -> F + Clone,
) -> Response
where
    F: Future<Output = Response>,
{
    if !accepts_compression(request.headers()) {
        return answer(request).await;
    }
    let service = service_fn(move |request| {
        let answer = answer.clone();
        async move { Ok::<_, Infallible>(answer(request).await) }
    });
    let compression = Compression::new(service)
        .gzip(true)
        .br(true)
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(BYTES_MIN).and(is_json));
    match compression.oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    }
}

fn accepts_compression(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT_ENCODING).iter().any(|value| {
        let value = value.to_str().unwrap_or_default();
        value.contains("gzip") || value.contains("br")
    })
}

/// Uploaded and exported files are left as they are.
fn is_json(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers.get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::{CONTENT_ENCODING, VARY};
    use http_body_util::BodyExt;

    use super::*;

    async fn asked(accepted: Option<&'static str>, kind: &'static str, bytes: usize) -> Response {
        let mut request = Request::new(Body::empty());
        if let Some(accepted) = accepted {
            let accepted = HeaderValue::from_static(accepted);
            request.headers_mut().insert(ACCEPT_ENCODING, accepted);
        }
        compressed(request, move |_| async move {
            let mut response = Response::new(Body::from(vec![b'1'; bytes]));
            let kind = HeaderValue::from_static(kind);
            response.headers_mut().insert(CONTENT_TYPE, kind);
            response
        })
        .await
    }

    #[tokio::test]
    async fn large_json_is_compressed_for_those_who_accept_it() {
        let table = [
            (
                Some("gzip, deflate"),
                "application/json",
                5_000,
                Some("gzip"),
            ),
            (
                Some("gzip, br"),
                "application/json;charset=utf-8",
                5_000,
                Some("br"),
            ),
            (Some("gzip;q=0"), "application/json", 5_000, None),
            (None, "application/json", 5_000, None),
            (Some("gzip"), "application/json", 500, None),
            (Some("gzip"), "application/octet-stream", 5_000, None),
        ];
        for (accepted, kind, bytes, expected) in table {
            let response = asked(accepted, kind, bytes).await;
            let encoding = response.headers().get(CONTENT_ENCODING).cloned();
            let encoding = encoding.as_ref().and_then(|one| one.to_str().ok());
            assert_eq!(encoding, expected, "{accepted:?} {kind} {bytes}");
            if expected.is_some() {
                assert_eq!(response.headers()[VARY], "accept-encoding");
            }
            let body = response.into_body().collect().await.expect("a body");
            let length = body.to_bytes().len();
            assert_eq!(length < bytes, expected.is_some(), "{length} of {bytes}");
        }
    }
}
