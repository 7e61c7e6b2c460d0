//! A process that stops lets its jobs go, and they pay nothing for it.

use std::sync::Arc;
use std::time::Duration;

use octavo_jobs::{Queue, Workers};
use octavo_records::StoreError;
use tokio::sync::Notify;

use crate::counting::{Counting, Place, run};

static QUEUE: Queue = Queue::named("counting");

#[tokio::test]
async fn a_portion_that_is_broken_off_by_a_stop_is_no_attempt() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 5).await;
    let reached = Arc::new(Notify::new());
    let tell = Arc::clone(&reached);
    let (_, work) = Counting::with(&QUEUE, move |_, _| {
        tell.notify_one();
        std::future::pending::<Result<(), StoreError>>()
    })
    .shared();
    let workers = Workers::default();
    workers.begin(&place.store, place.tenant(), Arc::clone(&work));
    reached.notified().await;
    workers.stop().await;
    let attempts = "SELECT attempts::bigint FROM {schema}.octavo_job_attempt";
    assert_eq!(place.number(attempts).await, 0);
    // What stopped begins nothing more; another process does.
    workers.begin(&place.store, place.tenant(), Arc::clone(&work));
    let done = workers.run(&place.store, place.tenant(), &*work).await;
    assert_eq!(done.unwrap(), 0);
    assert_eq!(run(&place, &Counting::new(&QUEUE)).await, 1);
    place.is_whole(job, 5).await;
}

#[tokio::test]
async fn a_portion_that_is_nearly_done_is_waited_for() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 100).await;
    let reached = Arc::new(Notify::new());
    let tell = Arc::clone(&reached);
    let (counting, work) = Counting::with(&QUEUE, move |_, _| {
        tell.notify_one();
        async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Ok(())
        }
    })
    .shared();
    let workers = Workers::default();
    workers.begin(&place.store, place.tenant(), Arc::clone(&work));
    reached.notified().await;
    workers.stop().await;
    assert_eq!(counting.sizes(job), [10]);
    assert_eq!(
        place.number("SELECT count(*) FROM {schema}.number").await,
        10
    );
}
