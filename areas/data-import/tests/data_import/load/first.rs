//! A large first load builds most indexes at its end: the tenant is used meanwhile, and whatever stops
//! the load, the indexes come back.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::sync::mpsc;

use octavo_data_import::load::{Input, InputRecord, LoadError, LoadOptions};
use octavo_testkit::{Client, Library};
use serde_json::json;

use super::ways::{place, with_items};
use super::{bib, bibs, failing_at, known_as, load_bytes, load_input, options, total};
use octavo_server_testkit::{library, until};

const TITLE_WORDS: &str = "search_instance_title_words";
const RECORDS: usize = 12;

/// Options of a file of twelve records, which is a large one here.
fn large(fingerprint: &str) -> LoadOptions {
    LoadOptions {
        expected_records: Some(RECORDS as u64),
        aside_from: 10,
        ..known_as(fingerprint, 2)
    }
}

/// The usable indexes of the tenant, with their definitions.
async fn indexes(library: &Library) -> BTreeSet<String> {
    let (database, tenant) = (&library.platform.store.database, library.tenant());
    let sql = "SELECT pg_get_indexdef(x.indexrelid) AS definition FROM pg_index x \
               JOIN pg_class c ON c.oid = x.indrelid \
               WHERE c.relnamespace = to_regnamespace($1) AND x.indisvalid";
    let rows = database.query(sql, &[&tenant.schema()]).await;
    let rows = rows.expect("an answer");
    rows.iter().map(|row| row.get("definition")).collect()
}

fn has(indexes: &BTreeSet<String>, name: &str) -> bool {
    indexes.iter().any(|one| one.contains(&format!(" {name} ")))
}

async fn position(library: &Library) -> i64 {
    let (database, tenant) = (&library.platform.store.database, library.tenant());
    let sql = format!(
        "SELECT coalesce(max(position), 0) AS position FROM {}.import_progress",
        tenant.schema()
    );
    let rows = database.query(&sql, &[]).await.expect("an answer");
    rows[0].get("position")
}

/// The records of the file; those from the eleventh on wait for a word, or for the end of the sender.
fn paused() -> (mpsc::Sender<()>, impl Iterator<Item = InputRecord> + Send) {
    let (go_on, waits) = mpsc::channel::<()>();
    let mut records = Input::open(Cursor::new(bibs(1..=RECORDS))).expect("bytes in memory");
    let mut taken = 0;
    let slow = std::iter::from_fn(move || {
        taken += 1;
        if taken == 11 {
            let _ = waits.recv();
        }
        records.next()
    });
    (go_on, slow)
}

/// What searches find, by title words, by the whole title, by ISBN and in the list of a browse.
async fn found(client: &Client) -> [u64; 4] {
    let count = async |path: &str, query: &str| {
        let page = client.query(path, query).await.expect(200).json();
        page["totalRecords"].as_u64().expect("a number")
    };
    let headings = client
        .get("/browse/contributors/instances?query=name%3E%3Dmason&limit=5")
        .await
        .expect(200)
        .json();
    let ada = headings["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|one| one["name"] == "Mason, Ada")
        .filter_map(|one| one["totalRecords"].as_u64())
        .sum();
    [
        count("/search/instances", "title all \"bridges volume\"").await,
        count("/instance-storage/instances", "title=\"bridges\"").await,
        count(
            "/instance-storage/instances",
            "title==\"Bridges, volume 7 / Ada Mason\" or title==\"Written meanwhile\"",
        )
        .await,
        ada,
    ]
}

#[tokio::test]
async fn a_large_first_load_is_searched_meanwhile_and_builds_its_indexes_at_its_end() {
    let library = library().await;
    let client = library.client().await;
    let before = indexes(&library).await;
    assert!(has(&before, TITLE_WORDS), "{before:?}");

    let (go_on, slow) = paused();
    let options = large("one");
    let loading = load_input(&library, slow, &options);
    let meanwhile = async {
        until(|| async { position(&library).await >= 10 }).await;
        let now = indexes(&library).await;
        for dropped in [
            TITLE_WORDS,
            "instance_keyword_idx_ft",
            "browse_heading_instance",
        ] {
            assert!(!has(&now, dropped), "{dropped}");
        }
        assert!(has(&now, "source_record_state_idx"));
        assert!(has(&now, "instance_source_idx"));
        // What is unique stays: a record of a client comes between and one with its number is refused.
        let instance = json!({"title": "Written meanwhile", "source": "FOLIO", "hrid": "mine1",
            "instanceTypeId": "6312d172-f0cf-40f6-b27d-9fa8feaf332f"});
        let path = "/instance-storage/instances";
        let _ = client.post(path, &instance).await.expect(201);
        let _ = client.post(path, &instance).await.expect(400);
        let answers = found(&client).await;
        go_on.send(()).expect("the load waits");
        answers
    };
    let (report, answers) = tokio::join!(loading, meanwhile);
    assert_eq!(report.complete().created, RECORDS as u64);
    assert_eq!(answers, [10, 10, 2, 10]);
    let after = indexes(&library).await;
    assert_eq!(
        before.symmetric_difference(&after).collect::<Vec<_>>(),
        Vec::<&String>::new()
    );
    assert!(report.indexes_built.is_some_and(|built| built > 15));
    assert_eq!(found(&client).await, [12, 12, 2, 12]);
    // The next load is not a first one.
    let more = LoadOptions {
        again: true,
        ..large("one")
    };
    let report = load_bytes(&library, bibs(1..=RECORDS), &more).await;
    assert_eq!(report.complete().created, RECORDS as u64);
    assert_eq!(report.indexes_built, None);
}

#[tokio::test]
async fn holdings_and_items_of_a_first_load_are_in_order() {
    let (library, client) = place().await;
    let before = indexes(&library).await;
    let options = LoadOptions {
        holdings: with_items().holdings,
        ..large("items")
    };
    let file: Vec<u8> = (1..=RECORDS)
        .flat_map(|at| bib(at, &format!("852 0 $bT/C/M/S$hTG300$pc{at}")))
        .collect();
    let report = load_bytes(&library, file, &options).await;
    let done = report.complete();
    assert_eq!((done.created, done.holdings, done.items), (12, 12, 12));
    assert!(report.indexes_built.is_some_and(|built| built > 40));
    assert_eq!(indexes(&library).await, before);
    let items = client.query("/item-storage/items", "barcode==c7").await;
    assert_eq!(items.expect(200).json()["totalRecords"], 1);
}

#[tokio::test]
async fn a_first_load_that_fails_builds_its_indexes_too() {
    let library = library().await;
    let before = indexes(&library).await;
    let options = large("one");
    let report = load_input(&library, failing_at(8, bibs(1..=RECORDS)), &options).await;
    let outcome = &report.outcome;
    assert!(matches!(outcome, Err(LoadError::Input(_))), "{outcome:?}");
    assert!(report.indexes_built.is_some());
    assert_eq!(indexes(&library).await, before);
    // What is left is larger than what is there: it drops none, for six of twelve are there.
    let report = load_bytes(&library, bibs(1..=RECORDS), &options).await;
    assert_eq!(report.complete().created, RECORDS as u64);
    assert_eq!(report.indexes_built, None);
}

/// A load whose process is gone in the middle: its task is broken off and its connections end.
async fn killed(library: &Library) {
    let (go_on, slow) = paused();
    let options = large("one");
    let loading = load_input(library, slow, &options);
    let reached = until(|| async { position(library).await >= 10 });
    tokio::select! {
        report = loading => panic!("it waits before its eleventh record: {:?}", report.outcome),
        () = reached => {}
    }
    drop(go_on);
    let sql = "SELECT FROM pg_locks WHERE locktype = 'advisory' \
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let database = &library.platform.store.database;
    until(|| async {
        database
            .query(sql, &[])
            .await
            .is_ok_and(|rows| rows.is_empty())
    })
    .await;
}

#[tokio::test]
async fn the_next_start_builds_what_a_killed_first_load_has_dropped() {
    let library = library().await;
    let before = indexes(&library).await;
    killed(&library).await;
    assert!(!has(&indexes(&library).await, TITLE_WORDS));
    let (store, tenant) = (&library.platform.store, library.tenant());
    let entry = store.tenant_entry(&tenant).await.expect("an answer");
    assert!(!entry.expect("the tenant").mark.indexed);
    let builds = store.build_indexes(&tenant, &|_| ()).await;
    assert_eq!(builds.expect("they are built").problems, []);
    assert_eq!(indexes(&library).await, before);
    let client = library.client().await;
    assert_eq!(found(&client).await, [10, 10, 1, 10]);
    let entry = store.tenant_entry(&tenant).await.expect("an answer");
    assert!(entry.expect("the tenant").mark.indexed);
}

#[tokio::test]
async fn a_first_load_that_was_killed_goes_on_without_the_indexes_and_builds_them() {
    let library = library().await;
    let before = indexes(&library).await;
    killed(&library).await;
    let report = load_bytes(&library, bibs(1..=RECORDS), &large("one")).await;
    assert_eq!(report.begun.map(|begun| begun.position), Some(10));
    assert_eq!(report.complete().created, RECORDS as u64);
    assert!(report.indexes_built.is_some_and(|built| built > 15));
    assert_eq!(indexes(&library).await, before);
    let client = library.client().await;
    assert_eq!(total(&client, "/source-storage/records").await, 12);
    assert_eq!(found(&client).await, [12, 12, 1, 12]);
}

#[tokio::test]
async fn a_load_that_matches_builds_first_what_a_killed_one_has_dropped() {
    let library = library().await;
    let before = indexes(&library).await;
    killed(&library).await;
    let matching = LoadOptions {
        matching: Some("001".parse().expect("a match")),
        ..options()
    };
    let report = load_bytes(&library, bibs(1..=RECORDS), &matching).await;
    let done = report.complete();
    assert_eq!((done.created, done.matched), (2, 10));
    assert_eq!(indexes(&library).await, before);
}
