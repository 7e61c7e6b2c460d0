//! The server dies, is down, is slow.

use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use octavo_postgres::testing::TestCluster;
use octavo_postgres::{
    Config, Database, DatabaseError, DatabaseOptions, Embedded, Outage, TimeLimit,
};

use crate::support::{Scratch, database, eventually, options};

#[tokio::test]
async fn a_killed_server_comes_back_and_so_do_the_lanes() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let database = Database::connect(DatabaseOptions::new(embedded.config()))
        .await
        .unwrap();
    database.query("SELECT 1", &[]).await.unwrap();
    let transaction = database.transaction().await.unwrap();
    transaction.query("SELECT 1", &[]).await.unwrap();
    drop(transaction);
    let first = embedded.pid().unwrap();

    kill(Pid::from_raw(first), Signal::SIGKILL).unwrap();
    eventually("every lane is down", || async {
        database.status().lanes_up == 0
    })
    .await;
    let asked = Instant::now();
    let refused = database.query("SELECT 1", &[]).await;
    if let Err(error) = refused {
        assert!(
            matches!(error, DatabaseError::Unavailable { .. }),
            "{error:?}"
        );
    }
    assert!(
        asked.elapsed() < Duration::from_millis(500),
        "{:?}",
        asked.elapsed()
    );

    eventually("every lane is up", || async {
        database.status().lanes_up == 4
    })
    .await;
    database.query("SELECT 1", &[]).await.unwrap();
    let transaction = database.transaction().await.unwrap();
    transaction.query("SELECT 1", &[]).await.unwrap();
    transaction.commit().await.unwrap();
    assert_ne!(embedded.pid(), Some(first));
    embedded.stop().await;
}

#[tokio::test]
async fn an_unreachable_database_is_named_without_its_password() {
    let config: Config = "postgresql://app:hushhush@127.0.0.1:1/books"
        .parse()
        .unwrap();
    let wait = Duration::from_millis(300);
    let options = DatabaseOptions {
        connect_wait: wait,
        ..DatabaseOptions::new(config)
    };
    let message = Database::connect(options).await.unwrap_err().to_string();
    assert!(
        message.contains("database books at 127.0.0.1:1"),
        "{message}"
    );
    assert!(message.contains("refused"), "{message}");
    assert!(!message.contains("hushhush"), "{message}");
}

#[tokio::test]
async fn a_missing_database_is_reported_at_once() {
    let begun = Instant::now();
    let config = TestCluster::shared().config("nowhere");
    let error = Database::connect(DatabaseOptions::new(config))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn a_slow_statement_runs_into_its_limit_and_the_lane_lives_on() {
    let (_, test) = database().await;
    let limit = Duration::from_millis(50);
    let options = DatabaseOptions {
        statement_timeout: limit,
        ..options(&test)
    };
    let database = Database::connect(options).await.unwrap();
    let error = database.query("SELECT pg_sleep(5)", &[]).await.unwrap_err();
    let limit = TimeLimit::Statement;
    assert!(
        matches!(error, DatabaseError::Timeout { limit: passed, .. } if passed == limit),
        "{error:?}"
    );
    database.query("SELECT 1", &[]).await.unwrap();
}

#[tokio::test]
async fn an_exhausted_pool_is_a_timeout() {
    let (_, test) = database().await;
    let options = DatabaseOptions {
        pool_size: 1,
        pool_wait: Duration::from_millis(50),
        ..options(&test)
    };
    let database = Database::connect(options).await.unwrap();
    let held = database.transaction().await.unwrap();
    let error = database.transaction().await.unwrap_err();
    let limit = TimeLimit::Connection;
    assert!(
        matches!(error, DatabaseError::Timeout { limit: passed, .. } if passed == limit),
        "{error:?}"
    );
    drop(held);
    database.transaction().await.unwrap();
}

#[tokio::test]
async fn a_stopped_server_is_reported_in_five_seconds_and_found_again() {
    let scratch = Scratch::new();
    let embedded = Embedded::start(scratch.relaxed()).await.unwrap();
    let options = DatabaseOptions {
        pool_size: 1,
        ..DatabaseOptions::new(embedded.config())
    };
    let database = Database::connect(options).await.unwrap();
    let transaction = database.transaction().await.unwrap();
    transaction.query("SELECT 1", &[]).await.unwrap();
    // Stops the server and all its processes, as a hung disk does.
    let backends = "SELECT pid FROM pg_stat_activity";
    let rows = database.query(backends, &[]).await.unwrap();
    let mut pids: Vec<i32> = rows.iter().map(|row| row.get(0)).collect();
    pids.push(embedded.pid().unwrap());
    let signal = |signal| {
        for pid in &pids {
            // Some may have ended by themselves.
            let _ = kill(Pid::from_raw(*pid), signal);
        }
    };
    signal(Signal::SIGSTOP);

    let asked = Instant::now();
    let (lane, held, waiting) = tokio::join!(
        database.query("SELECT 1", &[]),
        transaction.query("SELECT 1", &[]),
        // Waits for the only pooled connection.
        database.connection(),
    );
    let took = asked.elapsed();
    for outcome in [lane.map(|_| ()), held.map(|_| ()), waiting.map(|_| ())] {
        assert!(
            matches!(outcome, Err(DatabaseError::Unavailable { .. })),
            "{outcome:?}"
        );
    }
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(database.trouble().unwrap().contains("stopped answering"));
    // New calls fail at once.
    let asked = Instant::now();
    database.query("SELECT 1", &[]).await.unwrap_err();
    database.connection().await.unwrap_err();
    assert!(asked.elapsed() < Duration::from_secs(1));
    drop(transaction);

    signal(Signal::SIGCONT);
    eventually("it answers again", || async {
        database.trouble().is_none()
            && database.query("SELECT 1", &[]).await.is_ok()
            && database.connection().await.is_ok()
    })
    .await;
    embedded.stop().await;
}

#[tokio::test]
async fn a_slow_statement_is_no_silence() {
    let (_, test) = database().await;
    let database = Database::connect(options(&test)).await.unwrap();
    let slow = "SELECT pg_sleep(5.5)";
    database.query(slow, &[]).await.unwrap();
    assert_eq!(database.trouble(), None);
}

#[tokio::test]
async fn a_full_disk_is_named() {
    let (database, _test) = database().await;
    assert_eq!(database.trouble(), None);
    let full =
        "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$";
    let transaction = database.transaction().await.unwrap();
    let error = transaction.batch_execute(full).await.unwrap_err();
    assert!(
        matches!(&error, DatabaseError::Unavailable { outage, .. } if *outage == Outage::DiskFull),
        "{error:?}"
    );
    assert!(database.trouble().unwrap().contains("disk"));
    // Writes succeed again as soon as there is space.
    drop(transaction);
    database.query("SELECT 1", &[]).await.unwrap();
}
