//! Portions are done once, by whichever process has the job.

use std::sync::Arc;
use std::time::Duration;

use octavo_jobs::{NewJob, Queue, Workers};
use octavo_records::{Fault, StoreError};
use serde_json::json;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::counting::{Counting, Event, Place, run, store, until};

static QUEUE: Queue = Queue::named("counting");

#[tokio::test]
async fn a_job_is_done_portion_by_portion_and_its_row_goes() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 25).await;
    let work = Counting::new(&QUEUE);
    assert_eq!(run(&place, &work).await, 3);
    place.is_whole(job, 25).await;
    assert_eq!(work.sizes(job), [10, 10, 10]);
    assert_eq!(run(&place, &work).await, 0, "nothing is left");
}

#[tokio::test]
async fn an_id_is_in_a_queue_once_and_a_queue_has_a_limit_where_it_is_asked_for() {
    let place = Place::new(&["diku"]).await;
    let (database, tenant) = (&place.store.database, place.tenant());
    let new = |id| NewJob {
        id,
        key: None,
        progress: json!({"reached": 0, "end": 1}),
    };
    let first = place.add(&QUEUE, None, 1).await;
    assert!(!QUEUE.add(database, tenant, new(first)).await.unwrap());
    let second = Uuid::new_v4();
    let added = QUEUE.add_below(database, tenant, 2, new(second)).await;
    assert!(added.unwrap());
    let third = QUEUE.add_below(database, tenant, 2, new(Uuid::new_v4()));
    assert!(!third.await.unwrap());
    // Another queue has its own ids and its own limit.
    static OTHER: Queue = Queue::named("other");
    let added = OTHER.add_below(database, tenant, 1, new(first)).await;
    assert!(added.unwrap());
    assert_eq!(run(&place, &Counting::new(&QUEUE)).await, 2);
    assert_eq!(place.jobs().await, 1);
}

#[tokio::test]
async fn two_processes_do_each_portion_once() {
    let place = Place::new(&["diku"]).await;
    let mut jobs = Vec::new();
    for _ in 0..4 {
        jobs.push(place.add(&QUEUE, None, 100).await);
    }
    let other = store(&place.database).await;
    let (mine, theirs) = (Counting::new(&QUEUE), Counting::new(&QUEUE));
    let (here, there) = (Workers::default(), Workers::default());
    let tenant = place.tenant();
    // One that finds all jobs held ends, as if its timer came again it looks once more.
    while place.jobs().await > 0 {
        let both = tokio::join!(
            here.run(&place.store, tenant, &mine),
            there.run(&other, tenant, &theirs)
        );
        both.0.unwrap();
        both.1.unwrap();
    }
    for job in jobs {
        place.is_whole(job, 100).await;
    }
    assert_eq!(mine.events().len() + theirs.events().len(), 40);
    assert!(!mine.events().is_empty() && !theirs.events().is_empty());
}

#[tokio::test]
async fn a_portion_that_is_cut_off_is_done_by_another_process() {
    let place = Place::new(&["diku"]).await;
    let other = store(&place.database).await;
    let tenant = place.tenant();
    // The process dies, or only its connection does.
    for dies in [true, false] {
        let job = place.add(&QUEUE, None, 15).await;
        let reached = Arc::new(Notify::new());
        let tell = Arc::clone(&reached);
        let stuck = Counting::with(&QUEUE, move |_, _| {
            tell.notify_one();
            std::future::pending()
        });
        let (first, of) = (place.store.clone(), tenant.clone());
        let working =
            tokio::spawn(async move { Workers::default().run(&first, &of, &stuck).await });
        reached.notified().await;
        // Held: nobody else takes it, and the attempt is counted though nothing is committed.
        let work = Counting::new(&QUEUE);
        let none = Workers::default().run(&other, tenant, &work).await.unwrap();
        assert_eq!(none, 0);
        let attempts = "SELECT attempts::bigint FROM {schema}.octavo_job_attempt";
        assert_eq!(place.number(attempts).await, 1);
        if dies {
            working.abort();
        } else {
            let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                        WHERE state = 'idle in transaction' AND datname = current_database()";
            assert_eq!(place.number(kill).await, 1);
        }
        until("the job is free", || async {
            let work = Counting::new(&QUEUE);
            let done = Workers::default().run(&other, tenant, &work).await.unwrap();
            done > 0
        })
        .await;
        place.is_whole(job, 15).await;
        working.abort();
    }
}

#[tokio::test]
async fn a_worker_looks_once_more_for_what_came_while_it_was_at_work() {
    let place = Place::new(&["diku"]).await;
    let first = place.add(&QUEUE, None, 5).await;
    let (reached, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (Arc::clone(&reached), Arc::clone(&go));
    let (counting, work) = Counting::with(&QUEUE, move |_, _| {
        let (tell, wait) = (Arc::clone(&tell), Arc::clone(&wait));
        async move {
            tell.notify_one();
            wait.notified().await;
            Ok(())
        }
    })
    .shared();
    let workers = Workers::default();
    workers.begin(&place.store, place.tenant(), Arc::clone(&work));
    reached.notified().await;
    let second = place.add(&QUEUE, None, 5).await;
    for _ in 0..3 {
        workers.begin(&place.store, place.tenant(), Arc::clone(&work));
    }
    go.notify_one();
    reached.notified().await;
    assert_eq!(counting.sizes(second), [10]);
    go.notify_one();
    until("both are done", || async { place.jobs().await == 0 }).await;
    place.is_whole(first, 5).await;
    place.is_whole(second, 5).await;
}

#[tokio::test]
async fn a_cancelled_job_ends_at_its_turn_after_the_portion_at_work() {
    let place = Place::new(&["diku"]).await;
    let tenant = place.tenant();
    assert!(!place.cancel(&QUEUE, Uuid::new_v4()).await);
    let job = place.add(&QUEUE, None, 100).await;
    let (reached, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (Arc::clone(&reached), Arc::clone(&go));
    let (counting, work) = Counting::with(&QUEUE, move |_, _| {
        let (tell, wait) = (Arc::clone(&tell), Arc::clone(&wait));
        async move {
            tell.notify_one();
            wait.notified().await;
            Ok(())
        }
    })
    .shared();
    let workers = Workers::default();
    workers.begin(&place.store, tenant, Arc::clone(&work));
    reached.notified().await;
    // The portion at work holds the job, and is not waited for.
    let cancelling = tokio::time::timeout(Duration::from_secs(10), place.cancel(&QUEUE, job));
    assert!(cancelling.await.expect("cancelling waits for nothing"));
    assert_eq!(counting.sizes(job), [10], "the first portion is at work");
    go.notify_one();
    until("it ends", || async { place.jobs().await == 0 }).await;
    let events = counting.events();
    assert_eq!(events, [Event::Portion(job, 10), Event::Cancelled(job)]);
    let written = place.number("SELECT count(*) FROM {schema}.number").await;
    assert_eq!(written, 10, "what was done stays");
}

#[tokio::test]
async fn a_job_that_is_cancelled_does_not_wait_for_the_pause_of_its_failed_portion() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 100).await;
    let (reached, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (tell, wait) = (Arc::clone(&reached), Arc::clone(&go));
    let (counting, work) = Counting::with(&QUEUE, move |_, _| {
        let (tell, wait) = (Arc::clone(&tell), Arc::clone(&wait));
        async move {
            tell.notify_one();
            wait.notified().await;
            Err(StoreError::Timeout(Fault::new("slow")))
        }
    })
    .shared();
    let workers = Workers::default();
    workers.begin(&place.store, place.tenant(), Arc::clone(&work));
    for _ in 0..2 {
        // The second attempt follows at once; after it the job would have a pause of ten seconds.
        reached.notified().await;
        if counting.sizes(job).len() == 2 {
            assert!(place.cancel(&QUEUE, job).await);
        }
        go.notify_one();
    }
    until("it ends", || async { place.jobs().await == 0 }).await;
    let events = counting.events();
    assert_eq!(events.last(), Some(&Event::Cancelled(job)));
    // One whose turn would be later has it now.
    let paused = place.add(&QUEUE, None, 10).await;
    let failing = Counting::with(&QUEUE, |_, _| async {
        Err(StoreError::Timeout(Fault::new("slow")))
    });
    run(&place, &failing).await;
    assert_eq!(run(&place, &failing).await, 0, "it has its pause");
    assert!(place.cancel(&QUEUE, paused).await);
    assert_eq!(run(&place, &failing).await, 1);
    assert_eq!(failing.events().last(), Some(&Event::Cancelled(paused)));
}

#[tokio::test]
async fn what_is_held_from_outside_is_left_alone_and_its_progress_can_be_set() {
    let place = Place::new(&["diku"]).await;
    let tenant = place.tenant();
    let job = place.add(&QUEUE, None, 30).await;
    let work = Counting::new(&QUEUE);
    let transaction = place.store.database.transaction().await.unwrap();
    let progress = QUEUE.hold(&transaction, tenant, job).await.unwrap();
    assert_eq!(progress, Some(json!({"reached": 0, "end": 30})));
    assert_eq!(run(&place, &work).await, 0);
    let progress = json!({"reached": 0, "end": 7});
    QUEUE
        .set_progress(&transaction, tenant, job, &progress)
        .await
        .unwrap();
    let missing = QUEUE.hold(&transaction, tenant, Uuid::new_v4()).await;
    assert_eq!(missing.unwrap(), None);
    transaction.commit().await.unwrap();
    assert_eq!(run(&place, &work).await, 1);
    place.is_whole(job, 7).await;
    let job = place.add(&QUEUE, None, 30).await;
    let has = QUEUE.has(tenant.schema(), "job.progress->>'end' = '30'");
    assert_eq!(
        place.number(&format!("SELECT ({has})::int::bigint")).await,
        1
    );
    let transaction = place.store.database.transaction().await.unwrap();
    QUEUE.remove(&transaction, tenant, job).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(place.jobs().await, 0);
    assert_eq!(
        place.number(&format!("SELECT ({has})::int::bigint")).await,
        0
    );
}
