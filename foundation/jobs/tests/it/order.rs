//! Whose turn it is: among the jobs of a queue, and among tenants.

use std::sync::Arc;

use octavo_jobs::{Order, Queue, Workers};
use uuid::Uuid;

use crate::counting::{Counting, Event, Place, run, until};

/// The jobs of the portions, in order.
fn jobs(work: &Counting) -> Vec<Uuid> {
    let events = work.events();
    let jobs = events.iter().map(|event| match event {
        Event::Portion(id, _) | Event::GivenUp(id, _) | Event::Cancelled(id) => *id,
    });
    jobs.collect()
}

#[tokio::test]
async fn the_oldest_job_is_done_before_the_next() {
    static QUEUE: Queue = Queue::named("counting");
    let place = Place::new(&["diku"]).await;
    let first = place.add(&QUEUE, None, 30).await;
    let second = place.add(&QUEUE, None, 20).await;
    let work = Counting::new(&QUEUE);
    run(&place, &work).await;
    assert_eq!(jobs(&work), [first, first, first, second, second]);
}

#[tokio::test]
async fn where_jobs_take_turns_a_small_one_does_not_wait_for_a_large_one() {
    static QUEUE: Queue = Queue {
        order: Order::Turns,
        ..Queue::named("turns")
    };
    let place = Place::new(&["diku"]).await;
    let large = place.add(&QUEUE, None, 50).await;
    let small = place.add(&QUEUE, None, 20).await;
    let work = Counting::new(&QUEUE);
    run(&place, &work).await;
    let expected = [large, small, large, small, large, large, large];
    assert_eq!(jobs(&work), expected);
}

#[tokio::test]
async fn jobs_of_one_key_are_done_one_after_the_other_and_others_beside() {
    static QUEUE: Queue = Queue::named("counting");
    let place = Place::new(&["diku"]).await;
    let key = Some(Uuid::new_v4());
    let first = place.add(&QUEUE, key, 20).await;
    let second = place.add(&QUEUE, key, 20).await;
    let other = place.add(&QUEUE, Some(Uuid::new_v4()), 20).await;
    let held = place.store.database.transaction().await.unwrap();
    let _ = QUEUE.hold(&held, place.tenant(), first).await.unwrap();
    let work = Counting::new(&QUEUE);
    run(&place, &work).await;
    assert_eq!(jobs(&work), [other, other], "somebody has the first");
    held.rollback().await.unwrap();
    // One that is to be tried later holds those behind it back, too.
    place
        .run_sql(&format!(
            "INSERT INTO {{schema}}.octavo_job_attempt (queue, id, attempts, not_before) \
             VALUES ('counting', '{first}', 2, now() + interval '1 hour')"
        ))
        .await;
    assert_eq!(run(&place, &work).await, 0);
    place.pauses_end().await;
    run(&place, &work).await;
    // Two portions failed before, as it were, so they became smaller.
    assert_eq!(work.sizes(first), [1; 20]);
    assert_eq!(work.sizes(second), [10, 10]);
    let behind = jobs(&work);
    assert_eq!(behind[behind.len() - 2..], [second, second]);
}

#[tokio::test]
async fn a_job_waits_until_there_is_something_to_do() {
    static QUEUE: Queue = Queue {
        ready: Some(|_| "(job.progress->>'end')::bigint > 0".to_owned()),
        ..Queue::named("ready")
    };
    let place = Place::new(&["diku"]).await;
    let waiting = place.add(&QUEUE, None, 0).await;
    let other = place.add(&QUEUE, None, 5).await;
    let work = Counting::new(&QUEUE);
    assert_eq!(run(&place, &work).await, 1);
    assert_eq!(jobs(&work), [other]);
    assert!(place.cancel(&QUEUE, waiting).await);
    assert_eq!(run(&place, &work).await, 1, "it need not be ready to end");
    assert_eq!(work.events().last(), Some(&Event::Cancelled(waiting)));
}

#[tokio::test]
async fn tenants_take_turns_however_many_jobs_one_of_them_has() {
    static QUEUE: Queue = Queue {
        workers: 3,
        portions: 1,
        ..Queue::named("fair")
    };
    let mut place = Place::new(&["many", "few"]).await;
    for _ in 0..10 {
        place.add(&QUEUE, None, 100).await;
    }
    place.tenants.reverse();
    let small = place.add(&QUEUE, None, 50).await;
    let (counting, work) = Counting::new(&QUEUE).shared();
    let workers = Workers::default();
    for tenant in ["many", "many", "many", "few"] {
        let tenant = place.tenants.iter().find(|one| one.id() == tenant).unwrap();
        workers.begin(&place.store, tenant, Arc::clone(&work));
    }
    until("the small one is done", || async {
        place.jobs().await == 0
    })
    .await;
    place.is_whole(small, 50).await;
    let turns = counting.turns.lock().unwrap().clone();
    let few: Vec<usize> = (0..turns.len()).filter(|at| turns[*at] == "few").collect();
    assert_eq!(few.len(), 5);
    // Three workers of the other tenant had a portion each between two of them, and no more.
    for pair in few.windows(2) {
        assert!(pair[1] - pair[0] <= 4, "{turns:?}");
    }
    workers.stop().await;
}
