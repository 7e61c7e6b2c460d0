//! Streamed pages: complete and in order, with little memory, however the client reads.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, future};
use octavo_records::plan::{Predicate, Sql};
use octavo_records::{Collection, Page, PageBody, Search, StoreError, Totals};
use serde_json::Value;

use crate::shelf::Shelf;

/// Longer than anything here may take, in a debug build on a busy machine.
const SOON: Duration = Duration::from_secs(60);

type Pieces = BoxStream<'static, Result<Bytes, StoreError>>;

/// A shelf with numbered records of about 1 kB: number 0 has the first id.
async fn pile(records: u32) -> Shelf {
    let shape = "id uuid\nnumber integer\npad string\n";
    let shelf = Shelf::with(vec![Collection::new("pile", "pile", shape)]).await;
    let sql = "INSERT INTO tenant_diku.pile SELECT id, jsonb_build_object('id', id, 'number', n,
                 'pad', rpad(md5(n::text), 930, 'x'))
               FROM (SELECT n, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id
                     FROM generate_series(0, $1::integer - 1) AS n) AS numbered";
    let records = i32::try_from(records).unwrap();
    shelf
        .store
        .database
        .execute(sql, &[&records])
        .await
        .unwrap();
    shelf
        .store
        .database
        .execute("ANALYZE tenant_diku.pile", &[])
        .await
        .unwrap();
    shelf
}

fn all(query: Option<&str>) -> Search<'_> {
    Search {
        query,
        offset: 0,
        limit: 2_147_483_647,
        totals: Totals::Auto,
    }
}

async fn open(shelf: &Shelf, search: Search<'_>) -> Result<Page, StoreError> {
    let collection = shelf.collection("pile");
    shelf.store.page(&shelf.tenant, &collection, search).await
}

fn pieces(page: Page) -> Pieces {
    match page.body {
        PageBody::Pieces(pieces) => pieces,
        PageBody::Whole(_) => panic!("the page is streamed"),
    }
}

async fn rest(first: Bytes, pieces: Pieces) -> Value {
    let rest: Vec<Bytes> = tokio::time::timeout(SOON, pieces.try_collect())
        .await
        .unwrap()
        .unwrap();
    let mut text = first.to_vec();
    text.extend(rest.concat());
    serde_json::from_slice(&text).unwrap()
}

fn assert_holds_each_once(page: &Value, records: u32) {
    let numbers: Vec<u64> = page["pile"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["number"].as_u64().unwrap())
        .collect();
    assert!(numbers.iter().copied().eq(0..u64::from(records)));
    assert_eq!(page["totalRecords"], records);
}

/// Waits for a condition, for a while.
async fn until<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON, waiting)
        .await
        .unwrap_or_else(|_| panic!("{what} does not come about"));
}

/// The number of running statements with this text and wait state.
async fn running(shelf: &Shelf, text: &str, waiting: &str) -> i64 {
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
               AND state = 'active' AND query LIKE $1 AND coalesce(wait_event, '') LIKE $2
               AND pid <> pg_backend_pid()";
    let rows = shelf.store.database.query(sql, &[&text, &waiting]).await;
    rows.unwrap()[0].get(0)
}

#[tokio::test]
async fn few_records_under_a_large_limit_need_no_connection_of_their_own() {
    let shelf = pile(1_000).await;
    let mut lent = Vec::new();
    for _ in 0..shelf.store.database.status().pool_size {
        lent.push(shelf.store.database.connection().await.unwrap());
    }
    let page = shelf
        .page("pile", all(Some("cql.allRecords=1 sortBy id")))
        .await;
    assert_holds_each_once(&page.unwrap(), 1_000);
    assert_eq!(shelf.store.stream_status().reading, 0);
}

#[tokio::test]
async fn a_stream_holds_little_however_much_it_carries() {
    let shelf = pile(200_000).await;
    let page = open(&shelf, all(None)).await.unwrap();
    let mut bytes = 0;
    let mut pieces = pieces(page);
    while let Some(piece) = pieces.try_next().await.unwrap() {
        bytes += piece.len();
    }
    assert!(bytes > 190_000_000, "{bytes} bytes were sent");
    let held = shelf.store.stream_status().waiting_bytes_most;
    assert!(held <= 2 << 20, "{held} bytes waited at once");
}

#[tokio::test]
async fn a_client_that_stops_reading_gives_the_connection_back_and_gets_the_rest() {
    let shelf = pile(20_000).await;
    let page = open(&shelf, all(Some("cql.allRecords=1 sortBy id"))).await;
    let mut pieces = pieces(page.unwrap());
    let first = pieces.next().await.unwrap().unwrap();
    // The driver does not read ahead, so PostgreSQL waits for it.
    until("PostgreSQL waits for the client", || async {
        running(&shelf, "SELECT jsonb FROM%", "ClientWrite").await == 1
    })
    .await;
    until("the connection is given back", || async {
        shelf.store.stream_status().reading == 0
            && running(&shelf, "SELECT jsonb FROM%", "%").await == 0
    })
    .await;
    let status = shelf.store.stream_status();
    assert_eq!(status.spools, 1);
    assert!(status.spooled_bytes > 15_000_000, "{status:?}");
    assert!(status.waiting_bytes_most <= 2 << 20, "{status:?}");
    assert_holds_each_once(&rest(first, pieces).await, 20_000);
    until("the file is gone", || async {
        let status = shelf.store.stream_status();
        (status.spools, status.spooled_bytes) == (0, 0)
    })
    .await;
}

#[tokio::test]
async fn a_client_that_goes_away_ends_its_statement() {
    let shelf = pile(5_000).await;
    // From its 3,000th record on, this statement would take more than an hour.
    let mut sql = Sql::default();
    sql.push(
        "SELECT jsonb FROM tenant_diku.pile CROSS JOIN LATERAL (
                 SELECT CASE WHEN (jsonb->>'number')::integer > 3000 THEN pg_sleep(5) END
               ) AS pause(pause) WHERE pause.pause IS NULL OR pause.pause::text = ''",
    );
    let collection = shelf.collection("pile");
    let page = shelf
        .store
        .page_of(
            &shelf.tenant,
            &collection,
            &Predicate::Everything,
            sql,
            all(None),
        )
        .await
        .unwrap();
    let mut pieces = pieces(page);
    let _ = pieces.next().await.unwrap().unwrap();
    until("the statement pauses", || async {
        running(&shelf, "%pg_sleep%", "PgSleep").await == 1
    })
    .await;
    assert_eq!(shelf.store.stream_status().reading, 1);
    drop(pieces);
    let cancelled = async {
        until("the statement is cancelled", || async {
            running(&shelf, "%pg_sleep%", "%").await == 0
        })
        .await;
    };
    tokio::time::timeout(Duration::from_secs(20), cancelled)
        .await
        .unwrap();
    until("the turn is given back", || async {
        shelf.store.stream_status().reading == 0
    })
    .await;
}

#[tokio::test]
async fn twenty_slow_clients_leave_connections_to_writers() {
    let shelf = pile(5_000).await;
    let slow = async {
        let opening = (0..20).map(|_| async {
            let page = open(&shelf, all(Some("cql.allRecords=1 sortBy id"))).await;
            let mut pieces = pieces(page.unwrap());
            let first = pieces.next().await.unwrap().unwrap();
            (first, pieces)
        });
        future::join_all(opening).await
    };
    let writing = async {
        until("the streams have taken what they may", || async {
            let status = shelf.store.stream_status();
            status.reading == status.reading_max
        })
        .await;
        for number in 0..20 {
            let transaction = shelf.store.database.transaction().await.unwrap();
            let id = uuid::Uuid::from_u128(number);
            let sql = "UPDATE tenant_diku.pile SET jsonb = jsonb WHERE id = $1";
            let written = async { transaction.execute(sql, &[&id]).await };
            tokio::time::timeout(Duration::from_secs(5), written)
                .await
                .unwrap()
                .unwrap();
            transaction.commit().await.unwrap();
        }
        shelf.store.stream_status().reading
    };
    let (bodies, reading) = future::join(slow, writing).await;
    assert!(
        reading > 0,
        "the writers came while streams held connections"
    );
    for (first, pieces) in bodies {
        assert_holds_each_once(&rest(first, pieces).await, 5_000);
    }
    until("nothing is left behind", || async {
        let status = shelf.store.stream_status();
        (status.reading, status.spools, status.spooled_bytes) == (0, 0, 0)
    })
    .await;
}

#[tokio::test]
async fn what_the_database_refuses_is_refused_before_anything_is_sent() {
    let shelf = pile(2_000).await;
    let mut sql = Sql::default();
    sql.push("SELECT jsonb FROM tenant_diku.nowhere");
    let collection = shelf.collection("pile");
    let refused = shelf
        .store
        .page_of(
            &shelf.tenant,
            &collection,
            &Predicate::Everything,
            sql,
            all(None),
        )
        .await;
    assert!(matches!(refused, Err(StoreError::Fault(_))));
}
