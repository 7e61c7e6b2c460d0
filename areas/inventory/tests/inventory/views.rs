//! Instances with what belongs to them: the views, the summary, and ids in bulk.

use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, an_instance, id, post};

const PARTS: &str = "/inventory-storage/bound-with-parts";
const VIEW: &str = "/inventory-view/instances";
const SETS: &str = "/inventory-view/instance-set";

/// A second title whose holdings are bound with an item of the first.
async fn bound_title(shelf: &Shelf, item: &Value) -> (String, String) {
    let client = &shelf.client;
    let other = post(client, INSTANCES, an_instance("Ferries of the north")).await;
    let holdings = json!({
        "instanceId": other["id"], "sourceId": super::FOLIO,
        "permanentLocationId": shelf.display,
    });
    let holdings = post(client, HOLDINGS, holdings).await;
    let part = json!({"itemId": item["id"], "holdingsRecordId": holdings["id"]});
    post(client, PARTS, part).await;
    (id(&other), id(&holdings))
}

#[tokio::test]
async fn an_instance_is_shown_with_its_holdings_and_items() {
    let shelf = Shelf::new().await;
    let first = shelf.item("1001").await;
    let second = shelf.item("1002").await;
    let (other, holdings) = bound_title(&shelf, &first).await;
    let client = &shelf.client;
    let query = format!("instanceId=={}", shelf.instance);
    let page = client.query(VIEW, &query).await.expect(200).json();
    assert_eq!(page["totalRecords"], 1);
    let shown = &page["instances"][0];
    assert_eq!(shown["instanceId"], shelf.instance);
    assert_eq!(
        shown["instance"],
        shelf.read(INSTANCES, &shelf.instance).await
    );
    assert_eq!(shown["isBoundWith"], false);
    assert_eq!(
        shown["holdingsRecords"],
        json!([shelf.read(HOLDINGS, &shelf.holdings).await])
    );
    let items = shown["items"].as_array().expect("items");
    assert_eq!(items.len(), 2);
    assert!(items.contains(&first) && items.contains(&second));

    // A title without items of its own: none are there, unless those that are bound count.
    let query = format!("id=={other}");
    let page = client.query(VIEW, &query).await.expect(200).json();
    let shown = &page["instances"][0];
    assert_eq!(shown["holdingsRecords"][0]["id"], holdings.as_str());
    assert_eq!(shown["isBoundWith"], true);
    assert!(shown.get("items").is_none(), "{shown}");
    let path = format!("{VIEW}?withBoundedItems=true");
    let page = client.get(&path).await.expect(200).json();
    assert_eq!(page["totalRecords"], 2);
    for shown in page["instances"].as_array().expect("instances") {
        let wanted = match shown["instanceId"] == other.as_str() {
            true => 1,
            false => 2,
        };
        assert_eq!(shown["items"].as_array().map(Vec::len), Some(wanted));
    }
}

#[tokio::test]
async fn a_view_is_searched_by_its_own_fields_and_says_what_is_wrong() {
    let shelf = Shelf::new().await;
    shelf.item("1001").await;
    post(&shelf.client, INSTANCES, an_instance("Tunnels")).await;
    for query in [
        "instance.title==\"Bridges of the north\"",
        "title=bridges",
        "items.barcode==1001",
        "cql.allRecords=1 sortBy instance.title",
    ] {
        let page = shelf.client.query(VIEW, query).await.expect(200).json();
        assert_eq!(
            page["instances"][0]["instanceId"], shelf.instance,
            "{query}"
        );
    }
    for (path, named) in [
        (format!("{VIEW}?withBoundedItems=maybe"), "withBoundedItems"),
        (format!("{VIEW}?query=title=="), "CQL"),
        (format!("{VIEW}?limit=-1"), "limit"),
    ] {
        let refused = shelf.client.get(&path).await.expect(400);
        assert!(refused.text.contains(named), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_large_view_is_streamed_whole() {
    let shelf = Shelf::new().await;
    shelf.item("1001").await;
    let sql = "INSERT INTO tenant_diku.instance (id, jsonb) SELECT gen, jsonb || \
               jsonb_build_object('id', gen, 'hrid', 'many' || gen) FROM (SELECT n, \
               gen_random_uuid() AS gen, jsonb FROM tenant_diku.instance, \
               generate_series(1, 1500) AS n) AS made";
    let database = &shelf.library.platform.store.database;
    database.execute(sql, &[]).await.expect("they are stored");
    let path = format!("{VIEW}?limit=2147483647");
    let page = shelf.client.get(&path).await.expect(200).json();
    let shown = page["instances"].as_array().expect("instances");
    assert_eq!(shown.len(), 1_501);
    assert_eq!(page["totalRecords"], 1_501);
    let with_items = shown.iter().filter(|one| one.get("items").is_some());
    assert_eq!(with_items.count(), 1);
}

#[tokio::test]
async fn a_set_has_the_parts_that_are_asked_for() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let client = &shelf.client;
    let later = post(client, INSTANCES, an_instance("Bridges, continued")).await;
    let title = json!({"precedingInstanceId": shelf.instance, "succeedingInstanceId": later["id"]});
    let title = post(client, "/preceding-succeeding-titles", title).await;
    let relation = json!({
        "superInstanceId": later["id"], "subInstanceId": shelf.instance,
        "instanceRelationshipTypeId": "30773a27-b485-4dab-aeb6-b8c04fa3cb17",
    });
    let relation = post(client, "/instance-storage/instance-relationships", relation).await;

    let query = format!("id=={}", shelf.instance);
    let bare = client
        .query(&format!("{SETS}?limit=1"), &query)
        .await
        .expect(200)
        .json();
    assert_eq!(bare, json!({"instanceSets": [{"id": shelf.instance}]}));
    let all = "instance=true&holdingsRecords=true&items=true&precedingTitles=true\
               &succeedingTitles=true&superInstanceRelationships=true\
               &subInstanceRelationships=true";
    let path = format!("{SETS}?limit=10&{all}");
    let sets = client.query(&path, &query).await.expect(200).json();
    let set = &sets["instanceSets"][0];
    assert_eq!(
        set["instance"],
        shelf.read(INSTANCES, &shelf.instance).await
    );
    assert_eq!(set["holdingsRecords"][0]["id"], shelf.holdings);
    assert_eq!(set["items"], json!([item]));
    assert_eq!(set["precedingTitles"], json!([]));
    assert_eq!(set["succeedingTitles"], json!([title]));
    assert_eq!(set["superInstanceRelationships"], json!([relation]));
    assert_eq!(set["subInstanceRelationships"], json!([]));

    let none = client
        .query(&format!("{SETS}?limit=10"), &format!("id=={NOWHERE}"))
        .await;
    assert_eq!(none.expect(200).json(), json!({"instanceSets": []}));
    for path in [
        SETS.to_owned(),
        format!("{SETS}?limit=11"),
        format!("{SETS}?limit=0"),
        format!("{SETS}?limit=1&items=1"),
    ] {
        let refused = client.get(&path).await.expect(400);
        assert!(refused.text.contains("parameter is incorrect"), "{path}");
    }
}

#[tokio::test]
async fn a_summary_counts_what_belongs_to_an_instance_each_once() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let link = |uri: &str| json!([{"uri": uri, "linkText": uri}]);
    let mut instance = shelf.read(INSTANCES, &shelf.instance).await;
    instance["electronicAccess"] = link("https://one.example");
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let _ = client.put(&path, &instance).await.expect(204);
    let mut first = shelf.an_item("1001");
    first["electronicAccess"] =
        json!([{"uri": "https://one.example"}, {"uri": "https://two.example"}]);
    let first = post(client, ITEMS, first).await;
    let mut hidden = shelf.an_item("1002");
    hidden["discoverySuppress"] = json!(true);
    hidden["electronicAccess"] = link("https://hidden.example");
    hidden["itemLevelCallNumber"] = json!("AB1");
    hidden["itemLevelCallNumberTypeId"] = json!(super::LIBRARY_OF_CONGRESS);
    post(client, ITEMS, hidden).await;
    // The item is bound with its own holdings, too: it counts once anyway.
    let part = json!({"itemId": first["id"], "holdingsRecordId": shelf.holdings});
    let (other, _) = bound_title(&shelf, &first).await;
    post(client, PARTS, part).await;

    let path = format!("{INSTANCES}/{}/summary", shelf.instance);
    let summary = client.get(&path).await.expect(200).json();
    assert_eq!(summary["instance"]["id"], shelf.instance);
    assert_eq!(summary["isBoundWith"], true);
    assert_eq!(
        summary["recordCounts"],
        json!({
            "holdings": {
                "total": 1, "suppressedFromDiscovery": 0, "notSuppressedFromDiscovery": 1,
            },
            "items": {
                "total": 2, "suppressedFromDiscovery": 1, "suppressedByHoldings": 0,
                "suppressedFromDiscoveryOrByHoldings": 1, "notSuppressedFromDiscovery": 1,
            },
        })
    );
    let uris = |scope: &str| -> Vec<String> {
        let links = summary["aggregates"][scope]["electronicAccess"].as_array();
        let links = links.into_iter().flatten();
        links
            .filter_map(|link| Some(link["uri"].as_str()?.to_owned()))
            .collect()
    };
    assert_eq!(
        uris("allRecords"),
        [
            "https://one.example",
            "https://hidden.example",
            "https://two.example"
        ]
    );
    assert_eq!(
        uris("notSuppressedFromDiscoveryRecords"),
        ["https://one.example", "https://two.example"]
    );
    let all = &summary["aggregates"]["allRecords"];
    assert_eq!(all["itemDerivedFields"]["effectiveShelvingOrder"], "AB 11");
    let shown = &summary["aggregates"]["notSuppressedFromDiscoveryRecords"];
    assert_eq!(
        shown["itemDerivedFields"]["effectiveShelvingOrder"],
        first["effectiveShelvingOrder"]
    );
    let types = json!([{"id": super::BOOK, "name": "book"}]);
    assert_eq!(all["referenceValues"]["itemMaterialTypes"], types);
    assert_eq!(
        summary["referenceValues"],
        json!({
            "instanceFormats": [], "natureOfContentTerms": [],
            "instanceType": {"id": super::TEXT, "name": "text"},
        })
    );

    let path = format!("{INSTANCES}/{other}/summary");
    let summary = client.get(&path).await.expect(200).json();
    assert_eq!(summary["recordCounts"]["items"]["total"], 1);
    let none = client
        .get(&format!("{INSTANCES}/{NOWHERE}/summary"))
        .await
        .expect(404);
    assert_eq!(none.text, "Not found");
    let _ = client
        .get(&format!("{INSTANCES}/7/summary"))
        .await
        .expect(400);
}

#[tokio::test]
async fn ids_are_told_in_bulk() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    shelf.item("1001").await;
    post(client, INSTANCES, an_instance("Tunnels")).await;
    let ids = "/record-bulk/ids";
    let all = client.get(ids).await.expect(200).json();
    assert_eq!(all["totalRecords"], 2);
    assert_eq!(all["ids"].as_array().map(Vec::len), Some(2));
    let query = format!("items.effectiveLocationId=={}", shelf.stacks);
    let found = client.query(ids, &query).await.expect(200).json();
    assert_eq!(found["ids"], json!([{"id": shelf.instance}]));
    let path = format!("{ids}?recordType=HOLDING&limit=5");
    let found = client.get(&path).await.expect(200).json();
    assert_eq!(found["ids"], json!([{"id": shelf.holdings}]));
    for path in [
        format!("{ids}?recordType=ITEM"),
        format!("{ids}?field=hrid"),
        format!("{ids}?query=nothing+at"),
    ] {
        let _ = client.get(&path).await.expect(400);
    }
}

#[tokio::test]
async fn sets_come_page_by_page_and_tell_what_index_they_lack() {
    let shelf = Shelf::new().await;
    let mut ids = vec![shelf.instance.clone()];
    for title in ["Canals", "Docks"] {
        ids.push(id(&post(&shelf.client, INSTANCES, an_instance(title)).await));
    }
    for (offset, expected) in ids.iter().enumerate() {
        let path = format!("{SETS}?limit=1&offset={offset}&instance=true");
        let query = "cql.allRecords=1 sortBy title";
        let sets = shelf.client.query(&path, query).await.expect(200).json();
        let sets = sets["instanceSets"].as_array().expect("sets");
        assert_eq!(sets.len(), 1);
        assert_eq!(
            [&sets[0]["id"], &sets[0]["instance"]["id"]],
            [expected, expected]
        );
    }
    let path = format!("{SETS}?limit=10");
    let query = "catalogedDate==2026";
    let found = shelf.client.query(&path, query).await.expect(200).json();
    assert_eq!(found, json!({"instanceSets": []}));
    let advice = shelf.client.get("/_/index-advice").await.expect(200).json();
    assert_eq!(advice["totalRecords"], 1, "{advice}");
    assert_eq!(advice["indexAdvice"][0]["query"], "catalogedDate == ?");
    let wrong = shelf.client.query(&path, "title==").await.expect(400);
    assert!(wrong.text.contains("CQL"), "{}", wrong.text);
}
