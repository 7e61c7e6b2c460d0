//! Portions that fail: tried again, smaller and later, or the end of their job.

use octavo_jobs::{GivenUp, Queue, Workers, retry};
use octavo_records::{Fault, Outage, StoreError};

use crate::counting::{Counting, Event, Place, run, until};

static QUEUE: Queue = Queue::named("counting");

fn slow() -> StoreError {
    StoreError::Timeout(Fault::new("slow"))
}

/// Runs until nothing is left, as if there were no pauses.
async fn run_on(place: &Place, work: &Counting) {
    for _ in 0..100 {
        place.pauses_end().await;
        if place.jobs().await == 0 {
            return;
        }
        run(place, work).await;
    }
    panic!("it never ends: {:?}", work.events());
}

#[tokio::test]
async fn what_takes_too_long_is_done_in_smaller_portions_while_others_go_first() {
    let place = Place::new(&["diku"]).await;
    let troubled = place.add(&QUEUE, None, 20).await;
    let other = place.add(&QUEUE, None, 20).await;
    let work = Counting::with(&QUEUE, move |job, most| async move {
        match job.id == troubled && most > 1 {
            true => Err(slow()),
            false => Ok(()),
        }
    });
    run(&place, &work).await;
    // The second attempt follows at once; then it waits, and the other is done whole.
    assert_eq!(work.sizes(troubled), [10, 10]);
    place.is_whole(other, 20).await;
    let waits = "SELECT attempts::bigint FROM {schema}.octavo_job_attempt \
                 WHERE not_before BETWEEN now() + interval '5 s' AND now() + interval '10 s' \
                 AND reason = 'the database took too long'";
    assert_eq!(place.number(waits).await, 2);
    let written = place.number("SELECT count(*) FROM {schema}.number").await;
    assert_eq!(written, 20, "nothing of what failed was kept");
    place.pauses_end().await;
    run(&place, &work).await;
    place.is_whole(troubled, 20).await;
    // Small it stays, and each success begins to count anew.
    assert_eq!(work.sizes(troubled)[2..], [1; 20]);
}

#[tokio::test]
async fn a_job_that_never_gets_on_is_given_up_with_its_last_reason() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 20).await;
    let work = Counting::with(&QUEUE, |_, _| async { Err(slow()) });
    run_on(&place, &work).await;
    assert_eq!(work.sizes(job).len(), retry::ATTEMPTS_MAX as usize);
    let reason = GivenUp::Exhausted {
        attempts: retry::ATTEMPTS_MAX,
        last: "the database took too long".to_owned(),
    };
    assert_eq!(work.events().last(), Some(&Event::GivenUp(job, reason)));
    assert_eq!(
        place.number("SELECT count(*) FROM {schema}.number").await,
        0
    );
}

#[tokio::test]
async fn a_fault_of_the_job_ends_it_at_once_and_nothing_of_its_portion_is_kept() {
    let place = Place::new(&["diku"]).await;
    let faulty = place.add(&QUEUE, None, 30).await;
    let other = place.add(&QUEUE, None, 5).await;
    let work = Counting::with(&QUEUE, move |job, _| async move {
        match job.id == faulty && job.progress["reached"] == 10 {
            true => Err(StoreError::fault("no such field")),
            false => Ok(()),
        }
    });
    run(&place, &work).await;
    place.is_whole(other, 5).await;
    place.is_whole(faulty, 10).await;
    let reason = GivenUp::Fault("no such field".to_owned());
    assert!(work.events().contains(&Event::GivenUp(faulty, reason)));
}

#[tokio::test]
async fn a_job_may_go_on_behind_what_it_cannot_do() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 30).await;
    let mut work = Counting::with(&QUEUE, move |job, most| async move {
        let reached = job.progress["reached"].as_i64().unwrap();
        // The fourteenth number cannot be written.
        match (reached..reached + most).contains(&13) {
            true => Err(slow()),
            false => Ok(()),
        }
    });
    work.leaves_out = 1;
    run_on(&place, &work).await;
    place.is_whole(job, 29).await;
    let missing = "SELECT count(*) FROM {schema}.number WHERE number = 14";
    assert_eq!(place.number(missing).await, 0);
}

#[tokio::test]
async fn an_attempt_that_takes_its_process_with_it_is_counted() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 5).await;
    for begun in 1..=i64::from(retry::ATTEMPTS_MAX) {
        let stuck = Counting::with(&QUEUE, |_, _| std::future::pending());
        let (store, tenant) = (place.store.clone(), place.tenant().clone());
        let working = tokio::spawn(async move {
            let workers = Workers::default();
            // The connection of the one before may not have closed yet.
            while workers.run(&store, &tenant, &stuck).await.unwrap() == 0 {
                tokio::task::yield_now().await;
            }
        });
        let attempts = "SELECT coalesce(max(attempts), 0)::bigint FROM {schema}.octavo_job_attempt";
        until("it has begun", || async {
            place.number(attempts).await == begun
        })
        .await;
        working.abort();
        let _ = working.await;
    }
    let work = Counting::new(&QUEUE);
    until("it is given up", || async {
        run(&place, &work).await;
        place.jobs().await == 0
    })
    .await;
    let reason = GivenUp::Exhausted {
        attempts: retry::ATTEMPTS_MAX,
        last: "the process that worked on it ended".to_owned(),
    };
    assert_eq!(work.events(), [Event::GivenUp(job, reason)]);
}

#[tokio::test]
async fn an_outage_of_the_database_is_no_attempt() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 5).await;
    let full = || StoreError::Unavailable(Outage::DiskFull, Fault::new("no room"));
    let work = Counting::with(&QUEUE, move |_, _| async move { Err(full()) });
    for _ in 0..10 {
        assert_eq!(run(&place, &work).await, 1, "it waits behind each");
        place.pauses_end().await;
    }
    assert_eq!(work.sizes(job), [10; 10]);
    assert_eq!(run(&place, &Counting::new(&QUEUE)).await, 1);
    place.is_whole(job, 5).await;
}

#[tokio::test]
async fn a_job_that_cannot_be_given_up_keeps_no_other_waiting() {
    let place = Place::new(&["diku"]).await;
    let stubborn = place.add(&QUEUE, None, 5).await;
    let other = place.add(&QUEUE, None, 5).await;
    let work = Counting::with(&QUEUE, move |job, _| async move {
        match job.id == stubborn {
            true => Err(StoreError::fault("of no known kind")),
            false => Ok(()),
        }
    });
    work.stubborn.lock().unwrap().insert(stubborn);
    run(&place, &work).await;
    place.is_whole(other, 5).await;
    assert_eq!(place.jobs().await, 1);
    work.stubborn.lock().unwrap().clear();
    run_on(&place, &work).await;
}
