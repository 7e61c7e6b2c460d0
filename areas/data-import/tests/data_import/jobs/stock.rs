//! Holdings and items created by mapping profiles.

use serde_json::{Value, json};

use super::{action, done, log, raw};
use octavo_server_testkit::library;

pub async fn first(client: &octavo_testkit::Client, path: &str, key: &str) -> Value {
    let list = client
        .get(&format!("{path}?limit=1"))
        .await
        .expect(200)
        .json();
    list[key][0].clone()
}

pub async fn location(client: &octavo_testkit::Client) -> Value {
    let institution = client
        .post(
            "/location-units/institutions",
            &json!({"name": "Inst", "code": "I"}),
        )
        .await
        .expect(201)
        .json();
    let campus = json!({"name": "Campus", "code": "C", "institutionId": institution["id"]});
    let campus = client
        .post("/location-units/campuses", &campus)
        .await
        .expect(201)
        .json();
    let house = json!({"name": "House", "code": "H", "campusId": campus["id"]});
    let house = client
        .post("/location-units/libraries", &house)
        .await
        .expect(201)
        .json();
    let point = json!({"name": "Desk", "code": "D", "discoveryDisplayName": "Desk"});
    let point = client
        .post("/service-points", &point)
        .await
        .expect(201)
        .json();
    let place = json!({"name": "Main", "code": "KU/M", "isActive": true,
        "institutionId": institution["id"], "campusId": campus["id"], "libraryId": house["id"],
        "primaryServicePoint": point["id"], "servicePointIds": [point["id"]]});
    client.post("/locations", &place).await.expect(201).json()
}

pub fn field(path: &str, value: &str) -> Value {
    json!({"name": path, "enabled": "true", "path": path, "value": value, "subfields": []})
}

#[tokio::test]
async fn instances_get_holdings_and_items_and_these_are_changed() {
    let library = library().await;
    let client = library.client().await;
    let place = location(&client).await;
    let material = first(&client, "/material-types", "mtypes").await;
    let loan = json!({"name": "Can circulate"});
    let loan = match client.post("/loan-types", &loan).await {
        made if made.status == 201 => made.json(),
        _ => first(&client, "/loan-types", "loantypes").await,
    };
    let quoted = |one: &Value| format!("\"{}\"", one["name"].as_str().expect("a name"));
    let holdings = json!({"mappingFields": [
        field("holdings.permanentLocationId", "852$b"), field("holdings.callNumber", "852$h")]});
    let items = json!({"mappingFields": [
        field("item.materialType.id", &quoted(&material)),
        field("item.permanentLoanType.id", &quoted(&loan)),
        field("item.status.name", "\"Available\""),
        field("item.barcode", "945$b")]});
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
    let good =
        raw("001 a\n035   $a(X)1\n245 10$aShelved\n852   $bKU/M$hTG1\n945   $b31\n945   $b32");
    let nowhere = raw("001 b\n245 10$aNowhere\n852   $bATTIC\n945   $b33");
    let made = done(&client, tree, &[good, nowhere]).await;
    let lines = log(&client, &made).await;
    assert_eq!(made["status"], "ERROR", "{lines:?}");
    let shelf = &lines[0]["relatedHoldingsInfo"][0];
    assert_eq!(shelf["actionStatus"], "CREATED", "{lines:?}");
    assert_eq!(shelf["permanentLocationId"], place["id"]);
    assert_eq!(
        lines[0]["relatedItemInfo"].as_array().map(Vec::len),
        Some(2),
        "{lines:?}"
    );
    for item in lines[0]["relatedItemInfo"].as_array().expect("items") {
        assert_eq!(item["holdingsId"], shelf["id"]);
    }
    // The instance stays, as in FOLIO; its holdings are refused.
    assert_eq!(lines[1]["relatedInstanceInfo"]["actionStatus"], "CREATED");
    assert_eq!(
        lines[1]["relatedHoldingsInfo"][0]["actionStatus"],
        "DISCARDED"
    );
    assert!(
        lines[1]["relatedHoldingsInfo"][0]["error"]
            .to_string()
            .contains("ATTIC"),
        "{}",
        lines[1]
    );
    let summary = format!(
        "/metadata-provider/jobSummary/{}",
        made["id"].as_str().expect("an id")
    );
    let summary = client.get(&summary).await.expect(200).json();
    assert_eq!(summary["itemSummary"]["totalCreatedEntities"], 2);
    assert_eq!(summary["holdingSummary"]["totalErrors"], 1);
    let barcode = json!([{
        "id": uuid::Uuid::new_v4(), "contentType": "MATCH_PROFILE", "order": 0,
        "content": {"name": "barcode", "matchDetails": [{"incomingRecordType": "MARC_BIBLIOGRAPHIC",
            "existingRecordType": "ITEM", "matchCriterion": "EXACTLY_MATCHES",
            "incomingMatchExpression": {"dataValueType": "VALUE_FROM_RECORD", "fields": [
                {"label": "field", "value": "945"}, {"label": "indicator1", "value": ""},
                {"label": "indicator2", "value": ""}, {"label": "recordSubfield", "value": "b"}]},
            "existingMatchExpression": {"dataValueType": "VALUE_FROM_RECORD",
                "fields": [{"label": "field", "value": "item.barcode"}]}}]},
        "childSnapshotWrappers": [action(0, "MATCH", "UPDATE", "ITEM",
            json!({"mappingFields": [field("item.copyNumber", "945$c")]}))],
    }]);
    let changed = done(
        &client,
        barcode,
        &[raw("001 a\n245 10$ax\n945   $b32$cc. 2")],
    )
    .await;
    let lines = log(&client, &changed).await;
    assert_eq!(changed["status"], "COMMITTED", "{lines:?}");
    assert_eq!(lines[0]["relatedItemInfo"][0]["actionStatus"], "UPDATED");
    let item = client
        .get("/item-storage/items?query=barcode==32")
        .await
        .expect(200)
        .json();
    assert_eq!(item["items"][0]["copyNumber"], "c. 2");
}
