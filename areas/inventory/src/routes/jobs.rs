//! Routes of jobs and of publishing records, and the background worker.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, Timer};

use crate::http::{jobs, object_storage, reindex_records};

/// Adds the table of progress, and the timer that resumes jobs.
pub(super) fn background(module: Module) -> Module {
    module
        .migration(
            "inventory-0002-jobs",
            include_str!("../migrations/jobs.sql"),
        )
        .migration(
            "inventory-0010-job-queue",
            include_str!("../migrations/job_queue.sql"),
        )
        .timer(Timer::every(
            1,
            "minute",
            "/inventory-storage/jobs/go-on",
            Handler::call(jobs::go_on),
        ))
}

pub(super) fn interfaces() -> Vec<Interface> {
    vec![reindex(), iteration(), migration(), records(), bulk()]
}

fn reindex() -> Interface {
    let (path, table) = ("/instance-storage/reindex", "reindex_job");
    let stem = "inventory-storage.instance.reindex";
    Interface::new("instance-reindex", "0.1")
        .route(
            Method::POST,
            path,
            &format!("{stem}.post"),
            Handler::transaction(jobs::reindex),
        )
        .answering(Content::Record(table))
        .readable(path, table, stem)
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(jobs::cancel_reindex),
        )
}

fn iteration() -> Interface {
    let (path, table) = ("/instance-storage/instances/iteration", "iteration_job");
    let stem = "inventory-storage.instance.iteration";
    Interface::new("instance-iteration", "1.0")
        .route(
            Method::POST,
            path,
            &format!("{stem}.post"),
            Handler::transaction(jobs::iterate),
        )
        .answering(Content::Record(table))
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::call(jobs::iteration),
        )
        .answering(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(jobs::cancel_iteration),
        )
}

fn migration() -> Interface {
    let (path, table) = ("/inventory-storage/migrations/jobs", "async_migration_job");
    let stem = "inventory-storage.migration";
    Interface::new("async-migration", "1.0")
        .route(
            Method::GET,
            "/inventory-storage/migrations",
            &format!("{stem}.item.get"),
            Handler::call(jobs::migrations),
        )
        .route(
            Method::POST,
            path,
            &format!("{stem}.job.post"),
            Handler::transaction(jobs::migrate),
        )
        .answering(Content::Record(table))
        .route(
            Method::GET,
            path,
            &format!("{stem}.job.collection.get"),
            Handler::call(jobs::migration_jobs),
        )
        .answering(Content::List(table))
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.job.item.get"),
            Handler::read(table),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.job.item.delete"),
            Handler::transaction(jobs::cancel_migration),
        )
}

fn records() -> Interface {
    Interface::new("inventory-reindex-records", "1.0")
        .satisfying(&["1.1"])
        .route(
            Method::POST,
            "/inventory-reindex-records/publish",
            "inventory-storage.reindex-records.publish.post",
            Handler::transaction(reindex_records::publish),
        )
        .route(
            Method::POST,
            "/inventory-reindex-records/export",
            "inventory-storage.reindex-records.export.post",
            Handler::call(object_storage::export),
        )
}

fn bulk() -> Interface {
    Interface::new("instance-storage-bulk", "1.1").route(
        Method::POST,
        "/instance-storage/instances/bulk",
        "inventory-storage.instances.bulk.post",
        Handler::call(object_storage::bulk),
    )
}
