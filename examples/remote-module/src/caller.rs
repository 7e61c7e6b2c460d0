//! The caller of a request, read from the gateway's headers. No other file reads these headers.

use std::fmt;

use http::HeaderMap;

use crate::answer::Refusal;

/// The content of the `X-Okapi-*` headers of a request.
#[derive(Clone)]
pub struct Caller {
    pub tenant: String,
    /// The token for calls back to the gateway: they run as the user, with the module's own
    /// permissions.
    pub token: Option<String>,
    /// The gateway's URL.
    pub url: Option<String>,
    /// The user; timers call without one.
    pub user_id: Option<String>,
    /// The same in all requests that one client request causes.
    pub request_id: Option<String>,
    /// Those of the desired permissions that the user has.
    pub permissions: Vec<String>,
}

impl fmt::Debug for Caller {
    /// Leaves the token out, so that it never gets into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("tenant", &self.tenant)
            .finish_non_exhaustive()
    }
}

impl Caller {
    /// Reads the headers.
    ///
    /// # Errors
    /// 400 without a tenant: the request does not come from a gateway.
    pub fn of(headers: &HeaderMap) -> Result<Caller, Refusal> {
        let header = |name: &str| {
            let value = headers.get(name)?.to_str().ok()?.trim();
            (!value.is_empty()).then(|| value.to_owned())
        };
        let tenant = header("x-okapi-tenant")
            .ok_or_else(|| Refusal::bad_request("Unable to process request Tenant must be set"))?;
        let permissions = header("x-okapi-permissions")
            .and_then(|list| serde_json::from_str(&list).ok())
            .unwrap_or_default();
        Ok(Caller {
            tenant,
            token: header("x-okapi-token"),
            url: header("x-okapi-url"),
            user_id: header("x-okapi-user-id"),
            request_id: header("x-okapi-request-id"),
            permissions,
        })
    }

    /// Whether the user has a permission that the route desires.
    pub fn has(&self, permission: &str) -> bool {
        self.permissions.iter().any(|one| one == permission)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_caller_is_what_the_headers_say() {
        let mut headers = HeaderMap::new();
        assert!(Caller::of(&headers).is_err());
        headers.insert("x-okapi-tenant", HeaderValue::from_static("diku"));
        headers.insert("x-okapi-token", HeaderValue::from_static("a.b.c"));
        headers.insert(
            "x-okapi-permissions",
            HeaderValue::from_static(r#"["one", "two"]"#),
        );
        let caller = Caller::of(&headers).expect("there is a tenant");
        assert_eq!(caller.tenant, "diku");
        assert!(caller.has("two") && !caller.has("three"));
        assert_eq!(caller.user_id, None);
        assert!(!format!("{caller:?}").contains("a.b.c"));
        headers.insert("x-okapi-permissions", HeaderValue::from_static("garbage"));
        let caller = Caller::of(&headers).expect("there is a tenant");
        assert!(caller.permissions.is_empty());
    }
}
