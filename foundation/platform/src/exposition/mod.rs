//! The figures of this process in Prometheus' text format: requests by route template, database, replicas,
//! tenants, timers, background work, and what further sources add. Labels come from declarations, never from
//! clients or tenants, so the number of series is bounded.

mod process;
mod requests;
mod store;
mod text;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::response::Response;
use http::header::{self, HeaderValue};
use http::{Method, StatusCode};
use octavo_records::Tenant;

pub(crate) use process::started;
pub use text::{CONTENT_TYPE, Exposition, Kind};

use crate::call::Call;
use crate::error::ApiError;
use crate::module::Interface;
use crate::platform::Platform;
use crate::route::Handler;
use store::{QueueCounts, TenantCounts, TimerCounts};

/// The permission to read the figures.
pub const PERMISSION: &str = "octavo.metrics.get";
/// How long the counts of the database are shown, however often somebody asks.
const FRESH: Duration = Duration::from_secs(10);

/// Whoever has figures of its own.
pub trait Source: fmt::Debug + Send + Sync {
    /// Adds them.
    fn write(&self, text: &mut Exposition);
}

/// The further sources, and what was counted in the database last.
#[derive(Debug, Default)]
pub struct Sources {
    sources: Mutex<Vec<Arc<dyn Source>>>,
    counts: tokio::sync::Mutex<Option<(Instant, DatabaseCounts)>>,
}

/// What is counted in the database.
#[derive(Debug, Clone, Default)]
struct DatabaseCounts {
    up: bool,
    tenants: TenantCounts,
    timers: TimerCounts,
    queues: Vec<QueueCounts>,
    events: i64,
}

impl Sources {
    /// Adds a source.
    pub fn add(&self, source: Arc<dyn Source>) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.push(source);
    }
}

pub(crate) fn interface() -> Interface {
    Interface::new("octavo-metrics", "1.0").route(
        Method::GET,
        "/_/octavo/metrics",
        PERMISSION,
        Handler::call(show),
    )
}

/// 200 with the text; only for operators, whose server this is.
async fn show(call: Call) -> Result<Response, ApiError> {
    call.require_operator()?;
    Ok(response(&call.platform).await)
}

/// The response with the figures.
pub async fn response(platform: &Platform) -> Response {
    let mut response = Response::new(text(platform).await.into());
    *response.status_mut() = StatusCode::OK;
    let kind = HeaderValue::from_static(CONTENT_TYPE);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// The figures as text.
pub async fn text(platform: &Platform) -> String {
    let mut text = Exposition::default();
    process::write(&mut text);
    let in_flight = platform.workers.room().in_flight();
    requests::write(&mut text, &platform.gateway.metrics, in_flight);
    database(&mut text, platform);
    readers(&mut text, platform).await;
    counts(&mut text, &ask(platform).await);
    let sources = platform.gateway.sources.sources.lock();
    let sources = sources.unwrap_or_else(PoisonError::into_inner).clone();
    for source in sources {
        source.write(&mut text);
    }
    text.into_text()
}

fn database(text: &mut Exposition, platform: &Platform) {
    let status = platform.store.database.status();
    let gauge = Kind::Gauge;
    for (name, help, value) in [
        (
            "octavo_lanes",
            "Connections shared by single statements.",
            status.lanes,
        ),
        (
            "octavo_lanes_up",
            "Lanes that are connected.",
            status.lanes_up,
        ),
        (
            "octavo_pool_open",
            "Open connections for transactions.",
            status.pool_open,
        ),
        ("octavo_pool_size", "The most of them.", status.pool_size),
        (
            "octavo_pool_waiting",
            "Callers waiting for one.",
            status.pool_waiting,
        ),
    ] {
        text.single(name, gauge, help, value);
    }
    let trouble = u8::from(platform.store.database.trouble().is_some());
    text.single(
        "octavo_database_trouble",
        gauge,
        "1 while the disk of the database is full or it does not answer.",
        trouble,
    );
}

/// The names are written without replicas too, so that a dashboard finds each.
async fn readers(text: &mut Exposition, platform: &Platform) {
    let readers = platform.gateway.readers.as_ref();
    let (statuses, writer) = match readers {
        None => (Vec::new(), None),
        Some(readers) => (readers.status().readers, readers.position().await),
    };
    let label = |at: usize| at.to_string();
    text.family(
        "octavo_reader_up",
        Kind::Gauge,
        "1 while a replica answers reads.",
    );
    for (at, one) in statuses.iter().enumerate() {
        let up = u8::from(one.position.is_some());
        text.sample("octavo_reader_up", &[("reader", &label(at))], up);
    }
    text.family(
        "octavo_reader_lag_bytes",
        Kind::Gauge,
        "Bytes of the log that a replica has not replayed.",
    );
    for (at, one) in statuses.iter().enumerate() {
        if let (Some(position), Some(writer)) = (one.position, writer)
            && position.timeline == writer.timeline
        {
            let lag = writer.lsn.since(position.lsn);
            text.sample("octavo_reader_lag_bytes", &[("reader", &label(at))], lag);
        }
    }
    text.family(
        "octavo_reader_reads_total",
        Kind::Counter,
        "Reads that a replica answered.",
    );
    for (at, one) in statuses.iter().enumerate() {
        text.sample(
            "octavo_reader_reads_total",
            &[("reader", &label(at))],
            one.reads,
        );
    }
}

/// What the database tells, at most so old; the last known where it does not answer.
async fn ask(platform: &Platform) -> DatabaseCounts {
    let mut last = platform.gateway.sources.counts.lock().await;
    if let Some((at, counts)) = &*last
        && at.elapsed() < FRESH
    {
        return counts.clone();
    }
    let database = &platform.store.database;
    let state = platform.registry.state();
    let tenants: Vec<Tenant> = state
        .tenants
        .values()
        .map(|view| view.tenant.clone())
        .filter(|tenant| platform.tenants.known(tenant.id()))
        .collect();
    let fingerprint = platform.tenants.fingerprint();
    let asked = async {
        Ok::<_, octavo_postgres::DatabaseError>(DatabaseCounts {
            up: true,
            tenants: store::tenants(database, fingerprint).await?,
            timers: store::timers(database).await?,
            queues: store::queues(database, &tenants).await?,
            events: store::events(database, &tenants).await?,
        })
    };
    let counts = asked.await.unwrap_or_else(|error| {
        tracing::debug!(%error, "figures of the database cannot be read");
        let known = last.as_ref().map(|(_, counts)| counts.clone());
        DatabaseCounts {
            up: false,
            ..known.unwrap_or_default()
        }
    });
    *last = Some((Instant::now(), counts.clone()));
    counts
}

fn counts(text: &mut Exposition, counts: &DatabaseCounts) {
    let (counter, gauge) = (Kind::Counter, Kind::Gauge);
    let up = u8::from(counts.up);
    text.single(
        "octavo_database_up",
        gauge,
        "1 while the database answers.",
        up,
    );
    text.family("octavo_tenants", gauge, "Tenants by state.");
    let tenants = counts.tenants;
    for (state, count) in [
        ("ready", tenants.ready),
        ("indexing", tenants.indexing),
        ("waiting", tenants.waiting),
    ] {
        text.sample("octavo_tenants", &[("state", state)], count);
    }
    let timers = counts.timers;
    text.single("octavo_timers", gauge, "Timers of all tenants.", timers.all);
    text.single(
        "octavo_timers_failed",
        gauge,
        "Timers whose last run failed.",
        timers.failed,
    );
    text.single(
        "octavo_timers_running",
        gauge,
        "Timers that run now.",
        timers.running,
    );
    text.single(
        "octavo_timer_runs_total",
        counter,
        "Runs of timers.",
        timers.runs,
    );
    let help = "How late the most overdue timer is.";
    text.single(
        "octavo_timers_late_seconds",
        gauge,
        help,
        timers.late_seconds,
    );
    text.family("octavo_jobs", gauge, "Background jobs by queue.");
    for queue in &counts.queues {
        text.sample("octavo_jobs", &[("queue", &queue.queue)], queue.jobs);
    }
    text.family(
        "octavo_jobs_retried",
        gauge,
        "Jobs whose last portion was not finished.",
    );
    for queue in &counts.queues {
        text.sample(
            "octavo_jobs_retried",
            &[("queue", &queue.queue)],
            queue.retried,
        );
    }
    text.family(
        "octavo_jobs_oldest_seconds",
        gauge,
        "The age of the oldest job.",
    );
    for queue in &counts.queues {
        let labels = [("queue", queue.queue.as_str())];
        text.sample("octavo_jobs_oldest_seconds", &labels, queue.oldest_seconds);
    }
    let help = "Events that were written to the outboxes.";
    text.single("octavo_outbox_events_total", counter, help, counts.events);
}
