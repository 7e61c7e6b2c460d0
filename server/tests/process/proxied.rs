//! A given database whose network fails: 503 meanwhile, and normal service once it works again.

use std::time::{Duration, Instant};

use octavo_postgres::{Database, DatabaseError, DatabaseOptions};
use octavo_testkit::{FaultProxy, Upstream, database_url};

use crate::octavo::Octavo;
use crate::place::{DataDir, demo_database};
use crate::until;
use crate::writers::{Writers, all_are_there};

#[tokio::test]
async fn a_network_that_fails_costs_nothing_that_was_answered() {
    let (database, _) = demo_database().await;
    let proxy = FaultProxy::start(Upstream::of(&database.config())).await;
    let url = database_url(&proxy.config(&database.config()));
    let directory = DataDir::new();
    let octavo = Octavo::start(&["--database-url", &url, "--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let writers = Writers::start(&client, 3);
    for round in 1..=2 {
        until("the clients write", || async {
            writers.seen().count(201) > 50 * round
        })
        .await;
        let refused = writers.seen().count(503);
        proxy.cut();
        until("the clients are refused", || async {
            writers.seen().count(503) > refused + 5
        })
        .await;
        let health = client.get("/admin/health").await.expect(503);
        assert_eq!(health.header("retry-after"), Some("1"));
        assert!(!health.text.contains("127.0.0.1"), "{}", health.text);
        // A known user does not become unauthorized because the database cannot be asked.
        let _ = client.get("/material-types").await.expect(503);
        let login = serde_json::json!({"username": "diku_admin", "password": "admin"});
        let _ = client.post("/authn/login", &login).await.expect(503);
        // The gateway itself needs no database.
        let _ = client.get("/_/version").await;
        proxy.restore();
        let written = writers.seen().count(201);
        until("the clients write again", || async {
            writers.seen().count(201) > written
        })
        .await;
    }
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
    all_are_there(&client, &seen.stored).await;
    octavo.logs("the notification connection is up again").await;
    assert!(!octavo.log().contains("ERROR"), "{}", octavo.log());
}

#[tokio::test]
async fn a_database_that_falls_silent_is_given_up_and_found_again() {
    let (behind, _) = demo_database().await;
    let proxy = FaultProxy::start(Upstream::of(&behind.config())).await;
    let mut options = DatabaseOptions::new(proxy.config(&behind.config()));
    options.statement_timeout = Duration::from_millis(200);
    options.lanes = 2;
    let database = Database::connect(options).await.expect("a connection");
    database.query("SELECT 1", &[]).await.expect("an answer");
    proxy.hold();
    let asked = Instant::now();
    let answers = several(&database, 5).await;
    assert!(
        asked.elapsed() < Duration::from_secs(5),
        "{:?}",
        asked.elapsed()
    );
    for answer in answers {
        assert!(
            matches!(answer, Err(DatabaseError::Unavailable { .. })),
            "{answer:?}"
        );
    }
    proxy.restore();
    until("it answers again", || async {
        database.query("SELECT 1", &[]).await.is_ok()
    })
    .await;
    // A slow statement does not count as silence.
    let slow = database.query("SELECT pg_sleep(1)", &[]).await;
    assert!(
        matches!(slow, Err(DatabaseError::Timeout { .. })),
        "{slow:?}"
    );
    until("both lanes are up", || async {
        database.status().lanes_up == 2
    })
    .await;
}

/// Several concurrent statements.
async fn several(database: &Database, number: usize) -> Vec<Result<(), DatabaseError>> {
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..number {
        let database = database.clone();
        asking.spawn(async move { database.query("SELECT 2", &[]).await.map(|_| ()) });
    }
    asking.join_all().await
}
