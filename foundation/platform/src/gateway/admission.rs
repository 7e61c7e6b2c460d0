//! Which requests are let in: the limits on what one client can make large, and the places that requests
//! and their bodies take.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;

use crate::error::ApiError;
use crate::gateway::upload::UPLOADS_MAX;
use crate::shares::Shares;

/// How long is waited for remote modules.
#[derive(Debug, Clone, Copy)]
pub struct RemoteLimits {
    /// For a connection.
    pub connect: Duration,
    /// For the head of an answer, counted from when the request was sent.
    pub head: Duration,
    /// Between two pieces of a body.
    pub idle: Duration,
    /// Requests that wait for one module at the same time; more get 503. One that stands still must
    /// not hold up the others.
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
    /// Bytes of all bodies that are held at the same time; a body beyond them gets 503.
    pub bodies_bytes: usize,
    /// Requests being served at the same time; more get 503.
    pub requests: usize,
    /// Connections open at the same time. For one more, one that waits for its client is closed.
    pub connections: usize,
    /// A client has this long to send a request's head, or to shake hands.
    pub head_timeout: Duration,
    /// And this long to send a request's body.
    pub body_timeout: Duration,
    /// A connection on which a client has sent nothing and read nothing for so long is closed.
    pub idle_timeout: Duration,
    /// Until when the interfaces for that may replace records whatever their `_version`; never
    /// without an instant.
    pub suppress_locking_until: Option<Timestamp>,
    /// How long is waited for remote modules.
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

/// Bytes of all bodies together that anybody may send.
const PUBLIC_BODIES_BYTES: usize = 16 * 1024 * 1024;
/// However few requests are served at once, so many of them may be anybody's.
const PUBLIC_REQUESTS_MIN: usize = 16;

/// The places of requests and bodies.
#[derive(Debug)]
pub struct Admission {
    /// The limits.
    pub limits: Limits,
    /// One permit for each request being served.
    pub(crate) serving: Semaphore,
    /// One permit for each request that anybody may send and that changes something.
    pub(crate) serving_public: Semaphore,
    /// The bytes of bodies that are held.
    pub(crate) bodies: Arc<Shares>,
    /// Those that anybody may send.
    pub(crate) public_bodies: Arc<Shares>,
    /// The places of bodies that are read as they come.
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
