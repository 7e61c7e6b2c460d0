//! `/search/{recordType}/facets`: counts, and that a facet does not follow its own filter.

use serde_json::{Value, json};

use super::{PERSONAL_NAME, Shelf, refused};

const FACETS: &str = "/search/instances/facets";

async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    for (title, languages, source) in [
        ("River one", json!(["eng"]), "FOLIO"),
        ("River two", json!(["eng", "ger"]), "FOLIO"),
        ("River three", json!(["fre"]), "MARC"),
    ] {
        let more = json!({"languages": languages, "source": source});
        let instance = shelf.instance(title, more).await;
        let holdings = shelf.holdings(&instance, "GB1201").await;
        for copy in 0..2 {
            shelf.item(&holdings, &format!("{title} {copy}")).await;
        }
    }
    shelf
}

fn counts(facets: &Value, name: &str) -> Vec<(String, i64)> {
    let facet = &facets["facets"][name];
    let values = facet["values"].as_array().expect("values");
    assert_eq!(facet["totalRecords"], values.len());
    let counts = values.iter().map(|one| {
        let id = one["id"].as_str().expect("an id").to_owned();
        (id, one["totalRecords"].as_i64().expect("a number"))
    });
    counts.collect()
}

fn of(pairs: &[(&str, i64)]) -> Vec<(String, i64)> {
    let pairs = pairs.iter();
    pairs
        .map(|(id, count)| ((*id).to_owned(), *count))
        .collect()
}

#[tokio::test]
async fn instances_are_counted_by_what_they_and_their_items_have() {
    let shelf = shelf().await;
    let names = "languages,source,item.status.name,item.materialTypeId,shared,\
                 holdings.permanentLocationId,instanceTags";
    let facets = shelf
        .found(FACETS, &[("query", "title all river"), ("facet", names)])
        .await;
    assert_eq!(facets["totalRecords"], 7);
    assert_eq!(
        counts(&facets, "languages"),
        of(&[("eng", 2), ("fre", 1), ("ger", 1)])
    );
    assert_eq!(counts(&facets, "source"), of(&[("FOLIO", 2), ("MARC", 1)]));
    // Instances are counted, not their two items each.
    // By whichever name it is asked for, a facet of items has one.
    assert_eq!(
        counts(&facets, "items.status.name"),
        of(&[("Available", 3)])
    );
    assert_eq!(
        counts(&facets, "items.materialTypeId"),
        of(&[(octavo_server_testkit::stock::BOOK, 3)])
    );
    assert_eq!(counts(&facets, "shared"), of(&[("false", 3)]));
    let location = shelf.stock.location.as_str();
    assert_eq!(
        counts(&facets, "holdings.permanentLocationId"),
        of(&[(location, 3)])
    );
    assert_eq!(counts(&facets, "instanceTags"), of(&[]));
}

#[tokio::test]
async fn a_facet_shows_what_else_there_would_be_than_it_is_filtered_by() {
    let shelf = shelf().await;
    let query = "title all river and languages==(\"fre\") and source==MARC";
    let parameters = [
        ("query", query),
        ("facet", "languages:1"),
        ("facet", "source"),
    ];
    let facets = shelf.found(FACETS, &parameters).await;
    // Its own filter aside: all languages of MARC; the other filters hold.
    assert_eq!(counts(&facets, "languages"), of(&[("fre", 1)]));
    assert_eq!(counts(&facets, "source"), of(&[("MARC", 1)]));
    let query = "title all river and languages==\"fre\"";
    let facets = shelf
        .found(
            FACETS,
            &[
                ("query", query),
                ("facet", "languages:2"),
                ("facet", "source"),
            ],
        )
        .await;
    // The value that the query filters by is listed, though others are more frequent.
    assert_eq!(counts(&facets, "languages"), of(&[("eng", 2), ("fre", 1)]));
    assert_eq!(counts(&facets, "source"), of(&[("MARC", 1)]));
    let query = "title all river and items.status.name==Available";
    let facets = shelf
        .found(FACETS, &[("query", query), ("facet", "items.status.name")])
        .await;
    assert_eq!(
        counts(&facets, "items.status.name"),
        of(&[("Available", 3)])
    );
}

#[tokio::test]
async fn every_facet_of_holdings_and_of_what_is_bound_is_counted() {
    let shelf = shelf().await;
    let facets = shelf
        .found(
            FACETS,
            &[
                ("query", "title all river"),
                ("facet", "isBoundWith,tags.tagList,holdings.holdingsTypeId"),
                ("facet", "items.effectiveLocationId"),
                ("facet", "item.effectiveLocationId"),
            ],
        )
        .await;
    assert_eq!(facets["totalRecords"], 4, "{facets}");
    assert_eq!(counts(&facets, "isBoundWith"), of(&[("false", 3)]));
    assert_eq!(counts(&facets, "tags.tagList"), of(&[]));
    assert_eq!(counts(&facets, "holdings.holdingsTypeId"), of(&[]));
    let location = shelf.stock.location.as_str();
    assert_eq!(
        counts(&facets, "items.effectiveLocationId"),
        of(&[(location, 3)])
    );
    assert_eq!(
        shelf
            .titles("title all river and isBoundWith==true")
            .await
            .len(),
        0
    );
    assert_eq!(
        shelf
            .titles("title all river and isBoundWith==false")
            .await
            .len(),
        3
    );
}

#[tokio::test]
async fn headings_are_counted_too() {
    let shelf = shelf().await;
    let more = json!({"contributors": [
        {"name": "One", "contributorNameTypeId": PERSONAL_NAME},
        {"name": "Two", "contributorNameTypeId": PERSONAL_NAME},
    ]});
    shelf.instance("Of two", more).await;
    let facets = shelf
        .found(
            "/search/contributors/facets",
            &[
                ("query", "cql.allRecords=1"),
                ("facet", "contributorNameTypeId"),
            ],
        )
        .await;
    // The stock's title has one, too.
    assert_eq!(
        counts(&facets, "contributorNameTypeId"),
        of(&[(PERSONAL_NAME, 3)])
    );
    let facets = shelf
        .found(
            "/search/call-numbers/facets",
            &[
                ("query", "cql.allRecords=1"),
                ("facet", "callNumberTypeId,instances.locationId"),
            ],
        )
        .await;
    assert_eq!(counts(&facets, "callNumberTypeId"), of(&[(super::LC, 1)]));
    assert_eq!(counts(&facets, "instances.locationId").len(), 1);
    let nothing = [("query", "cql.allRecords=1"), ("facet", "headingType")];
    let facets = shelf.found("/search/authorities/facets", &nothing).await;
    assert_eq!(counts(&facets, "headingType"), of(&[]));
}

#[tokio::test]
async fn wrong_facets_are_refused() {
    let shelf = Shelf::new().await;
    let ask = async |facet: &str| {
        shelf
            .asked(FACETS, &[("query", "a"), ("facet", facet)])
            .await
    };
    refused(
        ask("colour").await,
        "Invalid facet value",
        "facet",
        "colour",
    );
    let format = "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'";
    refused(ask("source:x").await, format, "facet", "source:x");
    assert_eq!(shelf.client.query(FACETS, "a").await.status, 400);
    let parameters = [("query", "a"), ("facet", "source")];
    let answer = shelf.asked("/search/loans/facets", &parameters).await;
    assert_eq!(answer.status, 400, "{}", answer.text);
}
