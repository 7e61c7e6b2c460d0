//! `octavo index` beside a running server, and indexes of an upgrade built while it serves.

use octavo_postgres::{Database, DatabaseOptions};
use serde_json::Value;

use crate::octavo::{Octavo, Outcome, run};
use crate::place::{DataDir, demo_database};
use crate::until;

const QUERY: &str = "volume==\"a secret\"";

/// Runs `octavo index` in a directory.
async fn index(directory: &DataDir, arguments: &[&str]) -> Outcome {
    let place = ["--data-dir", directory.arg()];
    run(&[&["index"], arguments, &place].concat(), &[]).await
}

/// The same, which has to succeed; returns its output.
async fn indexed(directory: &DataDir, arguments: &[&str]) -> String {
    let outcome = index(directory, arguments).await;
    assert!(outcome.status.success(), "{}", outcome.stderr);
    outcome.stdout
}

#[tokio::test]
async fn advice_is_followed_kept_and_undone() {
    let directory = DataDir::of_demo().await;
    let mut octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let nothing = indexed(&directory, &["advise"]).await;
    assert!(
        nothing.starts_with("Every search that tenant diku"),
        "{nothing}"
    );

    let items = "/item-storage/items";
    let _ = client.query(items, QUERY).await.expect(200);
    until("the server writes it down", || async {
        indexed(&directory, &["advise"])
            .await
            .contains("volume == ?")
    })
    .await;
    let advised = indexed(&directory, &["advise"]).await;
    assert!(advised.contains("index on item volume"), "{advised}");
    assert!(!advised.contains("secret"), "{advised}");
    let json: Value = serde_json::from_str(&indexed(&directory, &["advise", "--json"]).await)
        .expect("it is JSON");
    let number = json["indexAdvice"][0]["number"].to_string();

    let applied = indexed(&directory, &["apply", &number]).await;
    assert!(applied.contains("in use: item_volume_idx"), "{applied}");
    // The server knows the index: the search no longer lacks one.
    until("the server plans with it", || async {
        let _ = client.query(items, QUERY).await.expect(200);
        client.get("/_/index-advice").await.expect(200).json()["totalRecords"] == 0
    })
    .await;

    let place = ["--data-dir", directory.arg()];
    let on = [
        "cql",
        "try",
        "--tenant",
        "diku",
        "--collection",
        "item",
        QUERY,
    ];
    let tried = run(&[&on[..], &place].concat(), &[]).await;
    assert!(
        tried.stdout.contains("by index volume"),
        "{}{}",
        tried.stdout,
        tried.stderr
    );

    octavo.terminate();
    octavo.ended_well().await;
    let octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let client = octavo.client().await;
    let list = indexed(&directory, &["list"]).await;
    let line = list
        .lines()
        .find(|line| line.contains("item_volume_idx"))
        .unwrap_or_else(|| panic!("not there:\n{list}"));
    assert!(
        line.contains("applied") && line.ends_with("in use"),
        "{line}"
    );
    let _ = client.query(items, QUERY).await.expect(200);
    let advice = client.get("/_/index-advice").await.expect(200).json();
    assert_eq!(advice["totalRecords"], 0, "{advice}");

    indexed(&directory, &["drop", "item_volume_idx"]).await;
    let list = indexed(&directory, &["list"]).await;
    assert!(!list.contains("item_volume_idx"), "{list}");
    until("the server plans without it", || async {
        let _ = client.query(items, QUERY).await.expect(200);
        client.get("/_/index-advice").await.expect(200).json()["totalRecords"] == 1
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_applied_is_reported_with_the_remedy() {
    let directory = DataDir::of_demo().await;
    let _octavo = Octavo::start(&["--data-dir", directory.arg()]).await;
    let named = |collection, kind, field| {
        [
            "apply",
            "--collection",
            collection,
            "--kind",
            kind,
            "--field",
            field,
        ]
    };
    for (arguments, expected) in [
        (&["apply"][..], "octavo index advise"),
        (&["apply", "7"], "there is no advice 7 for tenant diku"),
        (
            &named("itmes", "index", "volume"),
            "there is no collection \"itmes\"",
        ),
        (
            &named("item", "btree", "volume"),
            "there is no kind of index \"btree\"",
        ),
        (
            &named("item", "uniqueIndex", "volume"),
            "apply --kind index",
        ),
        (
            &named("item", "index", "vol'ume"),
            "is not the path of a property",
        ),
        (&named("item", "index", "volum"), "have no property volum"),
        (
            &named("item", "index", "barcode' --"),
            "is not the path of a property",
        ),
        (
            &["drop", "item_barcode_idx_unique"],
            "declared by this release",
        ),
        (&["drop", "nothing"], "no applied index \"nothing\""),
        (
            &["advise", "--tenant", "nobody"],
            "there is no tenant nobody",
        ),
    ] {
        let outcome = index(&directory, arguments).await;
        assert_eq!(outcome.status.code(), Some(2), "{arguments:?}");
        assert!(
            outcome.stderr.contains(expected),
            "{arguments:?}: {}",
            outcome.stderr
        );
    }
}

#[tokio::test]
async fn a_server_is_ready_while_indexes_of_its_upgrade_are_made() {
    let (database, url) = demo_database().await;
    let directory = DataDir::new();
    let mut options = DatabaseOptions::new(database.config());
    options.idle_in_transaction_timeout = std::time::Duration::ZERO;
    let other = Database::connect(options).await.expect("it answers");
    // The state that an earlier release would have left.
    for sql in [
        "DROP INDEX tenant_diku.item_barcode_idx_unique",
        "UPDATE octavo.tenant SET prepared = 'an earlier release'",
    ] {
        let _ = other.execute(sql, &[]).await.expect("it is done");
    }
    // A transaction that began before the build keeps it from ending.
    let held = other.transaction().await.expect("a transaction");
    let touch = "SELECT id FROM tenant_diku.item LIMIT 1 FOR KEY SHARE";
    let _ = held.query(touch, &[]).await.expect("it is read");

    let place = ["--database-url", &url, "--data-dir", directory.arg()];
    let octavo = Octavo::start(&place).await;
    octavo.logs("making an index beside").await;
    let client = octavo.client().await;
    let found = client
        .query("/item-storage/items", "cql.allRecords=1")
        .await
        .expect(200);
    assert!(found.json()["totalRecords"].as_u64() > Some(1_000));
    let valid = "SELECT 1 FROM pg_index WHERE indisvalid \
                 AND indexrelid = to_regclass('tenant_diku.item_barcode_idx_unique')";
    let rows = other.query(valid, &[]).await.expect("it answers");
    assert!(rows.is_empty(), "made before it could be");
    held.commit().await.expect("it ends");
    octavo.logs("the tenant's indexes are up to date").await;
    let rows = other.query(valid, &[]).await.expect("it answers");
    assert_eq!(rows.len(), 1);
}
