//! What the staff client's page of the workbench asks for: indexes, background work, who is slow, and
//! runs of workloads against the caller's own tenant.

mod indexes;
mod jobs;
mod run_folder;
mod run_request;
mod runs;
mod slowness;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use http::Method;
use octavo_platform::{Handler, Interface, Module};
use serde::Serialize;

use indexes::IndexBuilds;
use runs::Runs;

const SHAPES: &[(&str, &str)] = &[
    ("octavo.requests", include_str!("shapes/requests.shape")),
    ("octavo.times", include_str!("shapes/times.shape")),
];

/// A workload that comes with the program.
#[derive(Debug, Clone, Serialize)]
pub struct WorkloadSummary {
    /// The name on the command line.
    pub id: String,
    pub name: String,
    /// What is simulated, and the sources of its facts.
    pub summary: String,
    /// Whether it changes records.
    pub writes: bool,
}

/// The page's part of a process. The workbench is not known here: a run is a process of its own, so
/// that it takes no memory or threads of the server, and ends without it.
#[derive(Debug, Default)]
pub struct Workbench {
    /// Whether runs may be started.
    pub allows_runs: bool,
    pub workloads: Vec<WorkloadSummary>,
    /// Where runs and their reports are stored; a folder for each tenant.
    pub folder: Option<PathBuf>,
    /// The URL at which a run reaches the server, known once it listens.
    pub url: OnceLock<String>,
    /// Whether its certificate is its own, which a run has to accept.
    pub is_self_signed: bool,
}

/// The routes as a module of their own, since FOLIO has none like them.
#[must_use]
pub fn module(workbench: &Arc<Workbench>) -> Module {
    Module::new("octavo-workbench", env!("CARGO_PKG_VERSION"))
        .permissions(include_str!("permissions.tsv"))
        .shapes(SHAPES)
        .interface(indexes())
        .interface(slowness::interface())
        .interface(Interface::new("octavo-jobs", "1.0").route(
            Method::GET,
            "/_/octavo/jobs",
            "octavo.jobs.collection.get",
            Handler::call(jobs::list),
        ))
        .interface(runs(&Arc::new(Runs::new(Arc::clone(workbench)))))
        .contents(include_str!("contents.tsv"))
}

fn indexes() -> Interface {
    let (path, builds) = ("/_/octavo/indexes", Arc::new(IndexBuilds::default()));
    let building = Arc::clone(&builds);
    Interface::new("octavo-indexes", "1.0")
        .route(
            Method::GET,
            path,
            "octavo.indexes.collection.get",
            Handler::call(move |call| indexes::list(Arc::clone(&building), call)),
        )
        .route(
            Method::POST,
            path,
            "octavo.indexes.post",
            Handler::call(move |call| indexes::build(Arc::clone(&builds), call)),
        )
        .route(
            Method::DELETE,
            "/_/octavo/indexes/{name}",
            "octavo.indexes.item.delete",
            Handler::call(indexes::remove),
        )
}

fn runs(runs: &Arc<Runs>) -> Interface {
    let (path, one) = ("/_/octavo/workload-runs", "/_/octavo/workload-runs/{runId}");
    let (read, write) = (
        "octavo.workload-runs.collection.get",
        "octavo.workload-runs.post",
    );
    Interface::new("octavo-workload-runs", "1.0")
        .route(
            Method::GET,
            "/_/octavo/workloads",
            read,
            runs::bound(runs, runs::workloads),
        )
        .route(Method::GET, path, read, runs::bound(runs, runs::list))
        .route(Method::POST, path, write, runs::bound(runs, runs::start))
        .route(Method::GET, one, read, runs::bound(runs, runs::read))
        .route(
            Method::GET,
            "/_/octavo/workload-runs/{runId}/report",
            read,
            runs::bound(runs, runs::report),
        )
        .route(
            Method::POST,
            "/_/octavo/workload-runs/{runId}/stop",
            write,
            runs::bound(runs, runs::stop),
        )
}
