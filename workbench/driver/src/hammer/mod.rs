//! Sends one request repeatedly, as fast as the server answers: a closed loop on a few kept-alive
//! connections that costs the driver as little as possible. No JSON is parsed, and after the first
//! requests nothing is allocated.

mod request;
mod summary;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tokio::task::LocalSet;

use crate::feeder::{CsvError, Row, read_table};
use octavo_client::{Client, Endpoint, Limits};
use octavo_figures::Series;

use crate::measure::{Failures, processor};
use crate::session::{Session, SessionError, Target};
use crate::workload::{Names, TemplateError, Variables, contains};

use request::RequestTemplate;
pub use summary::{HammerFailure, HammerSummary, table};

/// The request, the server, the load and its length.
#[derive(Debug, Clone)]
pub struct HammerOptions {
    pub target: Target,
    /// Encoded path and query with `${column}` where a value of the file goes.
    pub path_template: String,
    /// `GET`, `POST`, …; by default `POST` with a body and `GET` without.
    pub method: Option<String>,
    /// A file with a JSON body that may contain `${column}`, `${uuid()}` and the like.
    pub body_template: Option<PathBuf>,
    /// A CSV file with a header line.
    pub feeder: Option<PathBuf>,
    /// Takes each row once, in the order of the file, and ends with the last one at the latest.
    pub rows_once: bool,
    /// Connections, each with one request at a time.
    pub connections: usize,
    pub duration: Duration,
    /// Worker threads.
    pub threads: usize,
    /// Text that every body must contain.
    pub body_contains: Option<String>,
    /// Makes the choice of rows repeatable.
    pub seed: u64,
    /// Time-outs and sizes.
    pub limits: Limits,
}

/// Why the run failed.
#[derive(Debug, thiserror::Error)]
pub enum HammerError {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// A template is invalid.
    #[error("{option}: {reason}")]
    Template {
        option: &'static str,
        reason: TemplateError,
    },
    /// Options that exclude each other.
    #[error("{0}")]
    Options(String),
    /// The operating system refused a thread or a runtime.
    #[error("cannot start the workers: {0}")]
    Workers(std::io::Error),
    /// A worker thread died.
    #[error("a worker thread died; its results are lost")]
    WorkerDied,
}

/// The request and the rows that fill it; shared by all connections.
struct HammerPlan {
    endpoint: Arc<Endpoint>,
    request: RequestTemplate,
    variables: Variables,
    /// Variable slot and column of the file.
    columns: Vec<(usize, usize)>,
    rows: Vec<Row>,
    /// How many rows were taken, if each is taken once.
    taken: Option<AtomicUsize>,
    body_contains: Vec<u8>,
    deadline: Instant,
    limits: Limits,
}

#[derive(Default)]
struct Tally {
    series: Series,
    failures: Failures,
    received: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.series.add(&other.series);
        self.failures.add(&other.failures);
        self.received += other.received;
    }
}

/// Logs in once and runs. Must be called outside of async runtimes.
///
/// # Errors
/// When the run cannot begin. Failed requests are results, not errors.
pub fn hammer(options: &HammerOptions) -> Result<HammerSummary, HammerError> {
    if options.connections == 0 || options.threads == 0 {
        return Err(HammerError::Options(
            "at least one connection and thread are needed".into(),
        ));
    }
    let runtime = new_runtime()?;
    let session = runtime.block_on(Session::open(&options.target))?;
    let plan = Arc::new(plan(options, &session)?);
    drop((session, runtime));
    let started = Instant::now();
    let processor_before = processor::time_used();
    let threads = options.threads.min(options.connections);
    let mut workers = Vec::new();
    for worker in 0..threads {
        let runtime = new_runtime()?;
        let plan = Arc::clone(&plan);
        let seeds: Vec<u64> = (worker..options.connections)
            .step_by(threads)
            .map(|number| options.seed.wrapping_add(number as u64))
            .collect();
        workers.push(std::thread::spawn(move || work(&runtime, &plan, &seeds)));
    }
    let mut tally = Tally::default();
    for worker in workers {
        tally.add(worker.join().map_err(|_| HammerError::WorkerDied)?);
    }
    let measured = started.elapsed();
    let processor = processor_before
        .and_then(|before| processor::time_used().map(|after| after.saturating_sub(before)));
    Ok(HammerSummary::new(
        options,
        &tally.series,
        &tally.failures,
        tally.received,
        measured,
        processor,
    ))
}

fn new_runtime() -> Result<tokio::runtime::Runtime, HammerError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(HammerError::Workers)
}

fn plan(options: &HammerOptions, session: &Session) -> Result<HammerPlan, HammerError> {
    let mut names = Names::default();
    let request = RequestTemplate::new(options, session, &mut names)?;
    let (columns, rows) = rows(options, &names)?;
    Ok(HammerPlan {
        endpoint: Arc::clone(session.endpoint()),
        request,
        variables: Variables::new(&names),
        columns,
        rows,
        taken: options.rows_once.then(AtomicUsize::default),
        body_contains: options
            .body_contains
            .clone()
            .unwrap_or_default()
            .into_bytes(),
        deadline: Instant::now() + options.duration,
        limits: options.limits,
    })
}

type Filling = (Vec<(usize, usize)>, Vec<Row>);

fn rows(options: &HammerOptions, names: &Names) -> Result<Filling, HammerError> {
    let Some(file) = &options.feeder else {
        return match names.never_set() {
            None => Ok((Vec::new(), Vec::new())),
            Some((_, name)) => Err(HammerError::Options(format!(
                "a template reads ${{{name}}}, but no --feeder FILE.csv has it"
            ))),
        };
    };
    let table = read_table(file)?;
    let mut columns = Vec::new();
    for (slot, name) in names.iter().enumerate() {
        let column = table.columns.get(name).ok_or_else(|| {
            HammerError::Options(format!("{} has no column `{name}`", file.display()))
        })?;
        columns.push((slot, *column));
    }
    Ok((columns, table.rows))
}

fn work(runtime: &tokio::runtime::Runtime, plan: &Arc<HammerPlan>, seeds: &[u64]) -> Tally {
    let tasks = LocalSet::new();
    let plan: Rc<Arc<HammerPlan>> = Rc::new(Arc::clone(plan));
    let handles: Vec<_> = seeds
        .iter()
        .map(|seed| {
            let (plan, seed) = (Rc::clone(&plan), *seed);
            tasks.spawn_local(async move { connection(&plan, seed).await })
        })
        .collect();
    tasks.block_on(runtime, async {
        let mut tally = Tally::default();
        for handle in handles {
            if let Ok(other) = handle.await {
                tally.add(other);
            }
        }
        tally
    })
}

/// The pause after a request without a response, so that a dead server does not cost a whole
/// processor.
const REST_AFTER_FAULT: Duration = Duration::from_millis(50);

async fn connection(plan: &HammerPlan, seed: u64) -> Tally {
    let mut client = Client::new(Arc::clone(&plan.endpoint), plan.limits);
    let mut random = SmallRng::seed_from_u64(seed);
    let mut variables = plan.variables.clone();
    let mut request = Vec::with_capacity(2048);
    let mut body = Vec::new();
    let mut tally = Tally::default();
    while Instant::now() < plan.deadline {
        if !plan.columns.is_empty() {
            let at = match &plan.taken {
                Some(taken) => taken.fetch_add(1, Ordering::Relaxed),
                None => random.random_range(0..plan.rows.len()),
            };
            let Some(row) = plan.rows.get(at) else {
                break;
            };
            for (slot, column) in &plan.columns {
                variables.set(*slot, &row[*column]);
            }
        }
        plan.request
            .render(&variables, &mut random, &mut body, &mut request);
        let started = Instant::now();
        let repeatable = plan.request.repeatable;
        match client.exchange(&request, repeatable).await {
            Ok(exchange) => {
                let body = client.body(&exchange);
                let failure = match exchange.status {
                    200..300 if contains(body, &plan.body_contains) => None,
                    200..300 => Some("the body lacks the expected text".to_owned()),
                    status => Some(format!("HTTP {status}")),
                };
                if let Some(kind) = &failure {
                    tally.failures.record(0, kind, exchange.status, body);
                }
                tally.received += exchange.bytes as u64;
                tally.series.record(exchange.elapsed, failure.is_none());
            }
            Err(fault) => {
                tally.failures.record(0, &fault.to_string(), 0, b"");
                tally.series.record(started.elapsed(), false);
                tokio::time::sleep(REST_AFTER_FAULT).await;
            }
        }
    }
    tally
}
