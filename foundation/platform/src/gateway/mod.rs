//! The eight stages that every request passes, in one place and one order. The only code that
//! reads `X-Okapi-*` headers and tokens.

pub mod admission;
pub(crate) mod body;
mod checked;
mod comments;
mod compression;
pub mod cors;
mod dispatch;
pub mod exported;
pub mod from;
mod guard;
mod invoke;
pub mod listen;
pub mod metrics;
pub mod pace;
pub mod pages;
pub mod recent;
pub mod replica_routing;
mod request_id;
pub mod router;
pub mod running;
pub mod shares;
pub(crate) mod state;
pub mod timing;
mod trace_parent;
pub mod traces;
pub(crate) mod upload;

use std::borrow::Cow;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode};
use octavo_boxed::boxed;
use octavo_postgres::{Asker, asking};
use octavo_records::Tenant;
use octavo_trace::{self as trace, Recorder, RequestSpan};
use tokio::sync::SemaphorePermit;
use uuid::Uuid;

pub use crate::wire::header_names::{TENANT, TOKEN};

use crate::audit;
use crate::call::Call;
use crate::caller;
use crate::error::ApiError;
use crate::gateway::admission::too_many;
use crate::gateway::body::Terms;
use crate::gateway::checked::Check;
use crate::gateway::dispatch::{CheckedRequest, Destination, module_id};
use crate::gateway::exported::Export;
use crate::gateway::metrics::AnsweredRequest;
use crate::gateway::request_id::{REQUEST_ID, request_id};
use crate::gateway::running::{RunningRequest, Stage};
use crate::gateway::trace_parent::TraceParent;
use crate::identity::Identity;
use crate::platform::Platform;
use crate::proxy::filters::Filters;
use crate::records_http;
use crate::registry::TenantView;
use crate::route::{Access, Handler};
use crate::router::{Endpoint, RouteMatch, Target};
use crate::shares::Party;
use crate::timing::Timing;
use crate::token::{Claims, Incarnation};
use crate::traces::TraceRequest;
use crate::upload::Upload;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Serves one request: every outcome is a response.
#[boxed]
pub async fn serve(platform: Arc<Platform>, request: Request<Body>) -> Response {
    compression::compressed(request, |request| served(platform, request)).await
}

async fn served(platform: Arc<Platform>, request: Request<Body>) -> Response {
    let timing = Timing::default();
    let origin = request.headers().get(http::header::ORIGIN).cloned();
    let is_listed = cors::is_listed(&platform.gateway.origins, origin.as_ref());
    if *request.method() == Method::OPTIONS {
        return cors::preflight(origin.as_ref(), is_listed);
    }
    let request = match invoke::resolved(request) {
        Ok(request) => request,
        Err(error) => return error.into_response(),
    };
    let request_id = request_id(request.headers(), request.uri().path());
    let trace_request = TraceRequest::of(request.headers(), timing.started());
    let trace_parent = TraceParent::of(request.headers());
    let listed = &platform.gateway.running;
    let running = listed.begin(&request_id, request.method(), timing.started());
    let export = Export::of(
        platform.gateway.exporter.get(),
        trace_parent.as_ref(),
        trace_request.as_ref().map(|one| &one.recorder),
        timing.started(),
    );
    let recorder = match &export {
        Some(export) => Some(export.recorder()),
        None => trace_request.as_ref().map(|one| &one.recorder),
    };
    let incoming = IncomingRequest {
        timing: &timing,
        request_id: &request_id,
        running: &running,
        trace_request: trace_request.as_ref(),
        recorder,
        span: &RequestSpan::begin(request_id.to_str().unwrap_or_default()),
    };
    if let Some(parent) = &trace_parent {
        incoming.span.trace(parent.trace_id());
    }
    let answering = answered(&platform, request, &incoming);
    let response = incoming.span.clone().run(answering).await;
    if let Some(export) = export {
        export.end(trace_parent.as_ref(), &running, &response);
    }
    let mut response = running.end_with(response);
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, request_id);
    cors::allow(headers, origin.as_ref(), is_listed);
    guard::mark(headers, platform.gateway.strict_transport);
    if let Some(value) = timing.header() {
        headers.insert(SERVER_TIMING, value);
    }
    match trace_request {
        None => response,
        Some(trace_request) => trace_request.answer(&platform.gateway.traces, response),
    }
}

/// What is known of a request from its beginning.
#[derive(Clone, Copy)]
struct IncomingRequest<'a> {
    timing: &'a Timing,
    request_id: &'a HeaderValue,
    running: &'a RunningRequest,
    trace_request: Option<&'a TraceRequest>,
    /// Who records the request: for its client, or an exporter.
    recorder: Option<&'a Arc<Recorder>>,
    span: &'a RequestSpan,
}

async fn answered(
    platform: &Arc<Platform>,
    request: Request<Body>,
    incoming: &IncomingRequest<'_>,
) -> Response {
    let method = request.method().clone();
    let started = incoming.timing.started();
    let _in_flight = platform.workers.room().request();
    let metrics = &platform.gateway.metrics;
    let outcome = match platform.gateway.admission.serving.try_acquire() {
        Ok(place) => match incoming.recorder {
            None => stages(platform, request, place, incoming).await,
            Some(recorder) => {
                recorder.stage("accept", started).end();
                let stages = stages(platform, request, place, incoming);
                // Boxed, so that requests that are not traced do not reserve memory for it.
                Box::pin(recorder.run(stages)).await
            }
        },
        Err(_) => Err(too_many()),
    };
    let response = outcome.unwrap_or_else(|error| {
        let status = error.status();
        if status.is_server_error() && !matches!(error, ApiError::Internal(_)) {
            tracing::warn!(status = status.as_u16(), "request refused");
        }
        error.into_response()
    });
    let route = incoming.running.route();
    metrics.note(AnsweredRequest {
        route: route.unwrap_or(Cow::Borrowed(metrics::NO_ROUTE)),
        method: &method,
        tenant: incoming.running.known_tenant(),
        status: response.status(),
        elapsed: started.elapsed(),
    });
    // Without path and query, which may hold a patron's number.
    tracing::debug!(
        %method,
        status = response.status().as_u16(),
        ms = started.elapsed().as_millis(),
        "answered"
    );
    response
}

async fn stages(
    platform: &Arc<Platform>,
    request: Request<Body>,
    place: SemaphorePermit<'_>,
    incoming: &IncomingRequest<'_>,
) -> Result<Response, ApiError> {
    let IncomingRequest {
        timing,
        request_id,
        running,
        trace_request,
        span,
        ..
    } = *incoming;
    let (parts, body) = request.into_parts();
    guard::refuse_forged(&parts.method, &parts.headers)?;
    let pages = platform.gateway.pages.as_ref();
    if let Some(page) = pages.and_then(|pages| pages.find(platform, &parts)) {
        running.take_route(Cow::Borrowed(metrics::PAGES));
        return Ok(page.await);
    }
    let proxies = &platform.gateway.proxies;
    let address = from::address(&parts.extensions, &parts.headers, proxies);
    let claims = match caller::token(&parts.headers)? {
        Some(token) => Some(platform.identities.claims(token).await),
        None => None,
    };
    let routing = trace::span("route");
    let found = platform
        .gateway
        .router
        .find(&parts.method, parts.uri.path(), module_id(&parts));
    drop(routing);
    let public = found.is_public();
    let _public_place = match public && parts.method != Method::GET {
        true => Some(
            platform
                .gateway
                .admission
                .serving_public
                .try_acquire()
                .map_err(|_| too_many())?,
        ),
        false => None,
    };
    if claims.is_none() && parts.headers.get(TENANT).is_none() {
        // Health and version need no tenant.
        return match found {
            RouteMatch::Route(endpoint, path) if public => {
                span.route(&parts.method, endpoint.pattern);
                running.take_route(Cow::Borrowed(endpoint.pattern));
                let view = platform.registry.nobody();
                let call = call(platform, view, None, path, parts, Bytes::new(), timing);
                answer(&endpoint, call).await
            }
            RouteMatch::Route(..) => Err(tenant(&parts.headers, None)
                .err()
                .unwrap_or_else(ApiError::not_found)),
            RouteMatch::Nothing => Err(no_route(&parts, "supertenant")),
        };
    }
    // An invalid token names no tenant, and its error is reported first.
    let claims = match claims {
        Some(Err(error)) if parts.headers.get(TENANT).is_none() && !public => {
            let token = caller::token(&parts.headers)?;
            return Err(token.and_then(caller::unreadable).unwrap_or(error));
        }
        other => other,
    };
    let claimed = match &claims {
        Some(Ok(claims)) => Some(claims.tenant.as_str()),
        Some(Err(_)) | None => None,
    };
    let tenant = tenant(&parts.headers, claimed)?;
    span.tenant(tenant.id());
    running.take_tenant(tenant.id());
    running.reach(Stage::Tenant);
    let seen = async {
        let incarnation = platform.tenants.ready(&tenant).await?;
        let view = platform.registry.view(tenant.id()).await;
        let view =
            view?.ok_or_else(|| ApiError::bad_request(format!("No such Tenant {}", tenant.id())));
        view.map(|view| (view, incarnation))
    };
    let (view, incarnation) = trace::within("tenant", seen).await?;
    let mut way =
        Destination::choose(&view, found, &parts).ok_or_else(|| no_route(&parts, tenant.id()))?;
    span.route(&parts.method, way.pattern());
    running.take_route(way.template());
    running.reach(Stage::Identity);
    let authenticates = view.authenticates || parts.uri.path().starts_with("/_/");
    let identity = match claims {
        None => None,
        Some(claims) => match identified(platform, &tenant, incarnation, claims).await {
            // An expired or revoked token must not prevent its owner from logging in again.
            Err(error)
                if error.status() == StatusCode::UNAUTHORIZED && (public || !authenticates) =>
            {
                None
            }
            identified => Some(identified?),
        },
    };
    if let Some(trace_request) = trace_request {
        let is_operator = platform.tenants.is_operator(&tenant);
        trace_request.grant(is_operator, &tenant, identity.as_ref(), || {
            format!("{} {}", parts.method, way.pattern())
        });
    }
    let user_id = identity.as_ref().and_then(|identity| identity.user_id);
    if let Some(user_id) = &user_id {
        span.user(user_id);
        running.take_user(*user_id);
    }
    if let (Destination::Native(endpoint, _), true) = (&way, authenticates) {
        let authorized = authorize(&endpoint.access, identity.as_ref());
        if let Err(error) = &authorized {
            let asked = AuditedRequest::new(&parts, way.pattern(), user_id, address);
            asked.note_refusal(platform, &tenant, error);
        }
        authorized?;
    }
    timing.stage("identity", timing.started());
    running.reach(Stage::Body);
    let is_read = parts.method == Method::GET;
    let filters = view.filters(parts.method.as_str(), parts.uri.path());
    let party = || match &identity {
        None => Party::at(address),
        Some(_) => Party::User {
            tenant: tenant.id().to_owned(),
            user: user_id,
        },
    };
    if let (Destination::Native(endpoint, path), true) = (&mut way, filters.is_empty()) {
        let (endpoint, path) = (Arc::clone(endpoint), std::mem::take(path));
        if endpoint.streamed {
            // Released while the body is read, so that a slow sender does not occupy a permit.
            drop(place);
            let patience = platform.gateway.admission.limits.body_timeout;
            let upload =
                Upload::new(body, patience, &platform.gateway.admission.uploads, party()).await?;
            running.reach(Stage::Handler);
            let mut call = call(platform, view, identity, path, parts, Bytes::new(), timing);
            call.incoming = Some(upload);
            return native(&endpoint, is_read, call).await;
        }
        let terms = Terms {
            party: &party,
            is_public: public,
        };
        let reading = body::read(
            &platform.gateway.admission,
            &parts.headers,
            body,
            place,
            terms,
        );
        let (body, _held) = trace::within("body", reading).await?;
        running.reach(Stage::Handler);
        let call = call(platform, view, identity, path, parts, body, timing);
        return native(&endpoint, is_read, call).await;
    }
    let checked = CheckedRequest {
        view,
        identity,
        parts,
        body,
        place,
        timing,
        request_id,
        is_public: public,
    };
    running.reach(Stage::Remote);
    // Boxed, so that requests that stay in this process do not reserve memory for it.
    Box::pin(way.dispatch(platform, checked, Filters::new(filters))).await
}

/// What was requested and by whom, for the audit log.
struct AuditedRequest {
    route: String,
    user_id: Option<Uuid>,
    address: Option<IpAddr>,
}

impl AuditedRequest {
    fn new(
        parts: &Parts,
        pattern: &str,
        user_id: Option<Uuid>,
        address: Option<IpAddr>,
    ) -> AuditedRequest {
        AuditedRequest {
            route: format!("{} {pattern}", parts.method),
            user_id,
            address,
        }
    }

    /// Records a refusal for lack of a permission.
    fn note_refusal(self, platform: &Platform, tenant: &Tenant, error: &ApiError) {
        if error.status() == StatusCode::FORBIDDEN {
            self.note(platform, tenant, audit::AuditEvent::Refused);
        }
    }

    fn note(self, platform: &Platform, tenant: &Tenant, kind: audit::AuditEvent) {
        let event = audit::Event {
            user_id: self.user_id,
            address: self.address,
            route: Some(self.route),
            ..audit::Event::new(kind)
        };
        platform.audit.note(&platform.store.database, tenant, event);
    }
}

/// The identity that a token's claims belong to.
async fn identified(
    platform: &Platform,
    tenant: &Tenant,
    incarnation: Incarnation,
    claims: Result<Arc<Claims>, ApiError>,
) -> Result<Identity, ApiError> {
    let claims = claims?;
    if !claims.is_of(incarnation) {
        // The token was that of an earlier tenant with the same id.
        return Err(caller::invalid());
    }
    let identifying = platform.identities.identify(tenant, claims);
    let identity = trace::within("permission", identifying).await;
    platform.tenants.explained(tenant, identity).await
}

pub(crate) async fn native(
    endpoint: &Endpoint,
    is_read: bool,
    call: Call,
) -> Result<Response, ApiError> {
    let (platform, tenant) = (Arc::clone(&call.platform), call.tenant.clone());
    let (user_id, address) = (call.user_id(), call.address);
    let takes_away = endpoint.patrons && audit::asks_for_many(endpoint.pattern, &call.query);
    let checked = platform.gateway.checked.as_ref();
    let check = checked.map(|contents| Check::begin(contents, endpoint, &call.body));
    let answered = match &platform.gateway.readers {
        None => answer(endpoint, call).await,
        Some(readers) => replica_routing::answer(readers, endpoint, is_read, call).await,
    };
    let answered = match check {
        None => answered,
        // Boxed, since the program never comes here.
        Some(check) => Box::pin(check.end(answered)).await,
    };
    if endpoint.invalidates_cache {
        platform.settle().await;
    }
    let kind = match &answered {
        Ok(_) if takes_away => Some(audit::AuditEvent::PatronData),
        Err(error) if error.status() == StatusCode::FORBIDDEN => Some(audit::AuditEvent::Refused),
        _ => None,
    };
    if let Some(kind) = kind {
        let asked = AuditedRequest {
            route: endpoint.name(),
            user_id,
            address,
        };
        asked.note(&platform, &tenant, kind);
    }
    platform.tenants.explained(&tenant, answered).await
}

pub(crate) fn call(
    platform: &Arc<Platform>,
    view: Arc<TenantView>,
    identity: Option<Identity>,
    path: Vec<(String, String)>,
    parts: Parts,
    body: Bytes,
    timing: &Timing,
) -> Call {
    let proxies = &platform.gateway.proxies;
    let address = from::address(&parts.extensions, &parts.headers, proxies);
    Call {
        platform: Arc::clone(platform),
        tenant: view.tenant.clone(),
        view,
        identity,
        path,
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        address,
        body,
        timing: timing.clone(),
        reader: None,
        incoming: None,
    }
}

/// Calls the handler. A panic becomes a 500 and does not end the connection, on which other
/// requests may be waiting; its transaction is rolled back.
pub(crate) async fn answer(endpoint: &Endpoint, call: Call) -> Result<Response, ApiError> {
    // Searches take turns by user and tenant; callers without a token share their tenant's turn.
    let user = call.identity.as_ref().and_then(|one| one.user_id);
    let asker = Asker::of(call.tenant.id(), user);
    // Boxed: the compiler limits the nesting of futures.
    let handled: BoxFuture<'_, _> = Box::pin(handled(endpoint, call));
    let answered = AssertUnwindSafe(asking(asker, handled)).catch_unwind();
    answered.await.unwrap_or_else(|_| {
        let route = endpoint.pattern;
        Err(ApiError::fault(format!("the handler of {route} panicked")))
    })
}

async fn handled(endpoint: &Endpoint, call: Call) -> Result<Response, ApiError> {
    match &endpoint.target {
        Target::Records(operation, collection, hooks) => {
            // Boxed like those of the areas: the compiler limits the nesting of futures.
            let running = Box::pin(records_http::run(*operation, collection, hooks, call));
            trace::within("handler", running).await
        }
        Target::Call(Handler::Call(function)) => trace::within("handler", function(call)).await,
        Target::Call(Handler::Records(..)) => Err(ApiError::not_found()),
    }
}

fn tenant(headers: &HeaderMap, claimed: Option<&str>) -> Result<Tenant, ApiError> {
    let mut values = headers.get_all(TENANT).iter();
    let first = values.next();
    // Two different values could be read differently by a proxy and by this server.
    if values.any(|other| Some(other) != first) {
        return Err(ApiError::bad_request(
            "X-Okapi-Tenant is sent more than once with different values; send it once",
        ));
    }
    let named = first.map(|value| value.to_str().unwrap_or("?"));
    let id = match (named, claimed) {
        (Some(named), Some(claimed)) if named != claimed => {
            return Err(ApiError::text(StatusCode::FORBIDDEN, "Invalid token"));
        }
        (Some(id), _) | (None, Some(id)) => id,
        (None, None) => {
            return Err(ApiError::bad_request(
                "Unable to process request Tenant must be set",
            ));
        }
    };
    Tenant::new(id).map_err(|_| {
        let shown: String = id.chars().take(64).collect();
        ApiError::bad_request(format!("No such Tenant {shown}"))
    })
}

fn authorize(access: &Access, identity: Option<&Identity>) -> Result<(), ApiError> {
    match (access, identity) {
        (Access::Public, _) | (Access::LoggedIn, Some(_)) => Ok(()),
        (Access::LoggedIn, None) => Err(ApiError::text(StatusCode::UNAUTHORIZED, "Token missing")),
        (Access::Permission(name), identity) => caller::require(name, identity),
    }
}

fn no_route(parts: &Parts, tenant: &str) -> ApiError {
    let path: String = parts.uri.path().chars().take(200).collect();
    ApiError::text(
        StatusCode::NOT_FOUND,
        format!("No suitable module found for path {path} for tenant {tenant}"),
    )
}
