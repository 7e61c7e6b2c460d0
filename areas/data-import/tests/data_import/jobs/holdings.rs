//! Holdings and items matched below one another, and updated.

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stock::field;
use super::{action, done, log, marc, match_035, match_by, property, raw};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE, Stock};

const EXACTLY: &str = "EXACTLY_MATCHES";

/// A row of a repeatable property.
fn rows(path: &str, action: &str, fields: Value) -> Value {
    json!({"name": path, "enabled": "true", "path": path, "value": "",
        "repeatableFieldAction": action,
        "subfields": [{"order": 0, "path": path, "fields": fields}]})
}

fn update(entity: &str, fields: Value) -> Value {
    json!([action(
        0,
        "MATCH",
        "UPDATE",
        entity,
        json!({"mappingFields": fields})
    )])
}

async fn holdings(client: &Client, id: &str) -> Value {
    let path = format!("/holdings-storage/holdings/{id}");
    client.get(&path).await.expect(200).json()
}

/// An instance from a record, with these holdings; returns their ids.
async fn with_holdings(stock: &Stock, record: &str, call_numbers: &[&str]) -> Vec<String> {
    let (instance, _) = super::created(&stock.client, &[raw(record)])
        .await
        .remove(0);
    let source = holdings(&stock.client, &stock.holdings).await["sourceId"].clone();
    let mut ids = Vec::new();
    for number in call_numbers {
        let body = json!({"instanceId": instance, "permanentLocationId": stock.location,
            "callNumber": number, "sourceId": source, "copyNumber": "c. 1",
            "shelvingTitle": "Shelved", "formerIds": ["old"], "administrativeNotes": ["a note"],
            "holdingsStatements": [{"statement": "v. 1"}], "notes": [{"note": "first"}],
            "tags": {"tagList": ["urgent"]}});
        let made = stock.client.post("/holdings-storage/holdings", &body).await;
        let made = made.expect(201).json();
        ids.push(made["id"].as_str().expect("an id").to_owned());
    }
    ids
}

#[tokio::test]
async fn holdings_are_changed_where_the_profile_says_so_and_nowhere_else() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = stock.client.clone();
    let ids = with_holdings(
        &stock,
        "001 a\n035   $a(X)1\n245 10$aShelved",
        &["TG1", "TG2"],
    )
    .await;
    let before = holdings(&client, &ids[0]).await;
    let other = holdings(&client, &ids[1]).await;
    let note_types = client.get("/holdings-note-types?query=name==Note").await;
    let note = note_types.expect(200).json()["holdingsNoteTypes"][0]["id"].clone();
    let fields = json!([
        field("holdings.callNumber", "852$h"),
        field("holdings.copyNumber", "###REMOVE###"),
        // Nothing is sent for these two: existing values stay.
        field("holdings.shelvingTitle", "852$l"),
        rows(
            "holdings.administrativeNotes[]",
            "EXCHANGE_EXISTING",
            json!([
            {"path": "holdings.administrativeNotes[]", "value": "955$z"}])
        ),
        rows(
            "holdings.notes[]",
            "EXTEND_EXISTING",
            json!([
            {"path": "holdings.notes[].holdingsNoteTypeId", "value": "\"Note\""},
            {"path": "holdings.notes[].note", "value": "852$z"},
            {"path": "holdings.notes[].staffOnly", "booleanFieldAction": "ALL_TRUE"}])
        ),
        rows(
            "holdings.formerIds[]",
            "EXCHANGE_EXISTING",
            json!([
            {"path": "holdings.formerIds[]", "value": "955$a"}])
        ),
        json!({"name": "s", "enabled": "true", "path": "holdings.holdingsStatements[]",
            "value": "", "subfields": [], "repeatableFieldAction": "DELETE_EXISTING"}),
        json!({"name": "d", "enabled": "true", "path": "holdings.discoverySuppress",
            "value": "", "subfields": [], "booleanFieldAction": "ALL_TRUE"}),
    ]);
    let number = marc("901", "", "h");
    let by_number = match_by(
        "HOLDINGS",
        &number,
        EXACTLY,
        &property("holdingsrecord.hrid"),
        update("HOLDINGS", fields),
    );
    let hrid = before["hrid"].as_str().expect("a number");
    let came = raw(&format!(
        "001 x\n245 10$ax\n852   $hTG9$zsecond\n901   $h{hrid}\n955   $anew\n955   $anewer"
    ));
    let changed = done(&client, json!([by_number]), &[came]).await;
    let lines = log(&client, &changed).await;
    assert_eq!(changed["status"], "COMMITTED", "{lines:?}");
    let info = &lines[0]["relatedHoldingsInfo"][0];
    assert_eq!(
        (&info["id"], &info["actionStatus"]),
        (&json!(ids[0]), &json!("UPDATED"))
    );
    let mut expected = before.clone();
    expected["callNumber"] = json!("TG9");
    expected["discoverySuppress"] = json!(true);
    expected["formerIds"] = json!(["new", "newer"]);
    expected["holdingsStatements"] = json!([]);
    expected["notes"] = json!([before["notes"][0],
        {"holdingsNoteTypeId": note, "note": "second", "staffOnly": true}]);
    let mut after = holdings(&client, &ids[0]).await;
    for document in [&mut expected, &mut after] {
        let document = document.as_object_mut().expect("an object");
        for property in ["_version", "metadata", "copyNumber"] {
            let removed = document.remove(property);
            assert!(
                removed.is_some() == (property != "copyNumber") || removed == Some(json!("c. 1"))
            );
        }
    }
    assert_eq!(after, expected);
    assert!(holdings(&client, &ids[0]).await["copyNumber"].is_null());
    assert_eq!(holdings(&client, &ids[1]).await, other);
    // Removing the incoming values leaves the others.
    let less = json!([rows(
        "holdings.formerIds[]",
        "DELETE_INCOMING",
        json!([
        {"path": "holdings.formerIds[]", "value": "955$a"}])
    )]);
    let by_call_number = match_by(
        "HOLDINGS",
        &marc("852", "", "h"),
        EXACTLY,
        &property("holdingsrecord.callNumber"),
        update("HOLDINGS", less),
    );
    let came = [
        raw("001 x\n245 10$ax\n852   $hTG9\n955   $anew"),
        raw("001 y\n245 10$ay\n852   $htg9\n955   $anewer"),
    ];
    let changed = done(&client, json!([by_call_number]), &came).await;
    assert_eq!(
        changed["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &changed).await
    );
    assert_eq!(
        holdings(&client, &ids[0]).await["formerIds"],
        json!(["newer"])
    );
}

#[tokio::test]
async fn instance_holdings_and_item_are_found_one_below_the_other() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = stock.client.clone();
    let ids = with_holdings(&stock, "001 a\n035   $a(X)1\n245 10$aOne", &["TG1", "TG2"]).await;
    let others = with_holdings(&stock, "001 b\n035   $a(X)2\n245 10$aTwo", &["TG2"]).await;
    for (holdings, barcode) in [(&ids[0], "31"), (&ids[1], "32"), (&others[0], "33")] {
        let item = json!({"barcode": barcode, "holdingsRecordId": holdings,
            "status": {"name": "Available"}, "materialTypeId": BOOK,
            "permanentLoanTypeId": CAN_CIRCULATE});
        let _ = client.post("/item-storage/items", &item).await.expect(201);
    }
    let copy = json!([field("item.copyNumber", "945$c")]);
    let by_barcode = match_by(
        "ITEM",
        &marc("945", "", "b"),
        EXACTLY,
        &property("item.barcode"),
        update("ITEM", copy),
    );
    let mut added = update("HOLDINGS", json!([field("holdings.copyNumber", "852$t")]))[0].clone();
    added["order"] = json!(1);
    let by_number = match_by(
        "HOLDINGS",
        &marc("852", "", "h"),
        EXACTLY,
        &property("holdingsrecord.callNumber"),
        json!([by_barcode, added]),
    );
    // The location has an id, and is named by its code.
    let by_place = match_by(
        "HOLDINGS",
        &marc("852", "", "b"),
        EXACTLY,
        &property("holdingsrecord.permanentLocationId"),
        json!([]),
    );
    let tree = json!([match_035(json!([by_number]))]);
    let record = |number: &str, barcode: &str| {
        raw(&format!(
            "001 x\n035   $a(X)1\n245 10$ax\n852   $bT/C/M/S$h{number}$tnew\n945   $b{barcode}$ccopy"
        ))
    };
    // The second call number and the third barcode are another instance's too.
    let came = [
        record("TG2", "32"),
        record("TG2", "33"),
        record("TG9", "31"),
    ];
    let changed = done(&client, tree, &came).await;
    let lines = log(&client, &changed).await;
    assert_eq!(changed["status"], "COMMITTED", "{lines:?}");
    let info = |line: usize| {
        let one = |name: &str| lines[line][name][0]["actionStatus"].clone();
        (one("relatedHoldingsInfo"), one("relatedItemInfo"))
    };
    assert_eq!(info(0), (json!("UPDATED"), json!("UPDATED")), "{lines:?}");
    assert_eq!(info(1), (json!("UPDATED"), json!("DISCARDED")), "{lines:?}");
    assert_eq!(info(2).0, json!("DISCARDED"), "{lines:?}");
    let copies = async |barcode: &str| {
        let found = client
            .query("/item-storage/items", &format!("barcode=={barcode}"))
            .await;
        found.expect(200).json()["items"][0]["copyNumber"].clone()
    };
    assert_eq!(copies("32").await, "copy");
    assert!(copies("31").await.is_null() && copies("33").await.is_null());
    assert_eq!(holdings(&client, &ids[1]).await["copyNumber"], "new");
    assert_eq!(holdings(&client, &others[0]).await["copyNumber"], "c. 1");
    // Both holdings are in the place; of the other instance it is one.
    let tree = |by_place: Value| json!([match_035(json!([by_place]))]);
    let both = done(&client, tree(by_place.clone()), &[record("TG1", "31")]).await;
    let error = log(&client, &both).await[0].to_string();
    assert!(error.contains("Found multiple records"), "{error}");
    let one = raw("001 x\n035   $a(X)2\n245 10$ax\n852   $bT/C/M/S$tby place");
    let mut by_place = by_place;
    by_place["childSnapshotWrappers"] =
        update("HOLDINGS", json!([field("holdings.copyNumber", "852$t")]));
    let found = done(&client, tree(by_place), &[one]).await;
    assert_eq!(
        found["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &found).await
    );
    assert_eq!(
        holdings(&client, &others[0]).await["copyNumber"],
        "by place"
    );
}

#[tokio::test]
async fn an_item_is_found_among_the_many_of_a_serial() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = stock.client.clone();
    let ids = with_holdings(&stock, "001 s\n035   $a(X)1\n245 10$aSerial", &["TG1"]).await;
    let item = |number: usize| {
        json!({"id": Uuid::new_v4(), "barcode": format!("s{number:03}"),
            "hrid": format!("s{number:03}"), "holdingsRecordId": ids[0],
            "status": {"name": "Available"}, "materialTypeId": BOOK,
            "permanentLoanTypeId": CAN_CIRCULATE})
    };
    let items: Vec<Value> = (0..250).map(item).collect();
    let path = "/item-storage/batch/synchronous";
    let _ = client
        .post(path, &json!({"items": items}))
        .await
        .expect(201);
    let by_state = match_by(
        "ITEM",
        &json!({"dataValueType": "STATIC_VALUE",
            "staticValueDetails": {"staticValueType": "TEXT", "text": "Available"}}),
        EXACTLY,
        &property("item.status.name"),
        json!([]),
    );
    let by_barcode = match_by(
        "ITEM",
        &marc("945", "", "b"),
        EXACTLY,
        &property("item.barcode"),
        update("ITEM", json!([field("item.copyNumber", "945$c")])),
    );
    let tree = |below: Value| json!([match_035(json!([below]))]);
    let came = raw("001 x\n035   $a(X)1\n245 10$ax\n945   $bs249$clast");
    let changed = done(&client, tree(by_barcode), std::slice::from_ref(&came)).await;
    let lines = log(&client, &changed).await;
    assert_eq!(changed["status"], "COMMITTED", "{lines:?}");
    assert_eq!(
        lines[0]["relatedItemInfo"][0]["actionStatus"], "UPDATED",
        "{lines:?}"
    );
    let many = done(&client, tree(by_state.clone()), std::slice::from_ref(&came)).await;
    let error = log(&client, &many).await[0].to_string();
    assert!(error.contains("Found multiple records"), "{error}");
    // Among all items the index leaves common statuses out.
    let many = done(&client, json!([by_state]), &[came]).await;
    let error = log(&client, &many).await[0].to_string();
    assert!(
        error.contains("no index serves a match on status.name"),
        "{error}"
    );
}
