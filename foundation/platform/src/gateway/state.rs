//! The gateway's state.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use octavo_postgres::Readers;
use tokio::sync::watch;

use crate::contents::Contents;
use crate::exposition::Sources;
use crate::gateway::admission::Admission;
use crate::gateway::exported::SpanExporter;
use crate::gateway::metrics::RequestMetrics;
use crate::gateway::pages::Pages;
use crate::gateway::running::RunningRequests;
use crate::pace::Pace;
use crate::router::Router;
use crate::traces::Traces;

/// What serving any request needs.
#[derive(Debug)]
pub struct Gateway {
    pub router: Router,
    pub admission: Admission,
    /// The read replicas, if there are any.
    pub readers: Option<Readers>,
    /// The pages beside the API, if there are any.
    pub pages: Option<Arc<dyn Pages>>,
    pub traces: Traces,
    /// The exporter of spans, if there is one.
    pub exporter: OnceLock<Arc<dyn SpanExporter>>,
    /// The figures of what was answered.
    pub metrics: RequestMetrics,
    /// The requests that are being answered.
    pub running: Arc<RunningRequests>,
    /// Further figures.
    pub sources: Sources,
    /// True once the server stops: answers that would go on for ever end then.
    pub stopping: watch::Sender<bool>,
    /// The rate limits of unauthenticated requests.
    pub pace: Pace,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub(crate) proxies: Vec<IpAddr>,
    /// The origins whose pages may send requests with cookies.
    pub(crate) origins: Vec<String>,
    /// Whether responses require browsers to use TLS (HSTS).
    pub(crate) strict_transport: bool,
    /// What bodies and answers are compared with; in tests only.
    pub(crate) checked: Option<Arc<Contents>>,
}
