//! Long-running jobs: events for every instance, and migrations of records. A job's progress is in a
//! separate table (`migrations/jobs.sql`).

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
