//! The requests that are being answered: what each asks for and how far it is. Routes are patterns, without the
//! values of a path.

use std::borrow::Cow;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderValue, Method};
use hyper::body::{Body as _, Frame, SizeHint};
use uuid::Uuid;

use crate::gateway::metrics::NO_ROUTE;

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stage {
    Accept,
    Tenant,
    Identity,
    Body,
    Handler,
    /// In filters, or a remote module.
    Remote,
    /// The answer is sent while it is made.
    Respond,
}

const STAGES: [&str; 7] = [
    "accept", "tenant", "identity", "body", "handler", "remote", "respond",
];

/// The requests of this process. Their number is bounded by that of the connections.
#[derive(Debug, Default)]
pub struct RunningRequests(Mutex<Numbered>);

#[derive(Debug, Default)]
struct Numbered {
    last: u64,
    requests: HashMap<u64, Arc<RunningRequest>>,
}

/// A request that is being answered.
#[derive(Debug)]
pub(crate) struct RunningRequest {
    request_id: HeaderValue,
    method: Method,
    started: Instant,
    route: OnceLock<Cow<'static, str>>,
    tenant: OnceLock<String>,
    user_id: OnceLock<Uuid>,
    stage: AtomicU8,
}

/// A request at one moment.
#[derive(Debug, Clone)]
pub struct RunningSnapshot {
    /// Counted from the start of the process.
    pub number: u64,
    pub request_id: String,
    pub tenant: Option<String>,
    pub user_id: Option<Uuid>,
    pub method: String,
    pub route: String,
    pub elapsed: Duration,
    pub stage: &'static str,
}

impl RunningRequests {
    /// Lists a request until the guard is dropped.
    pub(crate) fn begin(
        self: &Arc<RunningRequests>,
        request_id: &HeaderValue,
        method: &Method,
        started: Instant,
    ) -> Running {
        let request = Arc::new(RunningRequest {
            request_id: request_id.clone(),
            method: method.clone(),
            started,
            route: OnceLock::new(),
            tenant: OnceLock::new(),
            user_id: OnceLock::new(),
            stage: AtomicU8::new(Stage::Accept as u8),
        });
        let mut all = self.lock();
        all.last += 1;
        let number = all.last;
        all.requests.insert(number, Arc::clone(&request));
        Running {
            all: Arc::clone(self),
            number,
            request,
        }
    }

    /// All requests, the oldest first.
    #[must_use]
    pub fn snapshot(&self) -> Vec<RunningSnapshot> {
        let mut all: Vec<(u64, Arc<RunningRequest>)> = self
            .lock()
            .requests
            .iter()
            .map(|(number, request)| (*number, Arc::clone(request)))
            .collect();
        all.sort_unstable_by_key(|(number, _)| *number);
        all.iter()
            .map(|(number, request)| request.snapshot(*number))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Numbered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningRequest {
    pub(crate) fn reach(&self, stage: Stage) {
        self.stage.store(stage as u8, Ordering::Relaxed);
    }

    /// Sets the route's pattern.
    pub(crate) fn take_route(&self, route: Cow<'static, str>) {
        let _ = self.route.set(route);
    }

    /// Sets the tenant, of which it may not be known yet whether there is one.
    pub(crate) fn take_tenant(&self, tenant: &str) {
        let _ = self.tenant.set(tenant.to_owned());
    }

    pub(crate) fn take_user(&self, user_id: Uuid) {
        let _ = self.user_id.set(user_id);
    }

    pub(crate) fn method(&self) -> &str {
        self.method.as_str()
    }

    /// The id as log lines have it.
    pub(crate) fn request_id(&self) -> String {
        String::from_utf8_lossy(self.request_id.as_bytes()).into_owned()
    }

    /// The route's pattern, once it is known.
    pub(crate) fn route(&self) -> Option<Cow<'static, str>> {
        self.route.get().cloned()
    }

    /// The tenant, if there is one: only then a route was found for it.
    pub(crate) fn known_tenant(&self) -> Option<&str> {
        let tenant = self.tenant.get().map(String::as_str);
        self.route.get().and(tenant)
    }

    fn snapshot(&self, number: u64) -> RunningSnapshot {
        let route = self.route.get().map_or(NO_ROUTE, |route| route);
        let stage = usize::from(self.stage.load(Ordering::Relaxed));
        RunningSnapshot {
            number,
            request_id: self.request_id(),
            tenant: self.tenant.get().cloned(),
            user_id: self.user_id.get().copied(),
            method: self.method.to_string(),
            route: route.to_owned(),
            elapsed: self.started.elapsed(),
            stage: STAGES.get(stage).copied().unwrap_or_default(),
        }
    }
}

/// The guard of a listed request.
#[derive(Debug)]
pub(crate) struct Running {
    all: Arc<RunningRequests>,
    number: u64,
    request: Arc<RunningRequest>,
}

impl std::ops::Deref for Running {
    type Target = RunningRequest;

    fn deref(&self) -> &RunningRequest {
        &self.request
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.all.lock().requests.remove(&self.number);
    }
}

impl Running {
    /// Ends with the response: at once where it is whole, and with the last byte of one that is sent while it
    /// is made.
    pub(crate) fn end_with(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        self.reach(Stage::Respond);
        response.map(|body| {
            Body::new(ListedBody {
                body,
                _running: self,
            })
        })
    }
}

/// A response body whose request is listed until it is dropped.
struct ListedBody {
    body: Body,
    _running: Running,
}

impl hyper::body::Body for ListedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(all: &Arc<RunningRequests>) -> Running {
        let id = HeaderValue::from_static("1/users");
        all.begin(&id, &Method::GET, Instant::now())
    }

    #[test]
    fn a_request_is_listed_until_it_ends() {
        let all = Arc::new(RunningRequests::default());
        let (first, second) = (begun(&all), begun(&all));
        first.take_tenant("diku");
        assert_eq!(first.known_tenant(), None, "no route was found for it");
        first.take_route("/users/{id}".into());
        first.reach(Stage::Handler);
        assert_eq!(first.known_tenant(), Some("diku"));
        let listed = all.snapshot();
        assert_eq!(listed.len(), 2);
        assert_eq!(
            (&*listed[0].route, listed[0].stage, &*listed[0].request_id),
            ("/users/{id}", "handler", "1/users")
        );
        assert_eq!((&*listed[1].route, listed[1].stage), (NO_ROUTE, "accept"));
        drop(first);
        assert_eq!(all.snapshot().len(), 1);
        drop(second);
        assert!(all.snapshot().is_empty());
    }

    #[test]
    fn an_answer_that_is_sent_while_it_is_made_keeps_its_request_listed() {
        let all = Arc::new(RunningRequests::default());
        let whole = begun(&all).end_with(Response::new(Body::from("whole")));
        assert!(all.snapshot().is_empty());
        drop(whole);
        let parts = futures_util::stream::iter([Ok::<_, axum::Error>(Bytes::from_static(b"part"))]);
        let streamed = begun(&all).end_with(Response::new(Body::from_stream(parts)));
        assert_eq!(all.snapshot()[0].stage, "respond");
        drop(streamed);
        assert!(all.snapshot().is_empty());
    }
}
