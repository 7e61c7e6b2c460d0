//! Forwards one request to the remote module that provides its route.

use axum::body::Body;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, StatusCode};

use super::headers::{self, ForwardedContext};
use super::{RemoteFault, Remotes};
use crate::error::ApiError;
use crate::identity::Identity;
use crate::identity::caller::require;
use crate::registry::descriptor::RoutingEntry;
use crate::registry::{RemoteRoute, TenantView, pattern};
use crate::wire::header_names::TOKEN;

/// A request being forwarded to remote modules.
pub(crate) struct Forwarding<'a> {
    pub remotes: &'a Remotes,
    pub view: &'a TenantView,
    pub identity: Option<&'a Identity>,
    pub parts: &'a Parts,
    pub request_id: Option<&'a HeaderValue>,
}

impl Forwarding<'_> {
    /// Refuses a caller who lacks a permission that the route requires.
    pub(crate) fn authorize(&self, route: &RemoteRoute) -> Result<(), ApiError> {
        if !self.view.authenticates {
            return Ok(());
        }
        let entry = &route.entry;
        let about_itself = self.identity.is_some() && self.names_its_own_tenant(entry);
        let required = match &entry.permissions_required_tenant {
            Some(required) if about_itself => Some(required),
            _ => entry.permissions_required.as_ref(),
        };
        for name in required.into_iter().flatten() {
            require(name, self.identity)?;
        }
        Ok(())
    }

    /// Whether `{tenantId}` in the route's pattern is the caller's tenant.
    fn names_its_own_tenant(&self, entry: &RoutingEntry) -> bool {
        let pattern = entry.path_pattern.as_deref().unwrap_or_default();
        if !pattern.contains("{tenantId}") {
            return false;
        }
        let own = pattern.replace("{tenantId}", self.view.tenant.id());
        pattern::matches(&own, self.parts.uri.path())
    }

    /// Sends the request and returns the response; both bodies are streamed.
    pub(crate) async fn send(&self, route: &RemoteRoute, body: Body) -> Result<Response, ApiError> {
        let mut response = self.ask(route, body, &HeaderMap::new()).await?;
        headers::outward(response.headers_mut());
        // Some modules send back the token that they were called with; the client must not get it.
        if response.headers().contains_key(TOKEN) {
            let sent = self.parts.headers.get(TOKEN);
            if response.headers().get(TOKEN) == sent {
                response.headers_mut().remove(TOKEN);
            }
        }
        Ok(response)
    }

    /// Sends a request with the gateway's headers and returns the unchanged response.
    pub(crate) async fn ask(
        &self,
        route: &RemoteRoute,
        body: Body,
        extra: &HeaderMap,
    ) -> Result<Response, ApiError> {
        let remotes = self.remotes;
        let module = &route.module;
        let address = remotes.instance(&module.id)?;
        let permissions = route
            .entry
            .module_permissions
            .as_deref()
            .unwrap_or_default();
        let tenant = &self.view.tenant;
        let token = remotes
            .token(tenant, self.identity, &module.id, permissions)
            .await?;
        let desired = route.entry.permissions_desired.iter().flatten();
        let held = desired.map(String::as_str).filter(|name| {
            self.identity
                .is_some_and(|identity| identity.grants.has(name))
        });
        let context = ForwardedContext {
            tenant: self.view.tenant.id(),
            token: &token,
            user_id: self
                .identity
                .and_then(|identity| identity.user_id)
                .map(|id| id.to_string()),
            url: &remotes.own_address(),
            request_id: self.request_id,
            method: self.parts.method.as_str(),
            permissions: held.collect(),
        };
        let mut sent = headers::inward(&self.parts.headers, &context);
        sent.extend(extra.clone());
        let path = self
            .parts
            .uri
            .path_and_query()
            .map_or("/", |path| path.as_str());
        let uri = format!("{address}{path}").parse().map_err(|_| {
            ApiError::text(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("the address of {} and the path make no URL", module.id),
            )
        })?;
        let mut request = Request::new(body);
        *request.uri_mut() = uri;
        *request.method_mut() = self.parts.method.clone();
        *request.headers_mut() = sent;
        let answer = remotes.proxy.send(&module.id, &address, request).await;
        answer.map_err(|fault| {
            tracing::warn!(module = module.id, fault = %kind(&fault), "a call of a remote module failed");
            fault.into()
        })
    }
}

/// The kind of fault for the log, without the path, which may hold a patron's number.
fn kind(fault: &RemoteFault) -> String {
    match fault {
        RemoteFault::Busy(_) => "too many requests wait for it".to_owned(),
        RemoteFault::NoInstance(_) => "it has no address".to_owned(),
        RemoteFault::Failed { reason, .. } => reason.clone(),
        RemoteFault::TimedOut { seconds, .. } => format!("no answer within {seconds} s"),
    }
}
