//! Several items of one record, notes and flags that profiles add and remove, and authorities
//! without a control number.

use serde_json::{Value, json};

use super::stock::{field, first, location};
use super::{action, count, created, done, log, raw};
use octavo_server_testkit::library;

/// A row of a repeatable property.
fn rows(path: &str, fields: &Value) -> Value {
    json!({"name": path, "enabled": "true", "path": path, "value": "",
        "repeatableFieldAction": "EXTEND_EXISTING",
        "subfields": [{"order": 0, "path": path, "fields": fields}]})
}

#[tokio::test]
async fn a_record_makes_as_many_items_as_it_names_and_one_costs_no_other() {
    let library = library().await;
    let client = library.client().await;
    let place = location(&client).await;
    let second = json!({"name": "Annex", "code": "KU/A", "isActive": true,
        "institutionId": place["institutionId"], "campusId": place["campusId"],
        "libraryId": place["libraryId"], "primaryServicePoint": place["primaryServicePoint"],
        "servicePointIds": place["servicePointIds"]});
    let second = client.post("/locations", &second).await.expect(201).json();
    let material = first(&client, "/material-types", "mtypes").await;
    let loan = first(&client, "/loan-types", "loantypes").await;
    let note = first(&client, "/item-note-types", "itemNoteTypes").await;
    let quoted = |one: &Value| format!("\"{}\"", one["name"].as_str().expect("a name"));
    let holdings = json!({"mappingFields": [
        field("holdings.permanentLocationId", "945$l"), field("holdings.callNumber", "945$h")]});
    let items = json!({"mappingFields": [
        field("item.materialType.id", &quoted(&material)),
        field("item.permanentLoanType.id", &quoted(&loan)),
        field("item.status.name", "\"Available\""),
        field("item.barcode", "945$i"),
        rows("item.notes[]", &json!([
            {"path": "item.notes[].itemNoteTypeId", "value": quoted(&note)},
            {"path": "item.notes[].note", "value": "878$t"},
            {"path": "item.notes[].staffOnly", "booleanFieldAction": "ALL_FALSE"}]))]});
    let tree = json!([
        action(
            0,
            "MATCH",
            "CREATE",
            "INSTANCE",
            json!({"mappingFields": []})
        ),
        action(1, "MATCH", "CREATE", "HOLDINGS", holdings),
        action(2, "MATCH", "CREATE", "ITEM", items),
    ]);
    let many = raw(
        "001 a\n245 10$aShelved\n878   $tFirst note$tSecond note\n945   $lKU/M$i41\n945   $lKU/M$i42\n\
         945   $lKU/A$i43\n945   $lKU/M$i41\n945   $lKU/M",
    );
    let without = raw("001 b\n245 10$aWithout notes\n945   $lKU/M$i51");
    let made = done(&client, tree, &[many, without]).await;
    let lines = log(&client, &made).await;
    assert_eq!(made["status"], "COMMITTED", "{lines:?}");
    let page = client
        .get("/item-storage/items?limit=100")
        .await
        .expect(200)
        .json();
    let items = page["items"].as_array().expect("items");
    // One of the five has a barcode that another one has.
    assert_eq!(items.len(), 5, "{page}");
    let of = |barcode: &str| {
        let mut found = items.iter().filter(|item| item["barcode"] == barcode);
        found
            .next()
            .unwrap_or_else(|| panic!("no {barcode} in {page}"))
    };
    for (barcode, at) in [("41", &place), ("42", &place), ("43", &second)] {
        assert_eq!(of(barcode)["effectiveLocationId"], at["id"], "{barcode}");
    }
    assert_eq!(of("41")["holdingsRecordId"], of("42")["holdingsRecordId"]);
    let notes = of("41")["notes"].as_array().expect("notes");
    let texts: Vec<&Value> = notes.iter().map(|one| &one["note"]).collect();
    assert_eq!(texts, ["First note", "Second note"]);
    // A kind of note is none without a text.
    let notes = of("51")["notes"].as_array();
    assert!(notes.is_none_or(Vec::is_empty), "{notes:?}");
    let item_info = lines[0]["relatedItemInfo"].to_string();
    assert!(
        item_info.contains("41"),
        "the refused one is item_info: {item_info}"
    );
}

#[tokio::test]
async fn a_mark_that_a_profile_takes_away_keeps_nobody_out() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let marked = raw("001 a\n245 10$aFrom elsewhere\n999 ff$iold$sold");
    let delete = json!({"marcMappingOption": "MODIFY", "marcMappingDetails": [{"order": 0,
        "action": "DELETE", "field": {"field": "999", "indicator1": "f", "indicator2": "f",
        "subfields": [{"subfield": "*"}]}}]});
    // Details of an update name no action, and change nothing.
    let other = json!({"marcMappingOption": "UPDATE", "marcMappingDetails": [{"order": 0,
        "field": {"field": "500", "indicator1": "*", "indicator2": "*",
        "subfields": [{"subfield": "*"}]}}]});
    let tree = |details: &Value| {
        json!([
            action(0, "MATCH", "MODIFY", "MARC_BIBLIOGRAPHIC", details.clone()),
            action(
                1,
                "MATCH",
                "CREATE",
                "INSTANCE",
                json!({"mappingFields": []})
            ),
        ])
    };
    let made = done(&client, tree(&delete), std::slice::from_ref(&marked)).await;
    assert_eq!(
        made["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &made).await
    );
    assert_eq!(count(&library, "instance").await, before + 1);
    let refused = done(&client, tree(&other), &[marked]).await;
    let lines = log(&client, &refused).await;
    assert_eq!(refused["status"], "ERROR", "{lines:?}");
    assert!(json!(lines).to_string().contains("999ff$s"), "{lines:?}");
    assert_eq!(count(&library, "instance").await, before + 1);
    // Without a mark the record is made, whatever names no action.
    let made = done(&client, tree(&other), &[raw("001 b\n245 10$aOurs")]).await;
    assert_eq!(
        made["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &made).await
    );
    assert_eq!(
        created(&client, &[raw("001 c\n245 10$aMore")]).await.len(),
        1
    );
}

#[tokio::test]
async fn an_authority_without_a_number_of_its_own_is_known_by_010() {
    let library = library().await;
    let client = library.client().await;
    let mut record =
        octavo_marc::parse_text("010   $azz 123\n100 1 $aHolm, Ida").expect("a record");
    record.leader = octavo_marc::Leader::from_bytes(b"00000nz  a2200000n  4500");
    let bytes = octavo_marc::write_iso2709(&record).expect("it can be written");
    let record = String::from_utf8(bytes).expect("text");
    let mut tree = json!([action(
        0,
        "MATCH",
        "CREATE",
        "AUTHORITY",
        json!({"mappingFields": []})
    )]);
    tree[0]["childSnapshotWrappers"][0]["content"]["incomingRecordType"] = json!("MARC_AUTHORITY");
    let made = done(&client, tree, &[record]).await;
    assert_eq!(
        made["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &made).await
    );
    let path = "/authority-storage/authorities?query=naturalId==zz123";
    let found = client.get(path).await.expect(200).json();
    assert_eq!(found["authorities"][0]["personalName"], "Holm, Ida");
}
