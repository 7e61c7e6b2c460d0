//! Concurrent transactions: serialization, deadlock, locks.

use std::time::Duration;

use octavo_postgres::{DatabaseError, Isolation, TimeLimit};

use crate::support::{database, eventually};

#[tokio::test]
async fn write_skew_is_a_serialization_failure() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE item (id int, held bool)", &[])
        .await
        .unwrap();
    database
        .execute("INSERT INTO item VALUES (1, false)", &[])
        .await
        .unwrap();
    let first = database
        .transaction_with(Isolation::RepeatableRead)
        .await
        .unwrap();
    let second = database
        .transaction_with(Isolation::RepeatableRead)
        .await
        .unwrap();
    second.query("SELECT * FROM item", &[]).await.unwrap();
    first
        .execute("UPDATE item SET held = true", &[])
        .await
        .unwrap();
    first.commit().await.unwrap();
    let error = second
        .execute("UPDATE item SET held = true", &[])
        .await
        .unwrap_err();
    assert!(matches!(error, DatabaseError::Serialization), "{error:?}");
}

#[tokio::test]
async fn one_of_two_deadlocked_is_refused() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE item (id int, held bool)", &[])
        .await
        .unwrap();
    database
        .execute("INSERT INTO item VALUES (1, false), (2, false)", &[])
        .await
        .unwrap();
    let first = database.transaction().await.unwrap();
    let second = database.transaction().await.unwrap();
    let hold = "UPDATE item SET held = true WHERE id = $1";
    first.execute(hold, &[&1]).await.unwrap();
    second.execute(hold, &[&2]).await.unwrap();
    let collide = |transaction: octavo_postgres::Transaction, id: i32| async move {
        transaction.execute(hold, &[&id]).await
    };
    let (first, second) = tokio::join!(collide(first, 2), collide(second, 1));
    let failures: Vec<_> = [first, second]
        .into_iter()
        .filter_map(Result::err)
        .collect();
    assert!(
        matches!(failures.as_slice(), [DatabaseError::Deadlock]),
        "{failures:?}"
    );
}

#[tokio::test]
async fn a_lock_not_to_be_had_is_a_timeout() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE item (id int)", &[])
        .await
        .unwrap();
    let holder = database.transaction().await.unwrap();
    holder.execute("LOCK TABLE item", &[]).await.unwrap();
    let waiter = database.transaction().await.unwrap();
    waiter
        .batch_execute("SET LOCAL lock_timeout = '20ms'")
        .await
        .unwrap();
    let waiting = waiter.query("SELECT * FROM item", &[]);
    let error = tokio::time::timeout(Duration::from_secs(5), waiting)
        .await
        .unwrap()
        .unwrap_err();
    let lock = TimeLimit::Lock;
    assert!(
        matches!(error, DatabaseError::Timeout { limit, .. } if limit == lock),
        "{error:?}"
    );
    let statement = error.statement().map(ToString::to_string);
    assert_eq!(statement.as_deref(), Some("SELECT * FROM item"));
}

#[tokio::test]
async fn a_look_up_does_not_wait_for_searches() {
    let (database, _test) = database().await;
    let _ = database.query("SELECT 1", &[]).await.unwrap();
    let searches: Vec<_> = (0..4)
        .map(|_| {
            let database = database.clone();
            tokio::spawn(async move {
                let slow = "SELECT pg_sleep(0.5)";
                database.query_fresh(slow, &[]).await.unwrap();
            })
        })
        .collect();
    eventually("a search is under way", || async {
        let sql = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(0.5)%' \
                   AND pid <> pg_backend_pid()";
        !database.query(sql, &[]).await.unwrap().is_empty()
    })
    .await;
    for _ in 0..20 {
        let _ = database.query("SELECT 1", &[]).await.unwrap();
    }
    let done = searches.iter().filter(|search| search.is_finished());
    assert_eq!(done.count(), 0, "the look-ups waited");
    for search in searches {
        search.await.unwrap();
    }
}
