//! What the client has to know before anybody has logged in: the library, where there is only one, and
//! whether the server has routes beyond FOLIO's.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method};
use octavo_platform::Platform;
use octavo_platform::router::RouteMatch;
use serde_json::json;

/// The desk's own routes, with one request a scan.
const DESK: &str = "/_/octavo/desk/check-in";

pub(crate) async fn describe(platform: &Arc<Platform>) -> Response {
    // Several tenants are not listed: who uses an installation is nobody else's business.
    let only = match platform.tenants.list().await {
        Ok(tenants) => match <[_; 1]>::try_from(tenants) {
            Ok([tenant]) => Some(tenant),
            Err(_) => None,
        },
        Err(error) => {
            tracing::warn!(%error, "the tenants cannot be listed for the staff client");
            None
        }
    };
    let found = platform.gateway.router.find(&Method::POST, DESK, None);
    let described = json!({
        "tenant": only.as_ref().map(|tenant| &tenant.id),
        "tenantName": only.as_ref().map(|tenant| &tenant.name),
        "desk": matches!(found, RouteMatch::Route(..)),
    });
    let mut response = Response::new(Body::from(described.to_string()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
