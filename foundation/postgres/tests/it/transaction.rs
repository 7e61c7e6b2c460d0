//! Transactions: commit, rollback, and errors.

use octavo_postgres::{Database, DatabaseError, Isolation, ToSql};

use crate::support::{database, eventually};

async fn items(database: &Database) -> i64 {
    database
        .query("SELECT count(*) FROM item", &[])
        .await
        .unwrap()[0]
        .get(0)
}

async fn with_table() -> (Database, octavo_postgres::testing::TestDatabase) {
    let (database, test) = database().await;
    database
        .execute("CREATE TABLE item (id int PRIMARY KEY)", &[])
        .await
        .unwrap();
    (database, test)
}

#[tokio::test]
async fn commit_keeps_and_drop_undoes() {
    let (database, _test) = with_table().await;
    let transaction = database.transaction().await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (1)", &[])
        .await
        .unwrap();
    transaction.commit().await.unwrap();

    let transaction = database.transaction().await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (2)", &[])
        .await
        .unwrap();
    drop(transaction);
    let transaction = database.transaction().await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (3)", &[])
        .await
        .unwrap();
    transaction.rollback().await.unwrap();
    assert_eq!(items(&database).await, 1);
    // The row lock has been released as well, or this would wait.
    eventually("the dropped transaction has ended", || async {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in tr%' \
                   AND datname = current_database()";
        database.query(sql, &[]).await.unwrap()[0].get::<_, i64>(0) == 0
    })
    .await;
    database
        .execute("INSERT INTO item VALUES (2)", &[])
        .await
        .unwrap();
}

#[tokio::test]
async fn statements_polled_together_all_run_inside() {
    let (database, _test) = with_table().await;
    let transaction = database.transaction().await.unwrap();
    futures_util::try_join!(
        transaction.execute("INSERT INTO item VALUES (1)", &[]),
        transaction.execute("INSERT INTO item VALUES (2)", &[]),
        transaction.query("SELECT 1", &[]),
    )
    .unwrap();
    assert_eq!(items(&database).await, 0);
    transaction.commit().await.unwrap();
    assert_eq!(items(&database).await, 2);
}

#[tokio::test]
async fn committing_after_a_failure_is_an_error() {
    let (database, _test) = with_table().await;
    let transaction = database.transaction().await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (1)", &[])
        .await
        .unwrap();
    let error = transaction
        .execute("INSERT INTO item VALUES (1)", &[])
        .await
        .unwrap_err();
    assert!(matches!(error, DatabaseError::Unique { .. }), "{error:?}");
    let error = transaction.query("SELECT 1", &[]).await.unwrap_err();
    assert!(matches!(error, DatabaseError::Aborted), "{error:?}");
    let error = transaction.commit().await.unwrap_err();
    assert!(matches!(error, DatabaseError::Aborted), "{error:?}");
    assert_eq!(items(&database).await, 0);
}

#[tokio::test]
async fn a_savepoint_outlives_a_failure() {
    let (database, _test) = with_table().await;
    let transaction = database.transaction().await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (1)", &[])
        .await
        .unwrap();
    transaction.savepoint("before").await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (1)", &[])
        .await
        .unwrap_err();
    transaction.rollback_to("before").await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (2)", &[])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(items(&database).await, 2);
}

#[tokio::test]
async fn what_was_done_since_a_released_savepoint_stays() {
    let (database, _test) = with_table().await;
    let transaction = database.transaction().await.unwrap();
    for at in 0..3 {
        transaction.savepoint("each").await.unwrap();
        transaction
            .execute("INSERT INTO item VALUES ($1)", &[&at])
            .await
            .unwrap();
        if at == 1 {
            transaction.rollback_to("each").await.unwrap();
        }
        transaction.release("each").await.unwrap();
    }
    // Each savepoint that wrote and has not been released holds a lock.
    let levels =
        "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'transactionid'";
    let rows = transaction.query(levels, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i64>(0), 1);
    transaction.rollback_to("each").await.unwrap_err();
    drop(transaction);
    let transaction = database.transaction().await.unwrap();
    transaction.savepoint("each").await.unwrap();
    transaction
        .execute("INSERT INTO item VALUES (7)", &[])
        .await
        .unwrap();
    transaction.release("each").await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(items(&database).await, 1);
}

#[tokio::test]
async fn an_abandoned_statement_is_cancelled_and_its_locks_go() {
    let (database, _test) = with_table().await;
    let transaction = database.transaction().await.unwrap();
    transaction.execute("LOCK TABLE item", &[]).await.unwrap();
    let slow = transaction.query("SELECT pg_sleep(25)", &[]);
    let _ = tokio::time::timeout(std::time::Duration::from_millis(50), slow).await;
    drop(transaction);
    let begun = std::time::Instant::now();
    assert_eq!(items(&database).await, 0);
    assert!(begun.elapsed().as_secs() < 10);
}

#[tokio::test]
async fn a_table_changed_in_between_is_no_failure_for_the_first_statement() {
    let (database, _test) = with_table().await;
    let read = async || {
        let transaction = database.transaction().await.unwrap();
        let rows = transaction.query("SELECT * FROM item", &[]).await.unwrap();
        transaction
            .execute("INSERT INTO item VALUES ($1)", &[&(rows.len() as i32)])
            .await
            .unwrap();
        transaction.commit().await.unwrap();
    };
    read().await;
    database
        .execute("ALTER TABLE item ADD COLUMN title text", &[])
        .await
        .unwrap();
    read().await;
    assert_eq!(items(&database).await, 2);
}

#[tokio::test]
async fn a_table_changed_in_mid_transaction_asks_for_another_run() {
    let (database, _test) = with_table().await;
    let run = async || {
        let transaction = database.transaction().await.unwrap();
        transaction.query("SELECT 1", &[]).await?;
        transaction.query("SELECT * FROM item", &[]).await?;
        transaction.commit().await
    };
    run().await.unwrap();
    database
        .execute("ALTER TABLE item ADD COLUMN title text", &[])
        .await
        .unwrap();
    assert!(run().await.unwrap_err().is_retryable());
    run().await.unwrap();
}

#[tokio::test]
async fn a_snapshot_sees_one_moment_and_writes_nothing() {
    let (database, _test) = with_table().await;
    let snapshot = database
        .transaction_with(Isolation::Snapshot)
        .await
        .unwrap();
    assert_eq!(
        snapshot
            .query("SELECT * FROM item", &[])
            .await
            .unwrap()
            .len(),
        0
    );
    database
        .execute("INSERT INTO item VALUES (1)", &[])
        .await
        .unwrap();
    assert_eq!(
        snapshot
            .query("SELECT * FROM item", &[])
            .await
            .unwrap()
            .len(),
        0
    );
    snapshot
        .execute("INSERT INTO item VALUES (2)", &[])
        .await
        .unwrap_err();
}

#[tokio::test]
async fn an_unused_transaction_costs_nothing_and_commits() {
    let (database, _test) = with_table().await;
    database
        .transaction()
        .await
        .unwrap()
        .commit()
        .await
        .unwrap();
    drop(database.transaction().await.unwrap());
    assert_eq!(database.status().pool_open, 1);
}

/// A statement that the connection knows would be ahead of one that it has to prepare first.
#[tokio::test]
async fn statements_polled_together_keep_their_order() {
    let (database, _test) = with_table().await;
    let part = "CREATE TABLE part (id int PRIMARY KEY, item int NOT NULL REFERENCES item)";
    database.execute(part, &[]).await.unwrap();
    let add_part = "INSERT INTO part VALUES ($1, $1)";
    for number in 0..8_i32 {
        let transaction = database.transaction().await.unwrap();
        let known = format!("SELECT {number}");
        transaction.query(&known, &[]).await.unwrap();
        // Each time another text.
        let add_item = format!("INSERT INTO item VALUES ($1) RETURNING {number}");
        let values: [&(dyn ToSql + Sync); 1] = [&number];
        let (_, _, rows) = futures_util::try_join!(
            transaction.execute(&add_item, &values),
            transaction.execute(add_part, &values),
            transaction.query_and_commit(&known, &[]),
        )
        .unwrap();
        assert_eq!(rows[0].get::<_, i32>(0), number);
    }
    assert_eq!(items(&database).await, 8);
}

#[tokio::test]
async fn a_connection_that_another_runtime_opened_is_read_by_this_one() {
    let (database, _test) = with_table().await;
    let background = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let opening = database.clone();
    let opened = background.spawn(async move { backend(&opening).await });
    let opened = opened.await.unwrap();
    // Nothing of it is needed: where it works for long, answers to others would wait.
    background.shutdown_background();
    assert_eq!(backend(&database).await, opened);
}

/// The process behind a connection of the pool.
async fn backend(database: &Database) -> i32 {
    let transaction = database.transaction().await.unwrap();
    let rows = transaction.query("SELECT pg_backend_pid()", &[]).await;
    let process = rows.unwrap()[0].get(0);
    transaction.commit().await.unwrap();
    process
}
