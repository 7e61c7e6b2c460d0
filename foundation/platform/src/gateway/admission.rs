//! Admission of requests: the limits on what one client can make large, and the permits for
//! requests and their bodies.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::gateway::upload::UPLOADS_MAX;
use crate::shares::Shares;

/// Time-outs and limits for remote modules.
#[derive(Debug, Clone, Copy)]
pub struct RemoteLimits {
    /// To connect.
    pub connect: Duration,
    /// Until the head of the response, from the sending of the request.
    pub head: Duration,
    /// Between two chunks of a body.
    pub idle: Duration,
    /// Requests that wait for one module at the same time; more get 503, so that a module that
    /// hangs does not block others.
    pub at_once: usize,
}

impl Default for RemoteLimits {
    fn default() -> RemoteLimits {
        RemoteLimits {
            connect: Duration::from_secs(5),
            head: Duration::from_secs(60),
            idle: Duration::from_secs(60),
            at_once: 512,
        }
    }
}

/// Limits on what one client can make large.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of a request's body; more gets 413.
    pub body_bytes: usize,
    /// Bytes of all bodies in memory at the same time; a body beyond them gets 503.
    pub bodies_bytes: usize,
    /// Requests served at the same time; more get 503.
    pub requests: usize,
    /// Open connections. For one more, an idle one is closed.
    pub connections: usize,
    /// Time for a client to send a request's head, or for the TLS handshake.
    pub head_timeout: Duration,
    /// Time for a client to send a request's body.
    pub body_timeout: Duration,
    /// A connection on which a client has neither sent nor read anything for so long is closed.
    pub idle_timeout: Duration,
    /// Until this instant the interfaces for it may replace records regardless of their `_version`;
    /// without one, never.
    pub suppress_locking_until: Option<Timestamp>,
    pub remote: RemoteLimits,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 10 * 1024 * 1024,
            bodies_bytes: 1024 * 1024 * 1024,
            requests: 4_096,
            connections: 10_000,
            head_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(120),
            idle_timeout: Duration::from_secs(60),
            suppress_locking_until: None,
            remote: RemoteLimits::default(),
        }
    }
}

/// Bytes of all bodies of public requests together.
const PUBLIC_BODIES_BYTES: usize = 16 * 1024 * 1024;
/// At least so many requests may be public ones, however low the limit on all requests is.
const PUBLIC_REQUESTS_MIN: usize = 16;

/// The permits of requests and bodies.
#[derive(Debug)]
pub struct Admission {
    pub limits: Limits,
    /// One permit for each request being served.
    pub(crate) serving: Semaphore,
    /// One permit for each public request that changes something.
    pub(crate) serving_public: Semaphore,
    /// Bytes of bodies in memory.
    pub(crate) bodies: Arc<Shares>,
    /// Bytes of bodies of public requests.
    pub(crate) public_bodies: Arc<Shares>,
    /// Permits of streamed bodies.
    pub(crate) uploads: Arc<Shares>,
}

impl Admission {
    pub(crate) fn new(limits: Limits) -> Admission {
        Admission {
            limits,
            serving: Semaphore::new(limits.requests),
            serving_public: Semaphore::new((limits.requests / 4).max(PUBLIC_REQUESTS_MIN)),
            bodies: Shares::new(limits.bodies_bytes),
            public_bodies: Shares::new(PUBLIC_BODIES_BYTES.min(limits.bodies_bytes)),
            uploads: Shares::new(UPLOADS_MAX),
        }
    }
}

pub(crate) fn too_many() -> ApiError {
    ApiError::Unavailable("Too many requests are being served now; try again in a moment")
}
