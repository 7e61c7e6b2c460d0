//! Filters: remote modules that are called before or after the handler (Okapi's phases `auth`,
//! `pre` and `post`).
//!
//! A filter's input and the use of its response depend on its type. `headers` gets no body;
//! `request-only` and `request-log` get the body, and the body of their response is dropped; the
//! response body of `request-response` replaces the body.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, StatusCode};
use serde_json::{Map, Value};

use super::forward::Forwarding;
use super::{headers, whole};
use crate::error::ApiError;
use crate::registry::RemoteRoute;
use crate::registry::descriptor::RoutingEntry;

const FILTER: HeaderName = HeaderName::from_static("x-okapi-filter");
const STOP: HeaderName = HeaderName::from_static("x-okapi-stop");
const PERMISSIONS_REQUIRED: HeaderName = HeaderName::from_static("x-okapi-permissions-required");
const PERMISSIONS_DESIRED: HeaderName = HeaderName::from_static("x-okapi-permissions-desired");
const HANDLER_RESULT: HeaderName = HeaderName::from_static("x-okapi-handler-result");
const HANDLER_HEADERS: HeaderName = HeaderName::from_static("x-okapi-handler-headers");

/// The result of the filters before the handler.
pub(crate) enum Before {
    /// Continue with this body and these headers.
    GoOn(Body, HeaderMap),
    /// A filter answered in the handler's place.
    Answered(Response),
}

/// The filters of one request, by phase.
pub(crate) struct Filters {
    before: Vec<RemoteRoute>,
    behind: Vec<RemoteRoute>,
}

impl Filters {
    /// The filters in their order.
    pub(crate) fn new(filters: Vec<RemoteRoute>) -> Filters {
        let (before, behind) = filters
            .into_iter()
            .partition(|one| one.entry.place() < "50");
        Filters { before, behind }
    }

    /// Calls the filters before the handler.
    pub(crate) async fn before(
        &self,
        forwarding: &Forwarding<'_>,
        required: &[String],
        desired: &[String],
        body: Body,
    ) -> Result<Before, ApiError> {
        let limit = forwarding.remotes.body_bytes;
        let mut taken_over = HeaderMap::new();
        let mut body = FilteredBody::Stream(body);
        for filter in &self.before {
            let mut extra = HeaderMap::new();
            headers::set(&mut extra, FILTER, &name(&filter.entry));
            let is_auth = filter.entry.phase.as_deref() == Some("auth");
            if is_auth {
                headers::set(&mut extra, PERMISSIONS_REQUIRED, &required.join(","));
                headers::set(&mut extra, PERMISSIONS_DESIRED, &desired.join(","));
            }
            let kind = FilterKind::of(&filter.entry);
            let sent = match kind {
                FilterKind::Headers => Body::empty(),
                _ => Body::from(body.whole(limit).await?),
            };
            let mut answer = forwarding.ask(filter, sent, &extra).await?;
            let stopped = answer.headers().contains_key(&STOP);
            if stopped || (is_auth && !answer.status().is_success()) {
                headers::outward(answer.headers_mut());
                return Ok(Before::Answered(answer));
            }
            headers::take_over(&mut taken_over, answer.headers());
            if kind == FilterKind::RequestResponse && answer.status().is_success() {
                body = FilteredBody::Stream(answer.into_body());
            }
        }
        Ok(Before::GoOn(body.into_body(), taken_over))
    }

    /// Calls the filters after the handler; they can change only the body.
    pub(crate) async fn behind(
        &self,
        forwarding: &Forwarding<'_>,
        response: Response,
    ) -> Result<Response, ApiError> {
        if self.behind.is_empty() {
            return Ok(response);
        }
        let limit = forwarding.remotes.body_bytes;
        let (mut head, body) = response.into_parts();
        let mut extra = HeaderMap::new();
        headers::set(&mut extra, HANDLER_RESULT, head.status.as_str());
        headers::set(&mut extra, HANDLER_HEADERS, &as_json(&head.headers));
        let mut body = FilteredBody::Stream(body);
        for filter in &self.behind {
            headers::set(&mut extra, FILTER, &name(&filter.entry));
            let kind = FilterKind::of(&filter.entry);
            let sent = match kind {
                FilterKind::Headers => Body::empty(),
                _ => Body::from(body.whole(limit).await?),
            };
            match forwarding.ask(filter, sent, &extra).await {
                Ok(answer)
                    if kind == FilterKind::RequestResponse && answer.status().is_success() =>
                {
                    head.headers.remove(http::header::CONTENT_LENGTH);
                    body = FilteredBody::Stream(answer.into_body());
                }
                // The handler's work is done; a failing filter after it cannot undo it.
                Ok(_) | Err(_) => {}
            }
        }
        Ok(Response::from_parts(head, body.into_body()))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FilterKind {
    Headers,
    RequestOnly,
    RequestResponse,
}

impl FilterKind {
    fn of(entry: &RoutingEntry) -> FilterKind {
        match entry.kind.as_deref() {
            Some("headers") => FilterKind::Headers,
            Some("request-only" | "request-log") => FilterKind::RequestOnly,
            _ => FilterKind::RequestResponse,
        }
    }
}

/// A body, buffered only when a filter and something after it both need it.
enum FilteredBody {
    Stream(Body),
    Held(Bytes),
}

impl FilteredBody {
    async fn whole(&mut self, limit: usize) -> Result<Bytes, ApiError> {
        if let FilteredBody::Stream(body) = self {
            let body = std::mem::replace(body, Body::empty());
            let held = whole(body, limit).await.ok_or_else(|| {
                ApiError::text(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    format!("A body that goes through a filter has at most {limit} bytes"),
                )
            })?;
            *self = FilteredBody::Held(held);
        }
        match self {
            FilteredBody::Held(bytes) => Ok(bytes.clone()),
            FilteredBody::Stream(_) => Ok(Bytes::new()),
        }
    }

    fn into_body(self) -> Body {
        match self {
            FilteredBody::Stream(body) => body,
            FilteredBody::Held(bytes) => Body::from(bytes),
        }
    }
}

fn name(entry: &RoutingEntry) -> String {
    let phase = entry.phase.as_deref().unwrap_or_default();
    let pattern = entry.path_pattern.as_deref().or(entry.path.as_deref());
    format!("{phase} {}", pattern.unwrap_or_default())
}

fn as_json(headers: &HeaderMap) -> String {
    let mut object = Map::new();
    for (name, value) in headers {
        if let Ok(value) = value.to_str() {
            object.insert(name.to_string(), Value::from(value));
        }
    }
    Value::Object(object).to_string()
}
