//! Traces of single requests: who may request one, and the last ones, kept in memory.
//!
//! A trace holds the route's pattern, stages and statements with placeholders. It holds no path,
//! query, header or value: these may be patron data.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use hyper::body::{Body as _, Frame, SizeHint};
use jiff::Timestamp;
use octavo_records::{Tenant, instant};
use octavo_trace::{Handle, Recorder};
use serde_json::json;
use uuid::Uuid;

use crate::identity::Identity;

/// A request with this header is traced. In a response it gives the reason why it was not.
pub const TRACE_HEADER: HeaderName = HeaderName::from_static("x-octavo-trace");
/// The response header with the trace's id.
pub const TRACE_ID: HeaderName = HeaderName::from_static("x-octavo-trace-id");
/// The permission to trace one's own requests and to read traces.
pub const PERMISSION: &str = "octavo.trace.get";
/// The most traces kept, of all tenants together; with their size limits some tens of megabytes.
pub const TRACES_MAX: usize = 100;

const REFUSED: HeaderValue =
    HeaderValue::from_static("requires permission octavo.trace.get in a tenant of operators");

/// The last traces, in memory.
#[derive(Debug, Default)]
pub struct Traces {
    last: Mutex<VecDeque<Arc<Trace>>>,
}

/// A trace that can be read.
#[derive(Debug)]
pub(crate) struct Trace {
    id: Uuid,
    granted: Granted,
    status: StatusCode,
    at: Timestamp,
    recorder: Arc<Recorder>,
}

impl Traces {
    fn keep(&self, trace: Trace) {
        let mut last = self.lock();
        while last.len() >= TRACES_MAX {
            last.pop_front();
        }
        last.push_back(Arc::new(trace));
    }

    /// Finds a trace of this tenant; other tenants' traces are not found.
    pub(crate) fn find(&self, id: Uuid, tenant: &Tenant) -> Option<Arc<Trace>> {
        let last = self.lock();
        let found = last
            .iter()
            .find(|trace| trace.id == id && trace.granted.tenant.id() == tenant.id());
        found.cloned()
    }

    /// The traces of this tenant, the latest first.
    pub(crate) fn of(&self, tenant: &Tenant) -> Vec<Arc<Trace>> {
        let last = self.lock();
        let own = last
            .iter()
            .rev()
            .filter(|trace| trace.granted.tenant.id() == tenant.id());
        own.cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Trace>>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Trace {
    /// What it was and how long it took, without its tree.
    pub(crate) fn summary(&self) -> serde_json::Value {
        let summary = self.recorder.tree().summary;
        json!({
            "id": self.id,
            "route": self.granted.route,
            "status": self.status.as_u16(),
            "at": instant::format(self.at),
            "milliseconds": summary.total_us / 1_000.0,
            "sqlMilliseconds": summary.sql_us / 1_000.0,
        })
    }

    pub(crate) fn json(&self) -> Vec<u8> {
        let tree = self.recorder.tree();
        let document = json!({
            "id": self.id,
            "tenant": self.granted.tenant.id(),
            "route": self.granted.route,
            "status": self.status.as_u16(),
            "at": instant::format(self.at),
            "summary": tree.summary,
            "root": tree.root,
        });
        document.to_string().into_bytes()
    }
}

/// A request to be traced, recorded from its beginning. Whether its sender may have the trace is
/// known only after permissions are checked.
#[derive(Debug)]
pub(crate) struct TraceRequest {
    pub(crate) recorder: Arc<Recorder>,
    granted: OnceLock<Granted>,
}

#[derive(Debug, Clone)]
struct Granted {
    tenant: Tenant,
    route: String,
}

impl TraceRequest {
    /// `None` without the header.
    pub(crate) fn of(headers: &HeaderMap, started: Instant) -> Option<TraceRequest> {
        let wanted = headers
            .get(TRACE_HEADER)
            .is_some_and(|value| !matches!(value.as_bytes(), b"" | b"0" | b"false"));
        wanted.then(|| TraceRequest {
            recorder: Recorder::new(started),
            granted: OnceLock::new(),
        })
    }

    /// Grants the trace to operators with the permission: statements reveal the server, not the
    /// library.
    pub(crate) fn grant(
        &self,
        is_operator: bool,
        tenant: &Tenant,
        identity: Option<&Identity>,
        route: impl FnOnce() -> String,
    ) {
        if is_operator && identity.is_some_and(|identity| identity.grants.has(PERMISSION)) {
            let _ = self.granted.set(Granted {
                tenant: tenant.clone(),
                route: route(),
            });
        }
    }

    /// Stores the trace and names it in the response, whose body is still timed.
    pub(crate) fn answer(self, traces: &Traces, mut response: Response) -> Response {
        let Some(granted) = self.granted.into_inner() else {
            response.headers_mut().insert(TRACE_HEADER, REFUSED);
            return response;
        };
        let id = Uuid::new_v4();
        if let Ok(value) = HeaderValue::try_from(id.to_string()) {
            response.headers_mut().insert(TRACE_ID, value);
        }
        traces.keep(Trace {
            id,
            granted,
            status: response.status(),
            at: Timestamp::now(),
            recorder: Arc::clone(&self.recorder),
        });
        let sending = self.recorder.stage("respond", Instant::now());
        response.map(|body| {
            let mut traced = TracedBody {
                body,
                sending: Some((sending, self.recorder)),
            };
            traced.end_if_at_end();
            Body::new(traced)
        })
    }
}

/// A response body that ends the trace when its last byte is handed to the connection.
struct TracedBody {
    body: Body,
    sending: Option<(Handle, Arc<Recorder>)>,
}

impl TracedBody {
    fn end_if_at_end(&mut self) {
        if self.body.is_end_stream() {
            self.end();
        }
    }

    fn end(&mut self) {
        if let Some((mut sending, recorder)) = self.sending.take() {
            sending.end();
            recorder.finish();
        }
    }
}

impl hyper::body::Body for TracedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        match &frame {
            Some(Ok(frame)) => {
                if let (Some(data), Some((sending, _))) = (frame.data_ref(), &mut self.sending) {
                    sending.sent(data.len());
                }
                self.end_if_at_end();
            }
            Some(Err(_)) | None => self.end(),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for TracedBody {
    fn drop(&mut self) {
        if let Some((_, recorder)) = &self.sending {
            recorder.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_traces_are_kept_and_only_for_their_tenant() {
        let traces = Traces::default();
        let tenant = Tenant::new("diku").unwrap();
        let ids: Vec<Uuid> = (0..TRACES_MAX + 3).map(|_| Uuid::new_v4()).collect();
        for id in &ids {
            traces.keep(Trace {
                id: *id,
                granted: Granted {
                    tenant: tenant.clone(),
                    route: "GET /users".to_owned(),
                },
                status: StatusCode::OK,
                at: Timestamp::now(),
                recorder: Recorder::new(Instant::now()),
            });
        }
        let found = |id: &Uuid| traces.find(*id, &tenant).is_some();
        assert_eq!(ids.iter().filter(|id| found(id)).count(), TRACES_MAX);
        assert!(!found(&ids[2]) && found(&ids[3]));
        let other = Tenant::new("other").unwrap();
        assert!(traces.find(ids[3], &other).is_none());
    }

    #[test]
    fn a_wish_is_a_header_that_does_not_say_no() {
        let wish = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(TRACE_HEADER, HeaderValue::from_static(value));
            TraceRequest::of(&headers, Instant::now()).is_some()
        };
        assert!(wish("1") && wish("yes"));
        assert!(!wish("0") && !wish("false") && !wish(""));
        assert!(TraceRequest::of(&HeaderMap::new(), Instant::now()).is_none());
    }
}
