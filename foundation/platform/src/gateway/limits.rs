//! What the gateway serves requests from: the routes, the limits on what one client can make large, and
//! the places that requests and their bodies take.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use octavo_postgres::Readers;
use tokio::sync::Semaphore;

use crate::pace::Pace;
use crate::proxy::RemoteLimits;
use crate::router::Router;
use crate::shares::Shares;
use crate::traces::Traces;
use crate::upload::UPLOADS_MAX;

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

/// What the way of every request needs.
#[derive(Debug)]
pub struct Gateway {
    /// The routes.
    pub router: Router,
    /// The limits.
    pub limits: Limits,
    /// The replicas that reads go to, when there are any.
    pub readers: Option<Readers>,
    /// The last traced requests.
    pub traces: Traces,
    /// How often those who need not be known have asked for something.
    pub pace: Pace,
    /// Proxies that are believed when they say which address a request came from.
    pub(crate) proxies: Vec<IpAddr>,
    /// The origins whose pages may send requests with cookies.
    pub(crate) origins: Vec<String>,
    /// Whether browsers are told to come with TLS only.
    pub(crate) strict_transport: bool,
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

impl Gateway {
    /// A gateway that nobody has asked anything yet.
    pub(crate) fn new(router: Router, limits: Limits) -> Gateway {
        Gateway {
            router,
            limits,
            readers: None,
            traces: Traces::default(),
            pace: Pace::default(),
            proxies: Vec::new(),
            origins: Vec::new(),
            strict_transport: false,
            serving: Semaphore::new(limits.requests),
            serving_public: Semaphore::new((limits.requests / 4).max(PUBLIC_REQUESTS_MIN)),
            bodies: Shares::new(limits.bodies_bytes),
            public_bodies: Shares::new(PUBLIC_BODIES_BYTES.min(limits.bodies_bytes)),
            uploads: Shares::new(UPLOADS_MAX),
        }
    }
}
