//! Statements on lanes, streams, COPY and raw JSON.

use bytes::Bytes;
use futures_util::StreamExt;
use octavo_postgres::{DatabaseError, RawJson, Type};

use crate::support::{database, eventually};

#[tokio::test]
async fn statements_bind_values_and_count_rows() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE item (id int PRIMARY KEY, title text)", &[])
        .await
        .unwrap();
    let insert = "INSERT INTO item VALUES ($1, $2), ($1 + 1, $2)";
    assert_eq!(database.execute(insert, &[&1, &"Emma"]).await.unwrap(), 2);
    let row = database
        .query_opt("SELECT title FROM item WHERE id = $1", &[&2])
        .await
        .unwrap();
    assert_eq!(row.unwrap().get::<_, String>(0), "Emma");
    let none = database
        .query_opt("SELECT title FROM item WHERE id = $1", &[&9])
        .await
        .unwrap();
    assert!(none.is_none());
}

#[tokio::test]
async fn a_statement_is_prepared_once_per_lane_however_many_ask() {
    let (database, _test) = database().await;
    let ask = || database.query("SELECT 41 + $1::int", &[&1]);
    let answers = futures_util::future::join_all((0..200).map(|_| ask())).await;
    assert!(
        answers
            .iter()
            .all(|rows| rows.as_ref().unwrap()[0].get::<_, i32>(0) == 42)
    );
    for _ in 0..4 {
        let count = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT 41%'";
        let prepared: i64 = database.query(count, &[]).await.unwrap()[0].get(0);
        assert_eq!(prepared, 1);
    }
}

#[tokio::test]
async fn a_changed_table_is_prepared_for_again() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE item (id int)", &[])
        .await
        .unwrap();
    for _ in 0..4 {
        database.query("SELECT * FROM item", &[]).await.unwrap();
    }
    database
        .execute("ALTER TABLE item ADD COLUMN title text", &[])
        .await
        .unwrap();
    database
        .execute("INSERT INTO item VALUES (1, 'Emma')", &[])
        .await
        .unwrap();
    for _ in 0..4 {
        let rows = database.query("SELECT * FROM item", &[]).await.unwrap();
        assert_eq!(rows[0].get::<_, String>("title"), "Emma");
    }
}

#[tokio::test]
async fn json_passes_through_as_bytes() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE record (body jsonb)", &[])
        .await
        .unwrap();
    let document = RawJson(br#"{"title": "Emma", "year": 1815}"#);
    database
        .execute("INSERT INTO record VALUES ($1)", &[&document])
        .await
        .unwrap();
    let rows = database
        .query("SELECT body, body::json FROM record", &[])
        .await
        .unwrap();
    for column in 0..2 {
        let RawJson(bytes) = rows[0].get(column);
        let value: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(value["year"], 1815);
    }
    let nothing: Option<RawJson<'_>> = None;
    database
        .execute("INSERT INTO record VALUES ($1)", &[&nothing])
        .await
        .unwrap();
    let broken = RawJson(b"{");
    let error = database
        .execute("INSERT INTO record VALUES ($1)", &[&broken])
        .await
        .unwrap_err();
    assert!(
        matches!(error, DatabaseError::InvalidValue { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_stream_gives_every_row_and_its_connection_back() {
    let (database, _test) = database().await;
    let connection = database.connection().await.unwrap();
    let count = 10_000_i32;
    let sql = "SELECT n FROM generate_series(1, $1::int) AS n";
    let mut rows = connection.stream(sql, &[&count]).await.unwrap();
    let mut sum = 0_i64;
    while let Some(row) = rows.next().await {
        sum += i64::from(row.unwrap().get::<_, i32>(0));
    }
    assert_eq!(sum, 50_005_000);
    drop(rows);
    eventually("the connection is open and free", || async {
        database.status().pool_open == 1
    })
    .await;
    database
        .connection()
        .await
        .unwrap()
        .query("SELECT 1", &[])
        .await
        .unwrap();
}

#[tokio::test]
async fn an_abandoned_stream_is_cancelled() {
    let (database, _test) = database().await;
    let connection = database.connection().await.unwrap();
    let sql = "SELECT generate_series(1, 100000000), 'abandoned'";
    let mut rows = connection.stream(sql, &[]).await.unwrap();
    rows.next().await.unwrap().unwrap();
    drop(rows);
    eventually("the server has stopped the query", || async {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' \
                   AND query LIKE 'SELECT generate_series(1, 100000000), ''abandoned''%'";
        database.query(sql, &[]).await.unwrap()[0].get::<_, i64>(0) == 0
    })
    .await;
}

#[tokio::test]
async fn copy_stores_rows_and_an_unfinished_one_stores_none() {
    let (database, _test) = database().await;
    database
        .execute("CREATE TABLE item (id int, title text)", &[])
        .await
        .unwrap();
    let connection = database.connection().await.unwrap();
    let mut copy = connection.copy_in("COPY item FROM STDIN").await.unwrap();
    copy.send(Bytes::from_static(b"1\tEmma\n2\tPersua"))
        .await
        .unwrap();
    copy.send(Bytes::from_static(b"sion\n")).await.unwrap();
    assert_eq!(copy.finish().await.unwrap(), 2);

    let mut copy = connection.copy_in("COPY item FROM STDIN").await.unwrap();
    copy.send(Bytes::from_static(b"3\tSanditon\n"))
        .await
        .unwrap();
    drop(copy);
    drop(connection);
    let rows = database
        .query("SELECT count(*) FROM item", &[])
        .await
        .unwrap();
    assert_eq!(rows[0].get::<_, i64>(0), 2);
}

#[tokio::test]
async fn session_state_does_not_reach_the_next_borrower() {
    let (database, _test) = database().await;
    let connection = database.connection().await.unwrap();
    let pid: i32 = connection
        .query("SELECT pg_backend_pid()", &[])
        .await
        .unwrap()[0]
        .get(0);
    connection
        .batch_execute("SET work_mem = '7MB'; SELECT pg_advisory_lock(7); BEGIN")
        .await
        .unwrap();
    drop(connection);
    eventually("the connection is clean", || async {
        // The pool may have opened another one meanwhile, which it would reuse again and again.
        let first = database.connection().await.unwrap();
        let second = database.connection().await.unwrap();
        let mut clean = false;
        for connection in [first, second] {
            let sql = "SELECT pg_backend_pid(), current_setting('work_mem') = '7MB', \
                   current_setting('statement_timeout'), \
                   (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')";
            let row = connection.query_opt(sql, &[]).await.unwrap().unwrap();
            assert!(!row.get::<_, bool>(1));
            assert_eq!(row.get::<_, String>(2), "30s");
            clean |= row.get::<_, i32>(0) == pid && row.get::<_, i64>(3) == 0;
        }
        clean
    })
    .await;
}

#[tokio::test]
async fn a_statement_that_is_planned_with_its_values_is_not_kept() {
    let (database, _test) = database().await;
    for number in 0..3_i64 {
        let sql = "SELECT $1::bigint + 1";
        let rows = database.query_fresh(sql, &[(&number, Type::INT8)]).await;
        assert_eq!(rows.unwrap()[0].get::<_, i64>(0), number + 1);
    }
    let refused = database
        .query_fresh("SELECT 1 / $1::bigint", &[(&0_i64, Type::INT8)])
        .await;
    assert!(refused.is_err());
    let sql = "SELECT count(*) FROM pg_prepared_statements
               WHERE statement NOT LIKE '%pg_prepared_statements%'";
    let rows = database.query(sql, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i64>(0), 0);
}

#[tokio::test]
async fn a_connection_that_carried_much_is_not_kept() {
    let (database, _test) = database().await;
    let pids = async || -> Vec<i32> {
        let sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() \
                   AND backend_type = 'client backend' ORDER BY pid";
        let rows = database.query(sql, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    };
    let before = pids().await;
    let much = "x".repeat(3_000_000);
    let asked = "SELECT length($1::text), pg_backend_pid()";
    for _ in 0..3 {
        // Sent on a lane, and in a transaction on a pooled connection.
        let rows = database.query(asked, &[&much]).await.unwrap();
        let (length, lane): (i32, i32) = (rows[0].get(0), rows[0].get(1));
        let transaction = database.transaction().await.unwrap();
        let rows = transaction.query(asked, &[&much]).await.unwrap();
        let lent: i32 = rows[0].get(1);
        transaction.commit().await.unwrap();
        assert_eq!(length, 3_000_000);
        eventually("both connections end", || async {
            let now = pids().await;
            // The pooled connection is closed when the next one is requested.
            drop(database.transaction().await.unwrap());
            !now.contains(&lane) && !now.contains(&lent)
        })
        .await;
    }
    let little = database.query(asked, &[&"x"]).await.unwrap();
    assert_eq!(little[0].get::<_, i32>(0), 1);
    // The last pooled connection is a new one.
    assert_eq!(pids().await.len(), before.len() + 1);
}
