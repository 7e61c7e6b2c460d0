//! Calls of remote modules: their addresses, the tokens they receive, and the calls that the
//! platform itself makes: timers, `_tenant`, `_tenantPermissions`, and calls from native modules.

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use octavo_records::Tenant;
use serde_json::Value;

use super::headers::{self, ForwardedContext};
use super::{Proxy, RemoteFault, whole};
use crate::error::ApiError;
use crate::identities::Identities;
use crate::identity::Identity;
use crate::registry::descriptor::RoutingEntry;
use crate::registry::{ModuleDescriptor, Registry, TenantView};

#[derive(Debug)]
pub struct Remotes {
    pub(crate) proxy: Proxy,
    /// The largest body that is read into memory, in bytes.
    pub(crate) body_bytes: usize,
    registry: Arc<Registry>,
    identities: Arc<Identities>,
    /// The address for calls back that the operator configured.
    address: Option<String>,
    listens_at: OnceLock<String>,
}

/// A module's response to the gateway.
#[derive(Debug)]
pub(crate) struct SystemAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl SystemAnswer {
    /// The beginning of the body as text, for messages.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body)
            .chars()
            .take(500)
            .collect()
    }
}

/// A request to a module.
#[derive(Debug)]
pub(crate) struct ModuleRequest<'a> {
    pub method: Method,
    pub path: &'a str,
    pub body: Option<&'a Value>,
    /// The permissions that the module gets in addition to the caller's.
    pub permissions: &'a [String],
}

impl Remotes {
    pub(crate) fn new(
        proxy: Proxy,
        body_bytes: usize,
        registry: Arc<Registry>,
        identities: Arc<Identities>,
        address: Option<String>,
    ) -> Remotes {
        Remotes {
            proxy,
            body_bytes,
            registry,
            identities,
            address,
            listens_at: OnceLock::new(),
        }
    }

    /// Sets the address of this process, for modules that call back.
    pub fn listens_at(&self, url: String) {
        let _ = self.listens_at.set(url);
    }

    /// The address at which modules call back.
    #[must_use]
    pub fn own_address(&self) -> String {
        let given = self.address.as_ref();
        given.or(self.listens_at.get()).cloned().unwrap_or_default()
    }

    pub(crate) fn instance(&self, module: &str) -> Result<String, RemoteFault> {
        self.proxy.address(&self.registry.state(), module)
    }

    /// The token for a call of a module.
    pub(crate) async fn token(
        &self,
        tenant: &Tenant,
        identity: Option<&Identity>,
        module: &str,
        permissions: &[String],
    ) -> Result<String, ApiError> {
        let signing = self
            .identities
            .module_token(tenant, identity, module, permissions);
        signing.await
    }

    /// Calls a remote module without a user, with the permissions that the route grants it.
    pub(crate) async fn call_without_user(
        &self,
        view: &TenantView,
        module: &ModuleDescriptor,
        entry: &RoutingEntry,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<SystemAnswer, String> {
        let method = Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?;
        let permissions = entry.module_permissions.as_deref().unwrap_or_default();
        let request = ModuleRequest {
            method,
            path,
            body,
            permissions,
        };
        self.call(view, module, None, request)
            .await
            .map_err(|fault| fault.to_string())
    }

    /// Calls a remote module for a user or without one; the response body is read whole.
    pub(crate) async fn call(
        &self,
        view: &TenantView,
        module: &ModuleDescriptor,
        identity: Option<&Identity>,
        request: ModuleRequest<'_>,
    ) -> Result<SystemAnswer, RemoteFault> {
        let address = self.instance(&module.id)?;
        let failed = |reason: String| RemoteFault::Failed {
            module: module.id.clone(),
            url: address.clone(),
            reason,
            request: format!("{} {}", request.method, request.path),
        };
        let token = self
            .token(&view.tenant, identity, &module.id, request.permissions)
            .await
            .map_err(|error| failed(format!("{error:?}")))?;
        let context = ForwardedContext {
            tenant: view.tenant.id(),
            token: &token,
            user_id: identity
                .and_then(|identity| identity.user_id)
                .map(|id| id.to_string()),
            url: &self.own_address(),
            request_id: None,
            method: request.method.as_str(),
            permissions: Vec::new(),
        };
        let mut sent = headers::inward(&HeaderMap::new(), &context);
        sent.insert(ACCEPT, HeaderValue::from_static("*/*"));
        let body = match request.body {
            None => Body::empty(),
            Some(document) => {
                sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                Body::from(document.to_string())
            }
        };
        let mut outgoing = Request::new(body);
        *outgoing.uri_mut() = format!("{address}{}", request.path)
            .parse()
            .map_err(|error: http::uri::InvalidUri| failed(error.to_string()))?;
        *outgoing.method_mut() = request.method.clone();
        *outgoing.headers_mut() = sent;
        let response = self.proxy.send(&module.id, &address, outgoing).await?;
        let (head, body) = response.into_parts();
        let body = whole(body, self.body_bytes)
            .await
            .ok_or_else(|| failed("its answer broke off or is too long".to_owned()))?;
        Ok(SystemAnswer {
            status: head.status,
            headers: head.headers,
            body,
        })
    }
}
