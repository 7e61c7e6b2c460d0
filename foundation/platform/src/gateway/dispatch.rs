//! Dispatches a request to a native handler or a remote module, through filters if there are any.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::response::Response;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method};
use octavo_trace as trace;
use tokio::sync::SemaphorePermit;

use crate::error::ApiError;
use crate::from;
use crate::gateway;
use crate::gateway::body::{self, Terms};
use crate::identity::Identity;
use crate::platform::Platform;
use crate::proxy::filters::{Before, Filters};
use crate::proxy::forward::Forwarding;
use crate::registry::{RemoteRoute, TenantView};
use crate::route::Access;
use crate::router::{Endpoint, RouteMatch};
use crate::shares::Party;
use crate::timing::Timing;

/// The header in which a client names the module it means.
const MODULE_ID: HeaderName = HeaderName::from_static("x-okapi-module-id");

/// The module that a client means.
pub(crate) fn module_id(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(MODULE_ID)?;
    value.to_str().ok()
}

/// A request that has passed the stages before its handler.
pub(crate) struct CheckedRequest<'a> {
    pub view: Arc<TenantView>,
    pub identity: Option<Identity>,
    pub parts: Parts,
    pub body: Body,
    pub place: SemaphorePermit<'a>,
    pub timing: &'a Timing,
    pub request_id: &'a HeaderValue,
    /// Whether the route is public.
    pub is_public: bool,
}

/// The handler of a request.
pub(crate) enum Destination {
    /// A route of this process, with the values of its pattern's segments.
    Native(Arc<Endpoint>, Vec<(String, String)>),
    /// A route of a remote module.
    Remote(RemoteRoute),
}

impl Destination {
    /// Chooses the destination. Native routes come first, unless their module is disabled for the
    /// tenant, a remote one has taken the interface over, or the client names another module.
    pub(crate) fn choose(
        view: &TenantView,
        found: RouteMatch,
        parts: &Parts,
    ) -> Option<Destination> {
        let named = module_id(parts);
        if let RouteMatch::Route(endpoint, path) = found
            && view.serves_by(&endpoint.module, endpoint.interface)
            && named.is_none_or(|named| named == endpoint.module)
        {
            return Some(Destination::Native(endpoint, path));
        }
        let route = view.remote(parts.method.as_str(), parts.uri.path(), named);
        route.cloned().map(Destination::Remote)
    }

    /// The pattern that the request matched.
    pub(crate) fn pattern(&self) -> &str {
        match self {
            Destination::Native(endpoint, _) => endpoint.pattern,
            Destination::Remote(route) => route.entry.static_path(),
        }
    }

    /// The same as a label of figures.
    pub(crate) fn template(&self) -> Cow<'static, str> {
        match self {
            Destination::Native(endpoint, _) => Cow::Borrowed(endpoint.pattern),
            Destination::Remote(route) => Cow::Owned(route.entry.static_path().to_owned()),
        }
    }

    /// The required and the desired permissions.
    fn permissions(&self) -> (Vec<String>, Vec<String>) {
        match self {
            Destination::Native(endpoint, _) => {
                let required = match &endpoint.access {
                    Access::Permission(name) => vec![name.clone()],
                    Access::Public | Access::LoggedIn => Vec::new(),
                };
                let desired = endpoint.desired.iter().map(|name| (*name).to_owned());
                (required, desired.collect())
            }
            Destination::Remote(route) => (
                route.entry.permissions_required.clone().unwrap_or_default(),
                route.entry.permissions_desired.clone().unwrap_or_default(),
            ),
        }
    }

    /// Sends the request through filters, to a remote module, or both.
    pub(crate) async fn dispatch(
        self,
        platform: &Arc<Platform>,
        checked: CheckedRequest<'_>,
        filters: Filters,
    ) -> Result<Response, ApiError> {
        let CheckedRequest {
            view,
            identity,
            mut parts,
            body,
            place,
            timing,
            request_id,
            is_public,
        } = checked;
        let forwarding = Forwarding {
            remotes: &platform.remotes,
            view: &view,
            identity: identity.as_ref(),
            parts: &parts.clone(),
            request_id: Some(request_id),
        };
        if let Destination::Remote(route) = &self {
            forwarding.authorize(route)?;
        }
        let started = Instant::now();
        let (required, desired) = self.permissions();
        let before = filters.before(&forwarding, &required, &desired, body);
        let (body, headers) = match trace::within("filters", before).await? {
            Before::Answered(response) => return Ok(response),
            Before::GoOn(body, headers) => (body, headers),
        };
        let response = match self {
            Destination::Remote(route) => {
                trace::within("remote", forwarding.send(&route, body)).await?
            }
            Destination::Native(endpoint, path) => {
                parts.headers.extend(headers);
                // A filter may have changed the body, and with it its length.
                parts.headers.remove(CONTENT_LENGTH);
                let proxies = &platform.gateway.proxies;
                let address = from::address(&parts.extensions, &parts.headers, proxies);
                let party = || match &identity {
                    None => Party::at(address),
                    Some(identity) => Party::User {
                        tenant: view.tenant.id().to_owned(),
                        user: identity.user_id,
                    },
                };
                let terms = Terms {
                    party: &party,
                    is_public,
                };
                let reading = body::read(
                    &platform.gateway.admission,
                    &parts.headers,
                    body,
                    place,
                    terms,
                );
                let (body, _held) = reading.await?;
                let is_read = parts.method == Method::GET;
                let (view, identity) = (Arc::clone(&view), identity.clone());
                let call = gateway::call(platform, view, identity, path, parts, body, timing);
                gateway::native(&endpoint, is_read, call).await?
            }
        };
        let response = filters.behind(&forwarding, response).await;
        timing.stage("remote", started);
        response
    }
}
