//! Slow searches: their clients wait, others do not.

use std::time::{Duration, Instant};

use octavo_testkit::{Client, Library, PASSWORD, USERNAME};
use serde_json::json;
use tokio::task::JoinSet;

use super::{SEARCH, Shelf};
use octavo_server_testkit::composition;
use octavo_server_testkit::reader;

/// Makes every statement that searches for an ISBN take so long, while it is planned.
async fn slow_isbns(library: &Library, seconds: u8) {
    let schema = library.tenant().schema().to_owned();
    let sql = format!(
        "CREATE OR REPLACE FUNCTION {schema}.search_query(tag text, txt text, starting boolean) \
         RETURNS tsquery LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN \
         PERFORM pg_sleep({seconds}); RETURN 'x'::tsquery; END $$"
    );
    let database = &library.platform.store.database;
    database.execute(&sql, &[]).await.expect("it is replaced");
}

/// Somebody else who may search.
async fn colleague(library: &Library, admin: &Client) -> Client {
    let (client, id) = reader(library, admin).await;
    let path = format!("/perms/users/{id}/permissions?indexField=userId");
    let body = json!({"permissionName": "search.instances.collection.get"});
    let _ = admin.post(&path, &body).await.expect(200);
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heavy_searches_of_one_user_make_no_other_wait() {
    let shelf = Shelf::new().await;
    let other = colleague(&shelf.library, &shelf.client).await;
    let deadline = Instant::now() + Duration::from_secs(10);
    while other.query(SEARCH, "title=middlemarch").await.status != 200 {
        assert!(Instant::now() < deadline, "the colleague may not search");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    slow_isbns(&shelf.library, 1).await;
    let mut heavy = JoinSet::new();
    for at in 0..8 {
        let client = shelf.client.clone();
        heavy.spawn(async move { client.query(SEARCH, &format!("isbn={at}")).await.status });
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    let path = format!("/users/{}", shelf.stock.location);
    for _ in 0..10 {
        let asked = Instant::now();
        let _ = other.query(SEARCH, "title=middlemarch").await.expect(200);
        assert!(
            asked.elapsed() < Duration::from_secs(2),
            "{:?}",
            asked.elapsed()
        );
        let asked = Instant::now();
        assert_eq!(shelf.client.get(&path).await.status, 404);
        assert!(
            asked.elapsed() < Duration::from_millis(700),
            "{:?}",
            asked.elapsed()
        );
    }
    // Whoever asked for much gets all of it in the end.
    while let Some(status) = heavy.join_next().await {
        assert_eq!(status.expect("it is answered"), 200);
    }
}

#[tokio::test]
async fn a_search_that_is_stopped_says_how_to_narrow_it() {
    let shelf = Shelf::new().await;
    let limit = Duration::from_secs(1);
    let server = shelf.library.impatient(composition, limit).await;
    let client = Client::log_in(server.address, "diku", USERNAME, PASSWORD).await;
    slow_isbns(&shelf.library, 5).await;
    let stopped = client.query(SEARCH, "isbn=1").await.expect(504);
    assert_eq!(
        stopped.text,
        "The search was stopped after 1 s; narrow it: with a further condition, with more letters \
         before or beside *, or with a field that has an index"
    );
    let _ = client.query(SEARCH, "title=middlemarch").await.expect(200);
}
