//! Background work of a tenant: one queue, one worker, one retry policy for all areas.
//!
//! A **job** is a row of the tenant's table `octavo_job`, from [`Queue::add`] until it is done. It is done in
//! **portions**: [`Work::portion`] does some of it in a transaction, and how far the job is (`progress`) is
//! committed with that. The row is locked meanwhile, so no two processes do the same, and a process that ends
//! loses its lock at once: another goes on behind the last commit, and nothing is done twice or half.
//!
//! A portion that fails is judged by [`retry`]: what may pass is tried again later and in smaller portions, while
//! other jobs go first; what is the job's own fault, and what never passes, ends with [`Work::give_up`]. Attempts
//! are counted apart from the portion's transaction, in `octavo_job_attempt`, so that one that takes its process
//! with it is counted too.
//!
//! [`Workers`] belong to a process. [`Workers::begin`] returns at once and is called after the commit that added a
//! job; a timer of the area calls it too, for jobs that another process left. [`Workers::spawn`] alone is for work
//! that does not fit into transactions, such as mail.
//!
//! An area declares a [`Queue`], implements [`Work`], and keeps what clients see of a job in a document of its own.
//! Whoever needs both locks takes the job's row before the document: that is the order of the worker.

mod portion;
mod queue;
pub mod retry;
mod room;
pub mod standing;
mod store;
mod work;
mod workers;

pub use queue::{NewJob, Order, Queue};
pub use room::{InFlight, PortionSize, Room};
pub use work::{Ended, GivenUp, Job, Outcome, Progress, Work};
pub use workers::{RUN_MAX, Workers};

/// The steps of migrations that make the tables, by their names. They come before the steps of areas, which put
/// their jobs of earlier releases into them.
pub const STEPS: [(&str, &str); 2] = [
    ("jobs", include_str!("jobs.sql")),
    ("job_cancellation", include_str!("job_cancellation.sql")),
];
