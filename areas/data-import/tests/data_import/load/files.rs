//! Files become instances, holdings, items and source records.

use octavo_cataloging::bulk::{HoldingsOptions, ItemOptions};
use octavo_data_import::load::{LoadError, LoadOptions};
use serde_json::json;
use uuid::Uuid;

use super::{bib, bibs, load_bytes, options, text, total};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE, Stock};

fn with_items(location_id: Uuid) -> LoadOptions {
    let id = |text: &str| Uuid::try_parse(text).expect("a UUID");
    let items = ItemOptions {
        material_type_id: id(BOOK),
        loan_type_id: id(CAN_CIRCULATE),
    };
    LoadOptions {
        holdings: Some(HoldingsOptions {
            location_id,
            holdings_type_id: None,
            items: Some(items),
        }),
        ..options()
    }
}

#[tokio::test]
async fn records_become_instances_with_their_source() {
    let library = library().await;
    let client = library.client().await;
    let options = LoadOptions {
        batch_records: 3,
        ..options()
    };
    let loaded = load_bytes(&library, bibs(1..=7), &options).await;
    let progress = loaded.complete();
    assert_eq!(loaded.problems, []);
    assert_eq!((progress.position, progress.created), (7, 7));
    assert_eq!(progress.bytes, bibs(1..=7).len() as u64);

    let found = client
        .query("/instance-storage/instances", "title=\"volume 5\"")
        .await
        .expect(200)
        .json();
    let instance = &found["instances"][0];
    assert_eq!(
        (text(instance, "source"), &instance["_version"]),
        ("MARC", &json!(1))
    );
    let path = format!(
        "/source-storage/formattedRecords/{}?identifier=INSTANCE",
        text(instance, "id")
    );
    let record = client.get(&path).await.expect(200).json();
    assert_eq!(
        record["externalIdsHolder"]["instanceHrid"],
        instance["hrid"]
    );
    let formatted = text(&record["parsedRecord"], "formattedContent");
    assert!(
        formatted.contains(&format!("001 {}\n", text(instance, "hrid"))),
        "{formatted}"
    );
    let own = format!(
        "999 ff$i{}$s{}\n",
        text(instance, "id"),
        text(&record, "id")
    );
    assert!(formatted.ends_with(&own), "{formatted}");
    // Exactly as it is in the file.
    let raw = text(&record["rawRecord"], "content");
    assert_eq!(raw.as_bytes(), bib(5, ""));
    let snapshot = format!("/source-storage/snapshots/{}", progress.job_id);
    assert_eq!(
        client.get(&snapshot).await.expect(200).json()["status"],
        "COMMITTED"
    );

    // The numbers of the records ascend with their places, whichever transaction stored them.
    let path = "/source-storage/source-records?limit=10";
    let page = client.get(path).await.expect(200).json();
    let records = page["sourceRecords"].as_array().expect("records");
    let mut numbers: Vec<(u64, &str)> = records
        .iter()
        .map(|one| {
            let hrid = text(&one["externalIdsHolder"], "instanceHrid");
            (one["order"].as_u64().expect("a number"), hrid)
        })
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers.len(), 7);
    assert!(numbers.is_sorted_by_key(|(_, hrid)| *hrid), "{numbers:?}");
    // What is stored is found by a search at once, and has an event.
    let found = client
        .query("/search/instances", "title all \"volume 6\"")
        .await;
    assert_eq!(found.expect(200).json()["totalRecords"], 1);
    let sql = format!(
        "SELECT count(*) FROM {}.outbox WHERE topic = 'inventory.instance' AND type = 'CREATE' \
         AND new->>'hrid' IS NOT NULL",
        library.tenant().schema()
    );
    let database = &library.platform.store.database;
    let rows = database.query(&sql, &[]).await.expect("an answer");
    assert_eq!(rows[0].get::<_, i64>(0), 7);
}

#[tokio::test]
async fn one_refused_record_among_five_hundred_costs_no_other() {
    let library = library().await;
    let client = library.client().await;
    let stock = Stock::new(client.clone()).await;
    let location = Uuid::try_parse(&stock.location).expect("a UUID");
    let item = |number: usize, barcode: usize| {
        bib(
            number,
            &format!("852 0 $bT/C/M/S$hTG300$iM{number}$pb{barcode}"),
        )
    };
    // All in one transaction; record 333 has a barcode that is taken.
    let bytes = (1..=500).flat_map(|at| item(at, if at == 333 { 12 } else { at }));
    let loaded = load_bytes(&library, bytes.collect(), &with_items(location)).await;
    let progress = loaded.complete();
    assert_eq!(loaded.positions(), [333], "{:?}", loaded.problems);
    assert!(
        loaded.problems[0].reason.contains("b12"),
        "{:?}",
        loaded.problems
    );
    assert_eq!(loaded.problems[0].control_number, "333");
    assert_eq!(
        (progress.created, progress.holdings, progress.items),
        (499, 499, 499)
    );
    // One more is the stock's own.
    assert_eq!(total(&client, "/instance-storage/instances").await, 500);
    assert_eq!(total(&client, "/holdings-storage/holdings").await, 500);
    assert_eq!(total(&client, "/source-storage/records").await, 499);
    let found = client
        .query("/item-storage/items", "barcode==b6")
        .await
        .expect(200)
        .json();
    let item = &found["items"][0];
    assert_eq!(item["effectiveLocationId"], json!(location));
    assert_eq!(
        item["effectiveCallNumberComponents"]["callNumber"],
        "TG300 M6"
    );
    assert!(text(item, "hrid").starts_with("it"));
    assert!(item.get("order").is_none());
}

#[tokio::test]
async fn options_must_name_what_exists() {
    let library = library().await;
    let loaded = load_bytes(&library, bib(1, ""), &with_items(Uuid::from_u128(7))).await;
    let message = loaded
        .outcome
        .expect_err("there is no such location")
        .to_string();
    assert!(message.starts_with("there is no location"), "{message}");
    assert!(matches!(
        load_bytes(&library, Vec::new(), &with_items(Uuid::from_u128(7)))
            .await
            .outcome,
        Err(LoadError::Unknown {
            what: "location",
            ..
        })
    ));
}

#[tokio::test]
async fn a_file_without_records_is_loaded_too() {
    let library = library().await;
    for bytes in [&b""[..], b"\n\n", b"<collection></collection>"] {
        let loaded = load_bytes(&library, bytes.to_vec(), &options()).await;
        let progress = loaded.complete();
        assert_eq!((progress.position, progress.created), (0, 0));
    }
    let client = library.client().await;
    assert_eq!(total(&client, "/instance-storage/instances").await, 0);
}
