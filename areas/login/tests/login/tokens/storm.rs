//! Many log-ins at once: other requests are served, and the queue is bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_go_on_while_fifty_clients_log_in() {
    let library = library().await;
    let admin = library.client().await;
    let (over, log_ins) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let mut storm = tokio::task::JoinSet::new();
    for number in 0..50 {
        let (client, over, log_ins) = (library.stranger(), Arc::clone(&over), Arc::clone(&log_ins));
        let body = json!({"username": format!("nobody-{number}"), "password": "wrong"});
        storm.spawn(async move {
            while !over.load(Ordering::Acquire) {
                let answer = client.post("/authn/login", &body).await;
                assert!([422, 503].contains(&answer.status), "{}", answer.text);
                log_ins.fetch_add(1, Ordering::AcqRel);
            }
        });
    }
    let database = &library.platform.store.database;
    until(|| async { log_ins.load(Ordering::Acquire) >= 10 }).await;
    // Many others are served in the time that one client's few log-ins take: none waits after those.
    let before = log_ins.load(Ordering::Acquire);
    for _ in 0..200 {
        let _ = admin.get(ITEMS).await.expect(200);
    }
    let meanwhile = log_ins.load(Ordering::Acquire) - before;
    assert!(
        meanwhile < 50 * 200 / 4,
        "{meanwhile} log-ins of 50 clients before 200 requests of one"
    );
    over.store(true, Ordering::Release);
    while let Some(ended) = storm.join_next().await {
        ended.expect("no panic");
    }
    assert!(database.query("SELECT 1", &[]).await.is_ok());
}

#[tokio::test]
async fn log_ins_that_wait_are_bounded() {
    let library = library().await;
    let begun = Arc::new(AtomicUsize::new(0));
    let refused = Arc::new(AtomicUsize::new(0));
    let mut checks = tokio::task::JoinSet::new();
    let mut check = |work: Box<dyn FnOnce() + Send>| {
        let (platform, begun) = (Arc::clone(&library.platform), Arc::clone(&begun));
        let refused = Arc::clone(&refused);
        checks.spawn(async move {
            begun.fetch_add(1, Ordering::AcqRel);
            if platform.identities.password_checks.run(work).await.is_err() {
                refused.fetch_add(1, Ordering::AcqRel);
            }
        });
    };
    // The threads for passwords are held, so that all others wait.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = Arc::new(std::sync::Mutex::new(held));
    let holding = Arc::new(AtomicUsize::new(0));
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let threads = cores.div_ceil(4);
    for _ in 0..threads {
        let (held, holding) = (Arc::clone(&held), Arc::clone(&holding));
        check(Box::new(move || {
            holding.fetch_add(1, Ordering::AcqRel);
            let _ = held.lock().map(|held| held.recv());
        }));
    }
    // What a thread takes later would leave room for one more.
    until(|| async { holding.load(Ordering::Acquire) == threads }).await;
    for _ in 0..1_000 {
        check(Box::new(|| {}));
    }
    until(|| async { begun.load(Ordering::Acquire) > 1_000 }).await;
    // Those that have waited longest are refused, not the newest.
    until(|| async { refused.load(Ordering::Acquire) == 1_000 - 512 }).await;
    let (client, body) = (
        library.stranger(),
        json!({"username": USERNAME, "password": PASSWORD}),
    );
    let right = tokio::spawn(async move { client.post("/authn/login", &body).await });
    until(|| async { refused.load(Ordering::Acquire) == 1_001 - 512 }).await;
    assert!(!right.is_finished());
    // A client that disconnects costs nothing any more once the thread has skipped its check.
    checks.abort_all();
    drop(release);
    while checks.join_next().await.is_some() {}
    let _ = right.await.expect("no panic").expect(201);
    let log_in = || log_in_as(&library, USERNAME, PASSWORD);
    until(|| async { log_in().await.status == 201 }).await;
}
