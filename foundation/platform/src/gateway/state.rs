//! What the gateway serves requests from.

use std::net::IpAddr;

use octavo_postgres::Readers;

use crate::gateway::admission::Admission;
use crate::pace::Pace;
use crate::router::Router;
use crate::traces::Traces;

/// What the way of every request needs.
#[derive(Debug)]
pub struct Gateway {
    /// The routes.
    pub router: Router,
    /// Which requests are let in.
    pub admission: Admission,
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
}
