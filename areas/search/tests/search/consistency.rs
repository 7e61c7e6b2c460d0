//! A search finds what was saved a moment ago, by whichever way it was saved.

use futures_util::future::join_all;
use serde_json::json;

use super::{HOLDINGS, INSTANCES, ITEMS, SEARCH, Shelf, TEXT, an_instance};
use octavo_server_testkit::stock::{CIRC_DESK_1, check_out};

#[tokio::test]
async fn an_instance_is_found_as_soon_as_it_is_saved_and_no_longer_than_it_is_there() {
    let shelf = Shelf::new().await;
    let whale = shelf.instance("Of whales", json!({})).await;
    assert_eq!(shelf.titles("title all whales").await, ["Of whales"]);
    let changed = json!({"title": "Of seals", "languages": ["eng"]});
    shelf.change(INSTANCES, &whale, changed).await;
    assert_eq!(shelf.titles("keyword all whales").await, [""; 0]);
    assert_eq!(
        shelf.titles("keyword all seals and languages==eng").await,
        ["Of seals"]
    );
    shelf.delete(INSTANCES, &whale).await;
    assert_eq!(shelf.titles("title all seals").await, [""; 0]);
}

#[tokio::test]
async fn a_batch_is_found_as_a_whole_or_not_at_all() {
    let shelf = Shelf::new().await;
    let titles = ["Batch one", "Batch two"];
    let instances = titles.map(|title| an_instance(title, json!({})));
    let batch = json!({"instances": instances});
    let path = "/instance-storage/batch/synchronous";
    let stored = shelf.client.post(path, &batch).await;
    assert_eq!(stored.status, 201, "{}", stored.text);
    assert_eq!(shelf.titles("title all batch sortBy title").await, titles);
    let mut wrong = json!({"instances": [
        an_instance("Batch three", json!({})),
        an_instance("Batch four", json!({"instanceTypeId": "11111111-2222-4333-8444-555555555555"})),
    ]});
    wrong["instances"][0]["instanceTypeId"] = json!(TEXT);
    let refused = shelf.client.post(path, &wrong).await;
    assert!(refused.status >= 400, "{}", refused.text);
    assert_eq!(shelf.titles("title all batch sortBy title").await, titles);
}

#[tokio::test]
async fn holdings_and_items_lead_to_their_instance_wherever_they_move() {
    let shelf = Shelf::new().await;
    let (from, to) = (
        shelf.instance("The first place", json!({})).await,
        shelf.instance("The second place", json!({})).await,
    );
    let holdings = shelf.holdings(&from, "QL737 .C4").await;
    let item = shelf.item(&holdings, "w-1").await;
    let queries = [
        "items.barcode==w-1",
        "itemNormalizedCallNumbers==\"ql737.c4\"",
        "itemFullCallNumbers==\"QL737 .C4\"",
        "holdingsNormalizedCallNumbers==ql737*",
    ];
    for query in queries {
        assert_eq!(shelf.titles(query).await, ["The first place"], "{query}");
    }
    let moved = json!({"instanceId": to["id"]});
    shelf.change(HOLDINGS, &holdings, moved).await;
    for query in queries {
        assert_eq!(shelf.titles(query).await, ["The second place"], "{query}");
    }
    let item = shelf
        .change(ITEMS, &item, json!({"discoverySuppress": true}))
        .await;
    assert_eq!(
        shelf.titles("items.discoverySuppress==true").await,
        ["The second place"]
    );
    shelf.delete(ITEMS, &item).await;
    assert_eq!(
        shelf.titles("itemNormalizedCallNumbers==ql737*").await,
        [""; 0]
    );
    shelf.delete(HOLDINGS, &holdings).await;
    assert_eq!(
        shelf.titles("holdingsNormalizedCallNumbers==ql737*").await,
        [""; 0]
    );
}

#[tokio::test]
async fn a_check_out_and_a_check_in_change_the_status_that_is_searched() {
    let shelf = Shelf::new().await;
    shelf.stock.item("lent").await;
    shelf.stock.patron("reader").await;
    let lent = "items.status.name==\"Checked out\"";
    assert_eq!(shelf.titles(lent).await, [""; 0]);
    let path = "/circulation/check-out-by-barcode";
    let done = shelf.client.post(path, &check_out("lent", "reader")).await;
    assert_eq!(done.status, 201, "{}", done.text);
    assert_eq!(shelf.titles(lent).await, ["Middlemarch"]);
    let back = json!({"itemBarcode": "lent", "servicePointId": CIRC_DESK_1,
                      "checkInDate": "2030-01-01T00:00:00Z"});
    let path = "/circulation/check-in-by-barcode";
    let done = shelf.client.post(path, &back).await;
    assert_eq!(done.status, 200, "{}", done.text);
    assert_eq!(shelf.titles(lent).await, [""; 0]);
    assert_eq!(
        shelf.titles("item.status.name==Available").await,
        ["Middlemarch"]
    );
}

#[tokio::test]
async fn what_two_write_at_once_is_found_as_the_last_of_them_left_it() {
    let shelf = Shelf::new().await;
    let heading = json!({"subjects": [{"value": "Rivalry"}]});
    let record = shelf.instance("Contested", heading).await;
    let path = format!("{INSTANCES}/{}", record["id"].as_str().expect("an id"));
    let now = shelf.client.get(&path).await.expect(200).json();
    let writers = (0..8).map(|number| {
        let mut mine = now.clone();
        mine["title"] = json!(format!("Contested by writer{number}"));
        let (client, path) = (shelf.client.clone(), path.clone());
        async move { client.put(&path, &mine).await.status }
    });
    let added = (0..8).map(|number| {
        let body = an_instance(
            &format!("Added{number}"),
            json!({"subjects": [{"value": "Rivalry"}]}),
        );
        let client = shelf.client.clone();
        async move { client.post(INSTANCES, &body).await.status }
    });
    let (written, added) = tokio::join!(join_all(writers), join_all(added));
    assert_eq!(
        written.iter().filter(|status| **status == 204).count(),
        1,
        "{written:?}"
    );
    assert_eq!(added, [201; 8]);
    let last = shelf.client.get(&path).await.expect(200).json();
    let title = last["title"].as_str().expect("a title");
    assert_eq!(shelf.titles("title all contested").await, [title]);
    let query = "value >= rivalry or value < rivalry";
    let list = shelf
        .found("/browse/subjects/instances", &[("query", query)])
        .await;
    assert_eq!(list["items"][0]["totalRecords"], 9, "{list}");
}

#[tokio::test]
async fn a_move_of_holdings_beside_check_outs_of_their_items_loses_nothing() {
    let shelf = Shelf::new().await;
    let to = shelf.instance("Elsewhere", json!({})).await;
    shelf.stock.patron("reader").await;
    for number in 0..6 {
        shelf.stock.item(&format!("m-{number}")).await;
    }
    let holdings = format!("{HOLDINGS}/{}", shelf.stock.holdings);
    let mut moved = shelf.client.get(&holdings).await.expect(200).json();
    moved["instanceId"] = to["id"].clone();
    let lending = (0..6).map(|number| {
        let client = shelf.client.clone();
        async move {
            let body = check_out(&format!("m-{number}"), "reader");
            client
                .post("/circulation/check-out-by-barcode", &body)
                .await
                .status
        }
    });
    let (lent, moved) = tokio::join!(join_all(lending), shelf.client.put(&holdings, &moved));
    assert_eq!(moved.status, 204, "{}", moved.text);
    assert_eq!(lent, [201; 6]);
    assert_eq!(
        shelf.titles("items.status.name==\"Checked out\"").await,
        ["Elsewhere"]
    );
    let found = shelf
        .found(
            SEARCH,
            &[("query", "items.barcode==m-3"), ("expandAll", "true")],
        )
        .await;
    let items = found["instances"][0]["items"].as_array().expect("items");
    assert_eq!(items.len(), 6);
    assert!(
        items
            .iter()
            .all(|item| item["status"]["name"] == "Checked out")
    );
}
