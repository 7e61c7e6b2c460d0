//! What harvesters read: documents one after another, about what changed and what is there.

use serde_json::{Deserializer, Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, an_instance, id, post};

const UPDATED: &str = "/inventory-hierarchy/updated-instance-ids";
const ALL: &str = "/inventory-hierarchy/items-and-holdings";
const OAI: &str = "/oai-pmh-view/instances";
const OAI_UPDATED: &str = "/oai-pmh-view/updatedInstanceIds";
const OAI_ENRICHED: &str = "/oai-pmh-view/enrichedInstances";

/// The documents of a body that has nothing between them.
fn documents(text: &str) -> Vec<Value> {
    Deserializer::from_str(text)
        .into_iter()
        .map(|one| one.expect("a document"))
        .collect()
}

async fn asked(shelf: &Shelf, path: &str) -> Vec<Value> {
    let answer = shelf.client.get(path).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    documents(&answer.text)
}

/// Dates a record, as if it had been changed then.
async fn date(shelf: &Shelf, table: &str, id: &str, at: &str) {
    let sql = format!(
        "UPDATE tenant_diku.{table} SET jsonb = jsonb_set(jsonb, '{{metadata,updatedDate}}', \
         to_jsonb($1::text)) WHERE id::text = $2"
    );
    let database = &shelf.library.platform.store.database;
    let changed = database.execute(&sql, &[&at, &id]).await;
    assert_eq!(changed.expect("it is dated"), 1);
}

#[tokio::test]
async fn instances_that_changed_in_a_span_are_told_as_texts_without_a_list() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let mut hidden = an_instance("Hidden");
    hidden["discoverySuppress"] = json!(true);
    hidden["source"] = json!("MARC");
    let hidden = id(&post(client, INSTANCES, hidden).await);
    let gone = id(&post(client, INSTANCES, an_instance("Gone")).await);
    let _ = client
        .delete(&format!("{INSTANCES}/{gone}"))
        .await
        .expect(204);
    let old = "2020-03-01T10:00:00.250+00:00";
    date(&shelf, "instance", &shelf.instance, old).await;
    date(&shelf, "instance", &hidden, "2020-03-01T12:00:00.000+02:00").await;

    let span = "startDate=2020-03-01T10:00:00Z&endDate=2020-03-01T10:00:01Z";
    let told = asked(&shelf, &format!("{UPDATED}?{span}")).await;
    assert_eq!(
        told,
        [json!({
            "instanceId": shelf.instance, "source": "FOLIO",
            "updatedDate": "2020-03-01T10:00:00.250Z", "suppressFromDiscovery": "false",
            "deleted": "false",
        })]
    );
    // With another offset the instant counts, not its text.
    let path = format!("{UPDATED}?{span}&skipSuppressedFromDiscoveryRecords=false");
    assert_eq!(asked(&shelf, &path).await.len(), 2);
    let told = asked(&shelf, &format!("{path}&source=MARC")).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["suppressFromDiscovery"], "true");
    let before = "endDate=2020-03-01T09:59:59Z&skipSuppressedFromDiscoveryRecords=false";
    assert!(
        asked(&shelf, &format!("{UPDATED}?{before}"))
            .await
            .is_empty()
    );

    // Without a span all of them, deleted ones among them.
    let told = asked(&shelf, UPDATED).await;
    assert_eq!(told.len(), 2);
    let deleted: Vec<&Value> = told.iter().filter(|one| one["deleted"] == "true").collect();
    assert_eq!(deleted.len(), 1);
    assert_eq!(deleted[0]["instanceId"], gone);
    let path = format!("{UPDATED}?deletedRecordSupport=false");
    assert_eq!(asked(&shelf, &path).await.len(), 1);
    for path in [
        format!("{UPDATED}?startDate=2020-03-01"),
        format!("{UPDATED}?endDate=yesterday"),
        format!("{UPDATED}?deletedRecordSupport=perhaps"),
        format!("{OAI}?startDate=x"),
        format!("{OAI_UPDATED}?startDate=x"),
    ] {
        let _ = client.get(&path).await.expect(400);
    }
}

#[tokio::test]
async fn a_change_of_holdings_or_items_is_one_of_their_instance_if_wanted() {
    let shelf = Shelf::new().await;
    let (instance, holdings) = (&shelf.instance, &shelf.holdings);
    let item = id(&shelf.item("1001").await);
    let spare = id(&shelf.item("1002").await);
    for (table, record) in [
        ("instance", instance),
        ("holdings_record", holdings),
        ("item", &item),
        ("item", &spare),
    ] {
        date(&shelf, table, record, "2020-01-01T00:00:00.000+00:00").await;
    }
    let march = "startDate=2020-03-01T00:00:00Z&endDate=2020-04-01T00:00:00Z";
    let own = format!("{UPDATED}?{march}");
    let with_items = format!("{own}&onlyInstanceUpdateDate=false");
    let oai = format!("{OAI_UPDATED}?{march}");
    for path in [&own, &with_items, &oai] {
        assert!(asked(&shelf, path).await.is_empty(), "{path}");
    }
    for (table, record, at) in [
        ("holdings_record", holdings, "2020-03-02T00:00:00.000+00:00"),
        ("item", &item, "2020-03-03T00:00:00.000+00:00"),
    ] {
        date(&shelf, table, record, at).await;
        assert!(asked(&shelf, &own).await.is_empty());
        let told = asked(&shelf, &with_items).await;
        assert_eq!(told.len(), 1);
        assert_eq!(told[0]["instanceId"], *instance);
        assert_eq!(told[0]["updatedDate"], format!("{}Z", &at[..23]));
        let told = asked(&shelf, &oai).await;
        assert_eq!(
            told,
            [json!({
                "instanceid": instance, "updateddate": format!("{}Z", &at[..23]),
                "suppressfromdiscovery": "false", "deleted": "false",
            })]
        );
        date(&shelf, table, record, "2020-01-01T00:00:00.000+00:00").await;
    }

    // Of what is deleted, the deletion: also when the holdings have gone after their items.
    let now = format!("{UPDATED}?startDate=2025-01-01T00:00:00Z&onlyInstanceUpdateDate=false");
    assert!(asked(&shelf, &now).await.is_empty());
    let client = &shelf.client;
    let _ = client.delete(&format!("{ITEMS}/{spare}")).await.expect(204);
    assert_eq!(asked(&shelf, &now).await.len(), 1);
    let _ = client.delete(&format!("{ITEMS}/{item}")).await.expect(204);
    let _ = client
        .delete(&format!("{HOLDINGS}/{holdings}"))
        .await
        .expect(204);
    let told = asked(&shelf, &now).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["instanceId"], *instance);
}

#[tokio::test]
async fn items_and_holdings_are_told_by_name() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let mut item = shelf.an_item("1001");
    item["temporaryLocationId"] = json!(shelf.display);
    item["volume"] = json!("v.1");
    item["notes"] = json!([
        {"note": "Fragile", "staffOnly": false,
         "itemNoteTypeId": "0e40884c-3523-4c6d-8187-d578e3d2794e"},
        {"note": "Look at it", "staffOnly": true},
    ]);
    item["electronicAccess"] = json!([{
        "uri": "https://one.example", "relationshipId": "f5d0068e-6272-458e-8a81-b85e7b9a14aa",
    }]);
    let item = post(client, ITEMS, item).await;
    let mut hidden = shelf.an_item("1002");
    hidden["discoverySuppress"] = json!(true);
    post(client, ITEMS, hidden).await;
    let ask = |skip: bool| {
        json!({
            "instanceIds": [shelf.instance, NOWHERE, shelf.instance],
            "skipSuppressedFromDiscoveryRecords": skip,
        })
    };
    let told = documents(&client.post(ALL, &ask(true)).await.expect(200).text);
    assert_eq!(
        told.len(),
        1,
        "an instance is told once, and one that is not there not at all"
    );
    let row = &told[0];
    assert_eq!(row["instanceId"], shelf.instance);
    assert_eq!(
        [
            &row["source"],
            &row["modeOfIssuance"],
            &row["natureOfContent"]
        ],
        [&json!("FOLIO"), &json!(""), &json!([])]
    );
    let holdings = &row["holdings"][0];
    assert_eq!(holdings["id"], shelf.holdings);
    assert_eq!(holdings["suppressFromDiscovery"], false);
    let stacks = json!({
        "id": shelf.stacks, "name": "Stacks", "code": "Stacks", "campusName": "Main",
        "libraryName": "Central", "libraryCode": "C", "institutionName": "Town",
        "locationName": "Stacks",
    });
    assert_eq!(holdings["location"]["permanentLocation"], stacks);
    assert_eq!(holdings["location"]["effectiveLocation"], stacks);
    assert_eq!(holdings["location"]["temporaryLocation"], json!({}));
    assert_eq!(
        holdings["callNumber"],
        json!({
            "callNumber": "TG145 .B7", "typeId": super::LIBRARY_OF_CONGRESS,
            "typeName": "Library of Congress classification",
        })
    );
    assert_eq!(row["items"].as_array().map(Vec::len), Some(1));
    let shown = &row["items"][0];
    assert_eq!(shown["id"], item["id"]);
    assert_eq!(shown["hrId"], item["hrid"]);
    assert_eq!(shown["holdingsRecordId"], shelf.holdings);
    assert_eq!(shown["status"], "Available");
    assert_eq!(shown["location"]["location"]["name"], "Display");
    assert_eq!(shown["location"]["permanentLocation"], json!({}));
    assert_eq!(
        [
            &shown["materialType"],
            &shown["permanentLoanType"],
            &shown["volume"]
        ],
        [&json!("book"), &json!("Can circulate"), &json!("v.1")]
    );
    assert_eq!(
        shown["notes"],
        json!([{"note": "Fragile", "itemNoteTypeName": "Action note"}])
    );
    assert_eq!(
        shown["electronicAccess"],
        json!([{
            "uri": "https://one.example", "name": "Resource",
            "relationshipId": "f5d0068e-6272-458e-8a81-b85e7b9a14aa",
        }])
    );
    assert_eq!(
        shown["callNumber"]["typeName"],
        "Library of Congress classification"
    );
    let told = documents(&client.post(ALL, &ask(false)).await.expect(200).text);
    assert_eq!(told[0]["items"].as_array().map(Vec::len), Some(2));

    let refused = client.post(ALL, &json!({"instanceIds": ["7"]})).await;
    let refused = refused.expect(422).json();
    assert_eq!(
        refused["errors"].as_array().map(Vec::len),
        Some(2),
        "{refused}"
    );
    let many = vec![NOWHERE; 10_001];
    let body = json!({"instanceIds": many, "skipSuppressedFromDiscoveryRecords": true});
    for path in [ALL, OAI_ENRICHED] {
        let (message, key) = super::error(&client.post(path, &body).await.expect(422).json());
        assert!(
            key == "instanceIds" && message.contains("10000"),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_bound_item_is_told_with_each_of_its_titles_once() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let item = shelf.item("1001").await;
    let other = post(client, INSTANCES, an_instance("Ferries of the north")).await;
    let holdings = json!({
        "instanceId": other["id"], "sourceId": super::FOLIO,
        "permanentLocationId": shelf.display,
    });
    let holdings = post(client, HOLDINGS, holdings).await;
    for holdings in [&holdings["id"], &json!(shelf.holdings)] {
        let part = json!({"itemId": item["id"], "holdingsRecordId": holdings});
        post(client, "/inventory-storage/bound-with-parts", part).await;
    }
    let body = json!({
        "instanceIds": [shelf.instance, other["id"]],
        "skipSuppressedFromDiscoveryRecords": true,
    });
    let told = documents(&client.post(ALL, &body).await.expect(200).text);
    assert_eq!(told.len(), 2);
    for row in &told {
        let items = row["items"].as_array().expect("items");
        assert_eq!(items.len(), 1);
        assert_eq!(items[0]["id"], item["id"]);
        let of = match row["instanceId"] == other["id"] {
            true => &holdings["id"],
            false => &item["holdingsRecordId"],
        };
        assert_eq!(&items[0]["holdingsRecordId"], of);
    }
}

#[tokio::test]
async fn items_at_places_in_use_are_told_to_oai_pmh() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let item = shelf.item("1001").await;
    let empty = id(&post(client, INSTANCES, an_instance("Nothing")).await);
    let body = json!({
        "instanceIds": [shelf.instance, empty], "skipSuppressedFromDiscoveryRecords": true,
    });
    // The place does not say that it is in use.
    let told = documents(&client.post(OAI_ENRICHED, &body).await.expect(200).text);
    assert!(
        told.iter().all(|row| row["itemsandholdingsfields"] == ""),
        "{told:?}"
    );
    let mut stacks = client
        .get(&format!("/locations/{}", shelf.stacks))
        .await
        .expect(200)
        .json();
    stacks["isActive"] = json!(true);
    let path = format!("/locations/{}", shelf.stacks);
    let _ = client.put(&path, &stacks).await.expect(204);
    let told = documents(&client.post(OAI_ENRICHED, &body).await.expect(200).text);
    assert_eq!(told.len(), 2);
    let row = told.iter().find(|row| row["instanceid"] == shelf.instance);
    let fields = &row.expect("the instance")["itemsandholdingsfields"];
    assert_eq!(fields["instanceid"], shelf.instance);
    let shown = &fields["items"][0];
    assert_eq!(shown["id"], item["id"]);
    assert_eq!(shown["holdingsRecordId"], shelf.holdings);
    assert_eq!(shown["location"]["name"], "Stacks");
    assert_eq!(shown["location"]["location"]["institutionName"], "Town");
    assert_eq!(shown["electronicAccess"], Value::Null);
    assert_eq!(shown["suppressFromDiscovery"], false);

    let gone = id(&post(client, INSTANCES, an_instance("Gone")).await);
    let _ = client
        .delete(&format!("{INSTANCES}/{gone}"))
        .await
        .expect(204);
    let told = asked(&shelf, OAI).await;
    assert_eq!(told.len(), 3);
    for row in &told {
        let id = row["instanceid"].as_str().expect("an id");
        assert_eq!(row["deleted"], (id == gone).to_string());
        let has_items = row["itemsandholdingsfields"]["items"].is_array();
        assert_eq!(has_items, id == shelf.instance, "{row}");
    }
}

#[tokio::test]
async fn a_harvest_of_everything_is_streamed() {
    let shelf = Shelf::new().await;
    let sql = "INSERT INTO tenant_diku.instance (id, jsonb) SELECT gen, jsonb || \
               jsonb_build_object('id', gen, 'hrid', 'many' || gen) FROM (SELECT n, \
               gen_random_uuid() AS gen, jsonb FROM tenant_diku.instance, \
               generate_series(1, 3000) AS n) AS made";
    let database = &shelf.library.platform.store.database;
    database.execute(sql, &[]).await.expect("they are stored");
    assert_eq!(asked(&shelf, UPDATED).await.len(), 3_001);
    assert_eq!(asked(&shelf, OAI).await.len(), 3_001);
}

/// The dates of items have no index, since each check-out would have to update it. A library that
/// harvests a lot gets a hint about the missing index and can create it.
#[tokio::test]
async fn a_harvest_by_the_dates_of_items_lacks_an_index_until_it_is_applied() {
    let shelf = Shelf::new().await;
    let item = id(&shelf.item("1001").await);
    for (table, id) in [
        ("instance", &shelf.instance),
        ("holdings_record", &shelf.holdings),
    ] {
        date(&shelf, table, id, "2019-01-01T00:00:00.000+00:00").await;
    }
    date(&shelf, "item", &item, "2020-03-01T23:59:59.999+00:00").await;
    let span = "startDate=2020-03-01T12:00:00Z&endDate=2020-03-02T00:00:00Z";
    let paths = [
        format!("{UPDATED}?{span}&onlyInstanceUpdateDate=false"),
        format!("{OAI_UPDATED}?{span}"),
        format!("{OAI}?{span}"),
    ];
    let told = async || {
        for path in &paths {
            assert_eq!(asked(&shelf, path).await.len(), 1, "{path}");
            let later = path.replace("2020-03-0", "2020-03-1");
            assert_eq!(asked(&shelf, &later).await.len(), 0, "{later}");
        }
    };
    let advice = async || shelf.client.get("/_/index-advice").await.expect(200).json();
    // By the instances' own dates, or for everything, no index of items is wanted.
    for path in [format!("{UPDATED}?{span}"), OAI.to_owned()] {
        let _ = asked(&shelf, &path).await;
    }
    assert_eq!(advice().await["totalRecords"], 0);
    told().await;
    let list = advice().await;
    assert_eq!(list["totalRecords"], 1, "{list}");
    let one = &list["indexAdvice"][0];
    assert_eq!(
        [&one["collection"], &one["times"]],
        [&json!("item"), &json!(6)]
    );
    assert_eq!(
        one["query"],
        "metadata.updatedDate >= ? and metadata.updatedDate <= ?"
    );
    let index = &one["indexes"][0]["index"];
    assert_eq!(
        [&index["field"], &index["kind"]],
        ["metadata.updatedDate", "index"]
    );

    let (store, tenant) = (&shelf.library.platform.store, shelf.library.tenant());
    let index = serde_json::from_value(index.clone()).expect("an index");
    store
        .want_index(&tenant, "item", &index)
        .await
        .expect("it is wanted");
    let builds = store
        .build_indexes(&tenant, &|_| ())
        .await
        .expect("it is built");
    assert_eq!(builds.made.len(), 1);
    store.refresh_indexes(&tenant).await.expect("it is known");
    told().await;
    assert_eq!(advice().await["totalRecords"], 0);
}
