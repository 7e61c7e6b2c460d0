//! `/browse/…`: lists of headings before, after and around a value.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{LC, LC_CLASSES, PERSONAL_NAME, Shelf, refused, texts};

const SUBJECTS: &str = "/browse/subjects/instances";

async fn with_subjects() -> Shelf {
    let shelf = Shelf::new().await;
    for value in ["Bees", "Cats", "Dogs", "Élan", "Fish"] {
        let more = json!({"subjects": [{"value": value}]});
        shelf.instance(&format!("Of {value}"), more).await;
    }
    let more = json!({"subjects": [{"value": "Dogs"}, {"value": "Cats"}]});
    shelf.instance("Of both", more).await;
    shelf
}

#[tokio::test]
async fn a_list_is_read_around_a_value() {
    let shelf = with_subjects().await;
    let query = "value >= \"dogs\" or value < \"dogs\"";
    let page = shelf
        .found(SUBJECTS, &[("query", query), ("limit", "4")])
        .await;
    assert_eq!(
        texts(&page["items"], "value"),
        ["Bees", "Cats", "Dogs", "Élan"]
    );
    assert_eq!(page["totalRecords"], 5);
    assert_eq!(page["items"][2]["isAnchor"], true);
    assert_eq!(page["items"][2]["totalRecords"], 2);
    assert_eq!(page["items"][1]["isAnchor"], Value::Null);
    assert_eq!(page["prev"], Value::Null);
    assert_eq!(page["next"], "Élan");
    let parameters = [
        ("query", query),
        ("limit", "3"),
        ("precedingRecordsCount", "1"),
    ];
    let page = shelf.found(SUBJECTS, &parameters).await;
    assert_eq!(texts(&page["items"], "value"), ["Cats", "Dogs", "Élan"]);
    assert_eq!(page["prev"], "Cats");
    let missing = "value >= \"crow\" or value < \"crow\"";
    let page = shelf
        .found(SUBJECTS, &[("query", missing), ("limit", "4")])
        .await;
    assert_eq!(
        texts(&page["items"], "value"),
        ["Bees", "Cats", "crow", "Dogs"]
    );
    assert_eq!(page["items"][2]["totalRecords"], 0);
    assert_eq!(page["items"][2]["isAnchor"], true);
    let plain = [
        ("query", missing),
        ("limit", "4"),
        ("highlightMatch", "false"),
    ];
    let page = shelf.found(SUBJECTS, &plain).await;
    assert_eq!(
        texts(&page["items"], "value"),
        ["Bees", "Cats", "Dogs", "Élan"]
    );
}

#[tokio::test]
async fn a_list_is_read_on_before_and_after_a_value() {
    let shelf = with_subjects().await;
    for (query, values) in [
        ("value > cats", ["Dogs", "Élan"]),
        ("value >= cats", ["Cats", "Dogs"]),
        ("value < dogs", ["Bees", "Cats"]),
        ("value <= elan", ["Dogs", "Élan"]),
    ] {
        let page = shelf
            .found(SUBJECTS, &[("query", query), ("limit", "2")])
            .await;
        assert_eq!(texts(&page["items"], "value"), values, "{query}");
        // Only browsing around a value marks that value.
        assert_eq!(page["items"][0]["isAnchor"], Value::Null, "{query}");
        assert_eq!(page["items"][1]["isAnchor"], Value::Null, "{query}");
    }
    for (query, prev, next) in [
        ("value > cats", json!("Dogs"), json!("Élan")),
        ("value >= fish", json!("Fish"), Value::Null),
        ("value < dogs", Value::Null, json!("Cats")),
        ("value <= dogs", json!("Cats"), json!("Dogs")),
    ] {
        let page = shelf
            .found(SUBJECTS, &[("query", query), ("limit", "2")])
            .await;
        assert_eq!((&page["prev"], &page["next"]), (&prev, &next), "{query}");
    }
    let nowhere = shelf.found(SUBJECTS, &[("query", "value > \"\"")]).await;
    assert_eq!(nowhere, json!({"totalRecords": 0, "items": []}));
    let page = shelf.found(SUBJECTS, &[("query", "value > fish")]).await;
    assert_eq!(page["items"], json!([]));
    assert_eq!(page["next"], Value::Null);
}

#[tokio::test]
async fn contributors_are_told_apart_by_their_kind() {
    let shelf = Shelf::new().await;
    let corporate = "2e48e713-17f3-4c13-a9f8-23845bb210aa";
    for (title, kind) in [("A", PERSONAL_NAME), ("B", PERSONAL_NAME), ("C", corporate)] {
        let more = json!({"contributors": [{"name": "Penguin", "contributorNameTypeId": kind}]});
        shelf.instance(title, more).await;
    }
    let path = "/browse/contributors/instances";
    let around = "name >= penguin or name < penguin";
    let page = shelf.found(path, &[("query", around)]).await;
    assert_eq!(
        texts(&page["items"], "name"),
        ["Eliot, George", "Penguin", "Penguin"]
    );
    let query = format!("({around}) and contributorNameTypeId=={corporate}");
    let page = shelf.found(path, &[("query", &query)]).await;
    assert_eq!(texts(&page["items"], "name"), ["Penguin"]);
    assert_eq!(page["items"][0]["totalRecords"], 1);
    assert_eq!(page["items"][0]["isAnchor"], true);
    // Of contributors it is said of each.
    let page = shelf.found(path, &[("query", "name > eliot")]).await;
    assert_eq!(page["items"][0]["isAnchor"], false);
    let page = shelf
        .found(path, &[("query", "name > a and instances.shared==true")])
        .await;
    assert_eq!(page["items"], json!([]));
}

async fn with_call_numbers() -> Shelf {
    let shelf = Shelf::new().await;
    for (at, number) in ["QA76 .B2", "QA9 .A5", "QA76 .B12", "QA76.5"]
        .iter()
        .enumerate()
    {
        let instance = shelf.instance(&format!("Number {at}"), json!({})).await;
        let holdings = shelf.holdings(&instance, number).await;
        shelf.item(&holdings, &format!("{at} first")).await;
        shelf.item(&holdings, &format!("{at} second")).await;
    }
    shelf
}

#[tokio::test]
async fn call_numbers_stand_in_the_order_of_the_shelf() {
    let shelf = with_call_numbers().await;
    let query = "fullCallNumber >= \"QA76 .B12\" or fullCallNumber < \"QA76 .B12\"";
    let path = "/browse/call-numbers/lc/instances";
    let page = shelf
        .found(path, &[("query", query), ("limit", "10")])
        .await;
    let values = texts(&page["items"], "fullCallNumber");
    assert_eq!(values, ["QA9 .A5", "QA76 .B12", "QA76 .B2", "QA76.5"]);
    let anchor = &page["items"][1];
    assert_eq!(anchor["isAnchor"], true);
    // Two items, one instance.
    assert_eq!(anchor["totalRecords"], 1);
    assert_eq!(anchor["instanceTitle"], "Number 2");
    assert_eq!(anchor["callNumberTypeId"], LC);
    let path = "/browse/call-numbers/all/instances";
    let other = "11111111-2222-4333-8444-555555555555";
    for (location, count) in [(shelf.stock.location.as_str(), 4), (other, 0)] {
        let query = format!("fullCallNumber > \"a\" and instances.locationId=={location}");
        let page = shelf.found(path, &[("query", &query)]).await;
        assert_eq!(page["items"].as_array().map(Vec::len), Some(count));
    }
    let path = "/browse/call-numbers/dewey/instances";
    let page = shelf.found(path, &[("query", "fullCallNumber > 0")]).await;
    assert_eq!(page["items"], json!([]));
}

#[tokio::test]
async fn classification_numbers_are_listed_with_their_type() {
    let shelf = Shelf::new().await;
    for number in ["QA9", "QA76"] {
        let more = json!({"classifications": [
            {"classificationNumber": number, "classificationTypeId": LC_CLASSES}],
            "contributors": [{"name": "Knuth", "contributorNameTypeId": PERSONAL_NAME}]});
        shelf.instance(&format!("Of {number}"), more).await;
    }
    let query = "number >= QA9 or number < QA9";
    for (option, order) in [("lc", ["QA9", "QA76"]), ("all", ["QA76", "QA9"])] {
        let path = format!("/browse/classification-numbers/{option}/instances");
        let page = shelf.found(&path, &[("query", query)]).await;
        assert_eq!(texts(&page["items"], "classificationNumber"), order);
        let at = order
            .iter()
            .position(|one| *one == "QA9")
            .unwrap_or_default();
        let item = &page["items"][at];
        assert_eq!(
            item,
            &json!({"classificationNumber": "QA9", "classificationTypeId": LC_CLASSES,
                    "isAnchor": true, "totalRecords": 1})
        );
    }
}

#[tokio::test]
async fn wrong_queries_for_browsing_are_refused() {
    let shelf = Shelf::new().await;
    let plain = "Invalid CQL query for browsing.";
    refused(
        shelf.client.query(SUBJECTS, "value==a").await,
        plain,
        "query",
        "value==a",
    );
    let sort = "Invalid CQL query for browsing, 'sortBy' is not supported";
    let query = "value>a sortBy value";
    refused(
        shelf.client.query(SUBJECTS, query).await,
        sort,
        "query",
        query,
    );
    let anchors = "Invalid CQL query for browsing. Anchors must be the same in range conditions.";
    let query = "value>=a or value<b";
    refused(
        shelf.client.query(SUBJECTS, query).await,
        anchors,
        "query",
        query,
    );
    let preceding = "Preceding records count must be less than request limit";
    let parameters = [
        ("query", "value>a"),
        ("limit", "5"),
        ("precedingRecordsCount", "5"),
    ];
    let answer = shelf.asked(SUBJECTS, &parameters).await;
    refused(answer, preceding, "precedingRecordsCount", "5");
    for path in [
        "/browse/subjects/instances?query=value%3Ea&limit=501",
        "/browse/call-numbers/lc/instances?query=fullCallNumber%3Ea&limit=101",
        "/browse/call-numbers/shoes/instances?query=fullCallNumber%3Ea",
        "/browse/subjects/instances",
    ] {
        assert_eq!(shelf.client.get(path).await.status, 400, "{path}");
    }
}

async fn options(client: &Client) -> Value {
    let path = "/browse/config/instance-call-number";
    client.get(path).await.expect(200).json()
}

#[tokio::test]
async fn an_option_takes_other_types_and_the_list_follows() {
    let shelf = with_call_numbers().await;
    let configs = options(&shelf.client).await;
    assert_eq!(
        texts(&configs["configs"], "id"),
        ["all", "lc", "dewey", "nlm", "sudoc", "other"]
    );
    let path = "/browse/config/instance-call-number/dewey";
    let config = json!({"id": "dewey", "shelvingAlgorithm": "lc", "typeIds": [LC]});
    let done = shelf.client.put(path, &config).await;
    assert_eq!(done.status, 200, "{}", done.text);
    assert_eq!(options(&shelf.client).await["configs"][2], config);
    assert_eq!(shelf.fill().await, 204);
    let list = "/browse/call-numbers/dewey/instances";
    let page = shelf
        .found(list, &[("query", "fullCallNumber > QA9")])
        .await;
    assert_eq!(page["items"].as_array().map(Vec::len), Some(4), "{page}");
    for (changed, key) in [
        (json!({"id": "lc", "shelvingAlgorithm": "lc"}), "id"),
        (
            json!({"id": "dewey", "shelvingAlgorithm": "size"}),
            "shelvingAlgorithm",
        ),
        (
            json!({"id": "dewey", "shelvingAlgorithm": "lc",
                   "typeIds": ["11111111-2222-4333-8444-555555555555"]}),
            "typeIds",
        ),
    ] {
        let answer = shelf.client.put(path, &changed).await.expect(400).json();
        assert_eq!(answer["errors"][0]["parameters"][0]["key"], key, "{answer}");
    }
    assert_eq!(shelf.client.get("/browse/config/shoes").await.status, 400);
}
