//! Calls that the gateway makes by itself: timers, `_tenant`, `_tenantPermissions`, and those of
//! native modules to remote ones.

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use serde_json::Value;

use super::headers::{self, Told};
use super::{RemoteFault, whole};
use crate::call::Call;
use crate::identity::Identity;
use crate::platform::Platform;
use crate::registry::descriptor::RoutingEntry;
use crate::registry::{ModuleDescriptor, TenantView};
use crate::route::Handler;
use crate::timing::Timing;

/// What a remote module answered to the gateway.
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

/// Calls a handler of a native module in nobody's name.
pub(crate) async fn call_native(
    platform: &Arc<Platform>,
    view: &Arc<TenantView>,
    handler: &Handler,
) -> Result<(), String> {
    let Handler::Call(function) = handler else {
        return Err("it is served by a generic operation, which no timer can be".to_owned());
    };
    // A timer may be due before the first request of a tenant that another release left.
    let ready = platform.tenants.ready(platform, &view.tenant).await;
    ready.map_err(|reason| reason.to_string())?;
    let call = system_call(platform, view);
    match function(call).await {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => Err(format!("answered {}", response.status())),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// A call in nobody's name.
pub fn system_call(platform: &Arc<Platform>, view: &Arc<TenantView>) -> Call {
    Call {
        platform: Arc::clone(platform),
        tenant: view.tenant.clone(),
        view: Arc::clone(view),
        identity: None,
        path: Vec::new(),
        query: String::new(),
        headers: HeaderMap::new(),
        address: None,
        body: Bytes::new(),
        timing: Timing::default(),
        reader: None,
        incoming: None,
    }
}

/// Calls a remote module in nobody's name, with the permissions that the route gives it.
pub(crate) async fn call_remote(
    platform: &Platform,
    view: &TenantView,
    module: &ModuleDescriptor,
    entry: &RoutingEntry,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<SystemAnswer, String> {
    let method = Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?;
    let permissions = entry.module_permissions.as_deref().unwrap_or_default();
    let asked = Asked {
        method,
        path,
        body,
        permissions,
    };
    call(platform, view, module, None, asked)
        .await
        .map_err(|fault| fault.to_string())
}

/// What is asked of a module.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub method: Method,
    pub path: &'a str,
    pub body: Option<&'a Value>,
    /// What the module may do beyond its caller.
    pub permissions: &'a [String],
}

/// Calls a remote module in a user's name or nobody's; the answer's body is read whole.
pub(crate) async fn call(
    platform: &Platform,
    view: &TenantView,
    module: &ModuleDescriptor,
    identity: Option<&Identity>,
    asked: Asked<'_>,
) -> Result<SystemAnswer, RemoteFault> {
    let state = platform.registry.state();
    let address = platform.proxy.address(&state, &module.id)?;
    let failed = |reason: String| RemoteFault::Failed {
        module: module.id.clone(),
        url: address.clone(),
        reason,
        request: format!("{} {}", asked.method, asked.path),
    };
    let token = super::forward::module_token(platform, view, identity, module, asked.permissions)
        .await
        .map_err(|error| failed(format!("{error:?}")))?;
    let told = Told {
        tenant: view.tenant.id(),
        token: &token,
        user_id: identity
            .and_then(|identity| identity.user_id)
            .map(|id| id.to_string()),
        url: &platform.address(),
        request_id: None,
        method: asked.method.as_str(),
        permissions: Vec::new(),
    };
    let mut sent = headers::inward(&HeaderMap::new(), &told);
    sent.insert(ACCEPT, HeaderValue::from_static("*/*"));
    let body = match asked.body {
        None => Body::empty(),
        Some(document) => {
            sent.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            Body::from(document.to_string())
        }
    };
    let mut request = Request::new(body);
    *request.uri_mut() = format!("{address}{}", asked.path)
        .parse()
        .map_err(|error: http::uri::InvalidUri| failed(error.to_string()))?;
    *request.method_mut() = asked.method.clone();
    *request.headers_mut() = sent;
    let response = platform.proxy.send(&module.id, &address, request).await?;
    let (head, body) = response.into_parts();
    let body = whole(body, platform.limits.body_bytes)
        .await
        .ok_or_else(|| failed("its answer broke off or is too long".to_owned()))?;
    Ok(SystemAnswer {
        status: head.status,
        headers: head.headers,
        body,
    })
}
