//! PostgreSQL killed under a running octavo: 503 meanwhile, and then the service recovers by
//! itself.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use octavo_postgres::{Database, DatabaseOptions};
use octavo_testkit::Client;

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::writers::{Seen, Writers, all_are_there};
use crate::{found, until};

#[tokio::test]
async fn a_killed_postgresql_is_started_again_and_has_everything() {
    let directory = DataDir::of_demo().await;
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;

    let postmaster = async || directory.postmaster().expect("a running server");
    let seen = while_killing(&client, postmaster).await;
    assert!(seen.count(503) > 0, "{:?}", seen.statuses);
    octavo.logs("PostgreSQL runs again").await;
    let mut stored = seen.stored;

    // When one backend dies so, PostgreSQL ends all, since they share memory.
    let backend = async || a_backend(&directory.database_url(), "material_type").await;
    stored.extend(while_killing(&client, backend).await.stored);
    all_are_there(&client, &stored).await;
    // Permissions are followed again as well.
    octavo.logs("the notification connection is up again").await;
}

/// Kills a process while clients write; returns their results once they can write again.
async fn while_killing(client: &Client, process: impl AsyncFnOnce() -> i32) -> Seen {
    let writers = Writers::start(client, 3);
    until("the clients write", || async {
        writers.seen().count(201) > 20
    })
    .await;
    let pid = process().await;
    kill(Pid::from_raw(pid), Signal::SIGKILL).expect("a signal to a process of ours");
    until("the clients notice", || async {
        let seen = writers.seen();
        seen.statuses.keys().any(|status| *status != 201)
    })
    .await;
    let before = writers.seen().count(201);
    until("the clients write again", || async {
        writers.seen().count(201) > before + 50
    })
    .await;
    let seen = writers.stop().await;
    println!("{:?}", seen.statuses);
    assert!(
        seen.statuses
            .keys()
            .all(|status| [201, 503].contains(status)),
        "{:?}",
        seen.statuses
    );
    assert_eq!(seen.without_retry_after, 0);
    seen
}

/// The backend of one of octavo's connections, found by its last statement while clients send
/// such: background work uses the same connections, so one look can miss them all.
pub async fn a_backend(url: &str, doing: &str) -> i32 {
    let config = url.parse().expect("the note holds a URL");
    let database = Database::connect(DatabaseOptions::new(config))
        .await
        .expect("a connection");
    let sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'octavo' \
               AND pid <> pg_backend_pid() AND query LIKE '%' || $1 || '%' LIMIT 1";
    found("a connection that does so", || async {
        let rows = database.query(sql, &[&doing]).await.expect("the activity");
        rows.first().map(|row| row.get(0))
    })
    .await
}
