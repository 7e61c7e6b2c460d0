//! The HTTP client of remote modules: kept-alive connections, Okapi's headers, bodies streamed both
//! ways, and a time-out on every wait.

pub(crate) mod filters;
pub(crate) mod forward;
mod headers;
pub(crate) mod remotes;

use std::collections::HashMap;
use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep};

pub use crate::gateway::admission::RemoteLimits;
pub use remotes::Remotes;

use crate::error::ApiError;
use crate::registry::State;

/// The HTTP client of remote modules.
pub struct Proxy {
    client: Client<HttpsConnector<HttpConnector>, Body>,
    limits: RemoteLimits,
    turn: AtomicUsize,
    /// Permits for requests that wait for each module.
    room: Mutex<HashMap<String, Arc<Semaphore>>>,
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proxy")
    }
}

/// Why a call of a remote module failed.
#[derive(Debug, thiserror::Error)]
pub enum RemoteFault {
    /// Too many requests are waiting for it.
    #[error("too many requests wait for {0}")]
    Busy(String),
    /// No address is registered.
    #[error("No running module instance found for {0}")]
    NoInstance(String),
    /// The connection failed or broke, or the response was not HTTP.
    #[error("proxyClient failure: {module} {url}: {reason}: {request}")]
    Failed {
        module: String,
        url: String,
        reason: String,
        /// Method and path.
        request: String,
    },
    /// It did not answer in time.
    #[error("proxyClient failure: {module} {url}: no answer within {seconds} s: {request}")]
    TimedOut {
        module: String,
        url: String,
        /// The time-out in seconds.
        seconds: u64,
        /// Method and path.
        request: String,
    },
}

impl From<RemoteFault> for ApiError {
    fn from(fault: RemoteFault) -> ApiError {
        let status = match &fault {
            RemoteFault::Busy(_) => {
                return ApiError::Unavailable(
                    "Too many requests wait for the module that answers this one; try again in a \
                     moment",
                );
            }
            RemoteFault::NoInstance(_) => StatusCode::NOT_FOUND,
            RemoteFault::Failed { .. } => StatusCode::INTERNAL_SERVER_ERROR,
            RemoteFault::TimedOut { .. } => StatusCode::GATEWAY_TIMEOUT,
        };
        ApiError::text(status, fault.to_string())
    }
}

impl Proxy {
    /// Idle connections are closed after this time.
    const IDLE_FOR: Duration = Duration::from_secs(30);
    /// The most idle connections to one address.
    const IDLE_MAX: usize = 64;

    /// A client with these time-outs.
    ///
    /// # Errors
    /// When the system's certificates cannot be read.
    pub fn new(limits: RemoteLimits) -> Result<Proxy, String> {
        let mut http = HttpConnector::new();
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(limits.connect));
        let provider = rustls::crypto::ring::default_provider();
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_native_roots(provider)
            .map_err(|error| error.to_string())?
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Proxy::IDLE_FOR)
            .pool_max_idle_per_host(Proxy::IDLE_MAX)
            .build(connector);
        Ok(Proxy {
            client,
            limits,
            turn: AtomicUsize::new(0),
            room: Mutex::default(),
        })
    }

    /// The address of an instance of a module, chosen round-robin.
    pub(crate) fn address(&self, state: &State, module: &str) -> Result<String, RemoteFault> {
        let missing = || RemoteFault::NoInstance(module.to_owned());
        let instances = state.deployments.get(module).ok_or_else(missing)?;
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let instance = instances
            .get(turn % instances.len().max(1))
            .ok_or_else(missing)?;
        let url = instance.url.as_deref().ok_or_else(missing)?;
        Ok(url.trim_end_matches('/').to_owned())
    }

    fn room(&self, module: &str) -> Arc<Semaphore> {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = room.get(module) {
            return Arc::clone(known);
        }
        // Modules come and go; those without waiting requests are dropped and counted anew.
        room.retain(|_, one| one.available_permits() < self.limits.at_once);
        let made = Arc::new(Semaphore::new(self.limits.at_once));
        room.insert(module.to_owned(), Arc::clone(&made));
        made
    }

    /// Sends a request and waits for the head of the response, whose body is streamed.
    pub(crate) async fn send(
        &self,
        module: &str,
        address: &str,
        request: Request<Body>,
    ) -> Result<Response<Body>, RemoteFault> {
        let room = self.room(module);
        let Ok(_place) = room.try_acquire() else {
            return Err(RemoteFault::Busy(module.to_owned()));
        };
        let shown = format!("{} {}", request.method(), request.uri().path());
        let url = address.to_owned();
        let module = module.to_owned();
        match tokio::time::timeout(self.limits.head, self.client.request(request)).await {
            Ok(Ok(response)) => {
                let idle = self.limits.idle;
                Ok(response.map(|body| Body::new(Bounded::new(body, idle))))
            }
            Ok(Err(error)) => Err(RemoteFault::Failed {
                module,
                url,
                reason: root(&error),
                request: shown,
            }),
            Err(_) => Err(RemoteFault::TimedOut {
                module,
                url,
                seconds: self.limits.head.as_secs(),
                request: shown,
            }),
        }
    }
}

/// The root cause, such as "Connection refused".
fn root(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

/// Reads a body up to a limit; `None` when it is longer or breaks off.
pub(crate) async fn whole(body: Body, limit: usize) -> Option<Bytes> {
    let limited = http_body_util::Limited::new(body, limit);
    limited
        .collect()
        .await
        .ok()
        .map(http_body_util::Collected::to_bytes)
}

/// A body that breaks off when a chunk does not arrive in time.
struct Bounded {
    body: Incoming,
    idle: Duration,
    deadline: Pin<Box<Sleep>>,
}

impl Bounded {
    fn new(body: Incoming, idle: Duration) -> Bounded {
        Bounded {
            body,
            idle,
            deadline: Box::pin(sleep(idle)),
        }
    }
}

impl hyper::body::Body for Bounded {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let idle = self.idle;
                self.deadline.as_mut().reset(Instant::now() + idle);
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(error.into()))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => match self.deadline.as_mut().poll(context) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(()) => {
                    Poll::Ready(Some(Err("a remote module's answer stands still".into())))
                }
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
