//! Searches of many askers: the slow ones of one do not delay another.

use std::time::{Duration, Instant};

use octavo_postgres::{Asker, Database, DatabaseError, DatabaseOptions, asking};
use tokio::task::JoinSet;

use crate::support::{database, eventually, options};

/// Searches that take three seconds each, all of one asker.
fn slow_ones(database: &Database, asker: Asker, count: usize) -> JoinSet<bool> {
    let mut slow = JoinSet::new();
    for _ in 0..count {
        let database = database.clone();
        slow.spawn(asking(asker, async move {
            let search = database.query_long("SELECT pg_sleep(3)", &[]).await;
            search.is_ok()
        }));
    }
    slow
}

async fn sleeping(database: &Database) -> i64 {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
               AND state = 'active' AND query = 'SELECT pg_sleep(3)'";
    database.query(sql, &[]).await.unwrap()[0].get(0)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_searches_of_one_keep_no_other_waiting() {
    let (_, test) = database().await;
    let options = DatabaseOptions {
        pool_size: 16,
        ..options(&test)
    };
    let database = Database::connect(options).await.unwrap();
    let (ann, ben) = (Asker::of("diku", "ann"), Asker::of("diku", "ben"));
    let mut slow = slow_ones(&database, ann, 12);
    let begun = Instant::now();
    for _ in 0..20 {
        let asked = Instant::now();
        asking(ben, database.query_fresh("SELECT 1", &[]))
            .await
            .unwrap();
        assert!(
            asked.elapsed() < Duration::from_millis(1_900),
            "{:?}",
            asked.elapsed()
        );
        let asked = Instant::now();
        database.query("SELECT 2", &[]).await.unwrap();
        assert!(
            asked.elapsed() < Duration::from_millis(300),
            "{:?}",
            asked.elapsed()
        );
    }
    assert!(
        begun.elapsed() < Duration::from_secs(6),
        "{:?}",
        begun.elapsed()
    );
    // Another user's slow search has a share of its own.
    let mut other = slow_ones(&database, ben, 1);
    assert!(other.join_next().await.unwrap().unwrap());
    slow.shutdown().await;
    eventually("what nobody waits for is stopped", || async {
        sleeping(&database).await == 0
    })
    .await;
}

#[tokio::test]
async fn a_search_is_stopped_at_the_limit_of_statements() {
    let (_, test) = database().await;
    let limit = Duration::from_millis(1_000);
    let options = DatabaseOptions {
        statement_timeout: limit,
        ..options(&test)
    };
    let database = Database::connect(options).await.unwrap();
    let asker = Asker::of("diku", "ann");
    let search = asking(asker, database.query_long("SELECT pg_sleep(3)", &[])).await;
    let Err(DatabaseError::TooSlow { limit: reported }) = search else {
        panic!("{search:?}");
    };
    assert_eq!(reported, limit);
    // A search that fits the limit is answered, though it is started twice.
    let search = asking(asker, database.query_long("SELECT pg_sleep(0.6)", &[])).await;
    assert!(search.is_ok(), "{search:?}");
    // The lanes still serve.
    database.query_fresh("SELECT 1", &[]).await.unwrap();
    database.query("SELECT 1", &[]).await.unwrap();
}
