//! Workers on a runtime of their own.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use octavo_jobs::{Queue, Workers};
use tokio::runtime::Builder;

use crate::counting::{Counting, Place, until};

static QUEUE: Queue = Queue::named("counting");

#[tokio::test]
async fn portions_are_done_on_the_threads_of_background_work() {
    let place = Place::new(&["diku"]).await;
    let job = place.add(&QUEUE, None, 25).await;
    let background = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("background")
        .enable_all()
        .build()
        .unwrap();
    let threads = Arc::new(Mutex::new(HashSet::new()));
    let seen = Arc::clone(&threads);
    let (_, work) = Counting::with(&QUEUE, move |_, _| {
        let name = std::thread::current().name().map(str::to_owned);
        seen.lock().unwrap().insert(name);
        async { Ok(()) }
    })
    .shared();
    let workers = Workers::on(background.handle().clone());
    workers.begin(&place.store, place.tenant(), work);
    until("the job is done", || async { place.jobs().await == 0 }).await;
    place.is_whole(job, 25).await;
    let seen = std::mem::take(&mut *threads.lock().unwrap());
    assert_eq!(seen, HashSet::from([Some("background".to_owned())]));
    workers.stop().await;
    background.shutdown_background();
}
