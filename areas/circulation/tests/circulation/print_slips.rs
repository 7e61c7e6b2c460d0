//! The slips for what is to be fetched from the shelves, and for what is to be looked for.

use std::time::Duration;

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};

use super::support::{sql, wait};
use super::{check_in, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, DVD};

async fn slips(client: &Client, which: &str, point: &str) -> Vec<Value> {
    let path = format!("/circulation/{which}-slips/{point}");
    let told = client.get(&path).await.expect(200).json();
    let slips = told[format!("{which}Slips")].as_array().expect("a list");
    assert_eq!(told["totalRecords"], slips.len());
    slips.clone()
}

#[tokio::test]
async fn a_page_that_waits_is_told_where_its_item_stands() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    assert_eq!(slips(client, "pick", CIRC_DESK_1).await.len(), 0);
    let item = stock.item("i-1").await;
    let _ = client
        .post(super::IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    let patron = stock.patron("p-1").await;
    let more = json!({"pickupServicePointId": CIRC_DESK_2, "patronComments": "Soon, please"});
    let request = wait(&stock, "Page", &item, &patron, more).await;
    let told = slips(client, "pick", CIRC_DESK_1).await;
    assert_eq!(told.len(), 1);
    for (token, value) in [
        ("title", "Middlemarch"),
        ("allContributors", "Eliot, George"),
        ("primaryContributor", "Eliot, George"),
        ("barcode", "i-1"),
        ("status", "Available"),
        ("materialType", "dvd"),
        ("loanType", "Can circulate"),
        ("callNumber", "PR4662 .A1"),
        ("copy", ""),
        ("effectiveLocationSpecific", "Stacks"),
        ("effectiveLocationLibrary", "Main"),
        ("effectiveLocationCampus", "Centre"),
        ("effectiveLocationInstitution", "Town"),
        ("effectiveLocationPrimaryServicePointName", "Circ Desk 1"),
    ] {
        assert_eq!(told[0]["item"][token], value, "{token}");
    }
    let seen = &told[0]["item"]["lastCheckedInDateTime"];
    assert!(
        seen.is_string() && seen != &told[0]["currentDateTime"],
        "{seen}"
    );
    for date in [seen, &told[0]["currentDateTime"]] {
        assert!(
            date.as_str().is_some_and(|date| date.ends_with('Z')),
            "{date}"
        );
    }
    assert!(told[0]["item"].get("fromServicePoint").is_none());
    assert_eq!(
        told[0]["request"],
        json!({"requestID": request, "servicePointPickup": "Circ Desk 2",
               "requestDate": "2026-02-02T10:00:00.000Z", "patronComments": "Soon, please"})
    );
    assert_eq!(
        told[0]["requester"],
        json!({"firstName": "Dorothea", "preferredFirstName": "Dorothea", "lastName": "Brooke",
               "barcode": "p-1", "patronGroup": "undergrad", "departments": ""})
    );
    // It is nothing to any other service point, nor once the item is on its way.
    assert_eq!(slips(client, "pick", CIRC_DESK_2).await.len(), 0);
    let _ = client
        .post(super::IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(slips(client, "pick", CIRC_DESK_1).await.len(), 0);
    let _ = client.get("/circulation/pick-slips/desk").await.expect(400);
}

#[tokio::test]
async fn slips_follow_the_item_and_stand_in_the_order_of_the_shelves() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let location = client
        .get(&format!("/locations/{}", stock.location))
        .await
        .expect(200)
        .json();
    let mut annex = location.clone();
    for (name, value) in [("name", "Annex"), ("code", "T/C/M/A")] {
        annex[name] = json!(value);
    }
    let _ = annex.as_object_mut().and_then(|annex| annex.remove("id"));
    let annex = client.post("/locations", &annex).await.expect(201).json();
    let annex = annex["id"].clone();
    let mut requests = Vec::new();
    for barcode in ["i-1", "i-2", "i-3"] {
        let item = stock.item(barcode).await;
        requests.push(wait(&stock, "Page", &item, &patron, json!({})).await);
        if barcode == "i-3" {
            let path = format!("/item-storage/items/{item}");
            let mut moved = client.get(&path).await.expect(200).json();
            moved["temporaryLocationId"] = annex.clone();
            let _ = client.put(&path, &moved).await.expect(204);
        }
    }
    // Holds, and requests that are not open, are nothing to be fetched.
    let item = stock.item_of("i-4", DVD, "Checked out").await;
    let _ = wait(&stock, "Hold", &item, &patron, json!({})).await;
    let told = slips(client, "pick", CIRC_DESK_1).await;
    let barcodes: Vec<_> = told.iter().map(|one| &one["item"]["barcode"]).collect();
    assert_eq!(barcodes.len(), 3, "{barcodes:?}");
    assert_eq!(barcodes[0], "i-3", "{barcodes:?}");
    // The location is moved to another service point, with its items.
    let mut other = client
        .get(&format!("/locations/{}", annex.as_str().expect("an id")))
        .await
        .expect(200)
        .json();
    other["primaryServicePoint"] = json!(CIRC_DESK_2);
    other["servicePointIds"] = json!([CIRC_DESK_2]);
    let path = format!("/locations/{}", annex.as_str().expect("an id"));
    let _ = client.put(&path, &other).await.expect(204);
    assert_eq!(slips(client, "pick", CIRC_DESK_1).await.len(), 2);
    let there = slips(client, "pick", CIRC_DESK_2).await;
    assert_eq!(there[0]["request"]["requestID"], json!(requests[2]));
    let name = &there[0]["item"]["effectiveLocationPrimaryServicePointName"];
    assert_eq!(name, "Circ Desk 2");
}

#[tokio::test]
async fn holds_are_looked_for_where_the_settings_say_so() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let item = stock.item_of("i-1", DVD, "Missing").await;
    let of_item = wait(&stock, "Hold", &item, &patron, json!({})).await;
    let title = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null});
    let of_title = wait(&stock, "Hold", &item, &patron, title).await;
    assert_eq!(slips(client, "search", CIRC_DESK_1).await.len(), 0);
    let setting = json!({"name": "PRINT_HOLD_REQUESTS",
        "value": {"printHoldRequestsEnabled": true}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    let told = slips(client, "search", CIRC_DESK_1).await;
    let mut ids: Vec<_> = told
        .iter()
        .map(|one| one["request"]["requestID"].clone())
        .collect();
    ids.sort_by_key(ToString::to_string);
    let mut expected = vec![json!(of_item), json!(of_title)];
    expected.sort_by_key(ToString::to_string);
    assert_eq!(ids, expected);
    let title = told
        .iter()
        .find(|one| one["request"]["requestID"] == json!(of_title));
    let title = &title.expect("the title's")["item"];
    assert_eq!(title["title"], "Middlemarch");
    assert_eq!(title["primaryContributor"], "Eliot, George");
    let name = &title["effectiveLocationPrimaryServicePointName"];
    assert_eq!(name, "Circ Desk 1");
    assert!(title.get("barcode").is_none());
    assert_eq!(slips(client, "search", CIRC_DESK_2).await.len(), 0);
    assert_eq!(slips(client, "pick", CIRC_DESK_1).await.len(), 0);
}

/// Pages of as many items more, and as many requests a year for years that are closed.
async fn ask_for_more(library: &Library, pages: u32, closed: u32) {
    let made = format!(
        "WITH made AS MATERIALIZED (
           SELECT number, gen_random_uuid() AS item, gen_random_uuid() AS request
           FROM generate_series(1, {pages} + {closed}) AS number),
         items AS (INSERT INTO tenant_diku.item (id, jsonb)
           SELECT made.item, item.jsonb || jsonb_build_object('id', made.item,
             'barcode', 'm-' || number, 'hrid', 'm-' || number)
           FROM made, (SELECT jsonb FROM tenant_diku.item LIMIT 1) AS item
           WHERE number <= {pages}),
         requests AS (INSERT INTO tenant_diku.request (id, jsonb)
           SELECT made.request, request.jsonb || jsonb_build_object('id', made.request,
             'itemId', made.item, 'requestDate',
             to_char(timestamp '2026-03-01' + number * interval '1 minute',
               'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'),
             'status', CASE WHEN number <= {pages} THEN 'Open - Not yet filled'
               ELSE 'Closed - Filled' END)
           FROM made, (SELECT jsonb FROM tenant_diku.request LIMIT 1) AS request RETURNING 1)
         SELECT count(*) FROM requests"
    );
    assert_eq!(sql(library, &made).await, [i64::from(pages + closed)]);
    let database = &library.platform.store.database;
    for table in ["item", "request"] {
        let analyze = format!("ANALYZE tenant_diku.{table}");
        let _ = database.execute(&analyze, &[]).await.expect("analyzed");
    }
}

#[tokio::test]
async fn two_and_a_half_thousand_slips_are_told_at_most_those_that_waited_longest() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let item = stock.item("i-1").await;
    let _ = wait(&stock, "Page", &item, &patron, json!({})).await;
    ask_for_more(&library, 2_600, 5_000).await;
    let started = std::time::Instant::now();
    let told = slips(client, "pick", CIRC_DESK_1).await;
    println!("2,500 slips in {:?}", started.elapsed());
    assert_eq!(told.len(), 2_500);
    let latest = told
        .iter()
        .filter_map(|one| one["request"]["requestDate"].as_str());
    assert_eq!(latest.max(), Some("2026-03-02T17:39:00.000Z"));
    // Read is what waits, by its index, and of each the item, by its key: nothing of what is closed.
    // Sessions report what they have read a second later at most.
    let read = "SELECT idx_tup_read FROM pg_stat_user_indexes
        WHERE schemaname = 'tenant_diku' AND indexrelname = 'request_waiting_idx'";
    let reported = async {
        loop {
            let entries = sql(&library, read).await;
            if entries.first().is_some_and(|entries| *entries >= 2_500) {
                return entries;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let entries = tokio::time::timeout(Duration::from_secs(30), reported).await;
    let entries = entries.expect("the index is read");
    assert!(entries[0] <= 2_601, "{entries:?}");
}
