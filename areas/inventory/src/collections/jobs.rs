//! What runs for longer than a request: jobs that tell every instance, and jobs that change records
//! anew. How far a job is stands in the queue of jobs (`foundation/jobs`).

use octavo_records::Collection;

/// The three kinds of jobs.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![
        Collection::new(
            "reindex_job",
            "reindexJobs",
            include_str!("../shapes/reindex_job.shape"),
        ),
        Collection::new(
            "iteration_job",
            "iterationJobs",
            include_str!("../shapes/iteration_job.shape"),
        ),
        Collection::new(
            "async_migration_job",
            "jobs",
            include_str!("../shapes/async_migration_job.shape"),
        ),
    ]
}
