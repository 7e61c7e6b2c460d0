//! `/_/invoke/tenant/TENANT/PATH`: a request for PATH of a tenant from clients that cannot send a
//! header, such as a browser that follows a link.

use axum::body::Body;
use http::uri::PathAndQuery;
use http::{HeaderValue, Request, Uri};

use crate::error::ApiError;
use crate::wire::header_names::TENANT;

const PREFIX: &str = "/_/invoke/tenant/";

/// Rewrites such a request; any other stays as it is.
///
/// # Errors
/// When the path lacks the tenant or the path, or a header names another tenant.
pub(crate) fn resolved(request: Request<Body>) -> Result<Request<Body>, ApiError> {
    let Some(rest) = request.uri().path().strip_prefix(PREFIX) else {
        return Ok(request);
    };
    let shown: String = rest.chars().take(100).collect();
    let wrong = || {
        ApiError::bad_request(format!(
            "{PREFIX}{shown} is not of the form {PREFIX}{{tenantId}}/{{path}}"
        ))
    };
    let (tenant, path) = rest.split_once('/').ok_or_else(wrong)?;
    // The path inside must not be an `/_/invoke` again.
    if tenant.is_empty() || path.starts_with("_/") || path.is_empty() {
        return Err(wrong());
    }
    let tenant = HeaderValue::from_str(tenant).map_err(|_| wrong())?;
    let named = request.headers().get(TENANT);
    if named.is_some_and(|named| *named != tenant) {
        return Err(ApiError::bad_request(format!(
            "The path names tenant {}, the header another one",
            tenant.to_str().unwrap_or("?")
        )));
    }
    let target = match request.uri().query() {
        Some(query) => format!("/{path}?{query}"),
        None => format!("/{path}"),
    };
    let target: PathAndQuery = target.parse().map_err(|_| wrong())?;
    let mut request = request;
    *request.uri_mut() = Uri::from(target);
    request.headers_mut().insert(TENANT, tenant);
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tenant_of_the_path_becomes_the_header() {
        let asked = |uri: &str, tenant: Option<&str>| {
            let mut request = Request::builder().uri(uri);
            if let Some(tenant) = tenant {
                request = request.header(TENANT, tenant);
            }
            resolved(request.body(Body::empty()).expect("a request"))
                .map(|request| {
                    let tenant = request.headers().get(TENANT).cloned();
                    (request.uri().to_string(), tenant)
                })
                .map_err(|error| error.status().as_u16())
        };
        let diku = Some(HeaderValue::from_static("diku"));
        assert_eq!(
            asked("/_/invoke/tenant/diku/saml/login?a=b", None),
            Ok(("/saml/login?a=b".to_owned(), diku.clone()))
        );
        assert_eq!(asked("/users", None), Ok(("/users".to_owned(), None)));
        assert_eq!(
            asked("/_/invoke/tenant/diku/users", Some("diku")),
            Ok(("/users".to_owned(), diku))
        );
        for wrong in ["diku", "diku/", "/users", "diku/_/proxy/tenants"] {
            assert_eq!(
                asked(&format!("/_/invoke/tenant/{wrong}"), None),
                Err(400),
                "{wrong}"
            );
        }
        assert_eq!(
            asked("/_/invoke/tenant/diku/users", Some("other")),
            Err(400)
        );
    }
}
