//! The real binary: started, killed, cut off, stopped and misused, over HTTP and its exit status.

mod cql;
mod crowd;
mod database_lost;
mod failures;
mod figures;
mod indexes;
mod jobs;
mod kafka;
mod keys;
mod killed;
mod loads;
mod messages;
mod octavo;
mod otlp;
mod place;
mod profiles;
mod proxied;
mod readers;
mod sample;
mod secrets;
mod starts;
mod stopping;
mod tenants;
mod tls;
mod together;
mod tracing;
mod users;
mod well_formed;
mod workbench;
mod workbench_runs;
mod writers;

use std::time::Duration;

/// The time-out of every wait here.
const PATIENCE: Duration = Duration::from_secs(60);

/// Polls until a condition holds.
async fn until<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    found(what, || async { condition().await.then_some(()) }).await;
}

/// What a question is answered with, asked until there is an answer.
async fn found<T, F: Future<Output = Option<T>>>(what: &str, question: impl Fn() -> F) -> T {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = question().await {
            return answer;
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "{what}: not within {PATIENCE:?}"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
