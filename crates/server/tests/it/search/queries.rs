//! `/search/instances`: fields, orders, pages, and refusals.

use serde_json::json;

use super::{ISBN, PERSONAL_NAME, SEARCH, Shelf, refused};

async fn shelf() -> Shelf {
    let shelf = Shelf::new().await;
    let war = json!({
        "contributors": [{"name": "Tolstoy, Lev", "contributorNameTypeId": PERSONAL_NAME}],
        "identifiers": [{"value": "0-306-40615-2 (pbk)", "identifierTypeId": ISBN}],
        "subjects": [{"value": "Napoleonic Wars"}], "languages": ["rus"],
        "series": [{"value": "Everyman's library"}], "dates": {"date1": "1869"},
        "publication": [{"publisher": "Knopf"}], "notes": [{"note": "Water damage"}],
        "classifications": [{"classificationNumber": "PG3365 .V6",
          "classificationTypeId": super::LC_CLASSES}],
        "tags": {"tagList": ["urgent"]},
    });
    shelf.instance("War and peace", war).await;
    let art = json!({
        "contributors": [{"name": "Sunzi", "contributorNameTypeId": PERSONAL_NAME}],
        "languages": ["chi", "eng"], "staffSuppress": true, "dates": {"date1": "19uu"},
        "alternativeTitles": [{"alternativeTitle": "Bingfa"}],
    });
    shelf.instance("The art of war", art).await;
    shelf
}

#[tokio::test]
async fn every_kind_of_field_finds_what_it_should_and_no_more() {
    let shelf = shelf().await;
    let (war, art) = ("War and peace", "The art of war");
    for (query, titles) in [
        ("keyword all \"tolstoy peace\"", vec![war]),
        ("keyword all \"tols*\"", vec![war]),
        ("keyword any \"tolstoy sunzi\" sortBy title", vec![art, war]),
        ("keyword == \"art of war\"", vec![art]),
        ("keyword == \"war of art\"", vec![]),
        ("keyword all \"art war\"", vec![art]),
        ("tolstoy", vec![war]),
        ("title all \"bingfa\"", vec![art]),
        ("alternativeTitles.alternativeTitle all bing*", vec![art]),
        ("alternativeTitles.alternativeTitle all war", vec![]),
        ("contributors all \"lev tolstoy\"", vec![war]),
        ("contributors.name=sunzi", vec![art]),
        ("subjects all napoleonic", vec![war]),
        ("subjects=* and title=war", vec![war]),
        ("series all everyman*", vec![war]),
        ("publisher all knopf", vec![war]),
        ("notes.note all \"water damage\"", vec![war]),
        ("isbn=9780306406157", vec![war]),
        ("isbn=\"0-306-40615-2\"", vec![war]),
        ("isbn=97803*", vec![war]),
        ("isbn=9780306406158", vec![]),
        ("identifiers.value==\"0-306-40615-2 (pbk)\"", vec![war]),
        (
            "classifications.classificationNumber==\"pg3365 .v6\"",
            vec![war],
        ),
        ("normalizedClassificationNumber==pg33*", vec![war]),
        (
            "languages==(\"rus\" or \"chi\") sortBy title",
            vec![art, war],
        ),
        ("languages==\"eng\"", vec![art]),
        ("title=war not languages==eng", vec![war]),
        ("title=war and languages<>eng", vec![war]),
        ("instanceTags==urgent", vec![war]),
        ("staffSuppress==true", vec![art]),
        ("staffSuppress==false and title=war", vec![war]),
        ("normalizedDate1>=1850 and normalizedDate1<=1880", vec![war]),
        ("normalizedDate1==1900", vec![art]),
        (
            "metadata.createdDate>=2020-01-01 and title=war sortBy title",
            vec![art, war],
        ),
        ("metadata.createdDate<2020-01-01", vec![]),
        ("id==11111111-2222-4333-8444-555555555555", vec![]),
        ("shared==false and title=peace", vec![war]),
        ("shared==true", vec![]),
        ("title=\"wár\" and title=\"peace\"", vec![war]),
    ] {
        assert_eq!(shelf.titles(query).await, titles, "{query}");
    }
    assert_eq!(
        shelf
            .titles("cql.allRecords=1 sortBy title/sort.descending")
            .await
            .len(),
        3
    );
}

#[tokio::test]
async fn without_an_order_the_most_relevant_comes_first() {
    let shelf = shelf().await;
    let more =
        json!({"contributors": [{"name": "Peace, War", "contributorNameTypeId": PERSONAL_NAME}]});
    shelf.instance("A history of nothing", more).await;
    // In the title it weighs more than in a name.
    let titles = shelf.titles("keyword all \"war peace\"").await;
    assert_eq!(titles, ["War and peace", "A history of nothing"]);
    let titles = shelf.titles("keyword all \"war peace\" sortBy title").await;
    assert_eq!(titles, ["A history of nothing", "War and peace"]);
    let titles = shelf
        .titles("title=war sortBy contributors/sort.descending")
        .await;
    assert_eq!(titles, ["War and peace", "The art of war"]);
}

#[tokio::test]
async fn a_page_is_cut_from_what_is_found_and_shows_as_much_as_is_asked() {
    let shelf = shelf().await;
    let parameters = [
        ("query", "title=war sortBy title"),
        ("limit", "1"),
        ("offset", "1"),
    ];
    let found = shelf.found(SEARCH, &parameters).await;
    assert_eq!(found["totalRecords"], 2);
    let shown = found["instances"][0].as_object().expect("an instance");
    assert_eq!(shown["title"], "War and peace");
    assert_eq!(shown["isBoundWith"], false);
    assert_eq!(shown["shared"], false);
    assert!(!shown.contains_key("subjects"), "{shown:?}");
    let parameters = [("query", "title=peace"), ("expandAll", "true")];
    let found = shelf.found(SEARCH, &parameters).await;
    let shown = &found["instances"][0];
    assert_eq!(shown["subjects"][0]["value"], "Napoleonic Wars");
    assert_eq!(shown["items"], json!([]));
    assert_eq!(shown["holdings"], json!([]));
    let found = shelf
        .found(SEARCH, &[("query", "title=war"), ("limit", "0")])
        .await;
    assert_eq!(found["totalRecords"], 2);
    assert_eq!(found["instances"], json!([]));
}

#[tokio::test]
async fn wrong_requests_are_refused_as_folio_does() {
    let shelf = Shelf::new().await;
    let field = "Invalid search field provided in the CQL query";
    refused(
        shelf.client.query(SEARCH, "colour==red").await,
        field,
        "field",
        "colour",
    );
    let sort = "Sort field not found or cannot be used.";
    refused(
        shelf.client.query(SEARCH, "a sortBy colour").await,
        sort,
        "sortField",
        "colour",
    );
    let comparator = "Failed to parse CQL query. Comparator '>' is not supported.";
    refused(
        shelf.client.query(SEARCH, "title>a").await,
        comparator,
        "field",
        "title",
    );
    let far = [("query", "a"), ("limit", "500"), ("offset", "9999")];
    let sum = "The sum of limit and offset should not exceed 10000.";
    refused(
        shelf.asked(SEARCH, &far).await,
        sum,
        "offset + limit",
        "10499",
    );
    for (parameters, words) in [
        (vec![], "'query'"),
        (
            vec![("query", "a"), ("limit", "501")],
            "limit must be less than or equal to 500",
        ),
        (
            vec![("query", "a"), ("limit", "x")],
            "limit must be a whole number",
        ),
        (
            vec![("query", "a"), ("offset", "-1")],
            "offset must be greater than or equal to 0",
        ),
        (
            vec![("query", "a"), ("expandAll", "perhaps")],
            "expandAll must be true or false",
        ),
        (vec![("query", "title all (")], "Failed to parse CQL query"),
    ] {
        let answer = shelf.asked(SEARCH, &parameters).await.expect(400).json();
        let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.contains(words), "{message}");
        assert_eq!(answer["errors"][0]["code"], "validation_error");
    }
    let quotes = "keyword all \"O'Reilly \\\\ & | ! ( ) : * <->\"";
    assert_eq!(shelf.client.query(SEARCH, quotes).await.status, 200);
    let quotes = "identifiers.value==\"O'Reilly \\\\ & :\" or isbn=\"\" or series all \"- ' \\\\\"";
    assert_eq!(shelf.client.query(SEARCH, quotes).await.status, 200);
}

#[tokio::test]
async fn jobs_give_the_ids_of_all_that_is_found() {
    let shelf = shelf().await;
    let jobs = "/search/resources/jobs";
    let body = json!({"query": "title=war", "entityType": "INSTANCE"});
    let job = shelf.client.post(jobs, &body).await.expect(200).json();
    assert_eq!(job["status"], "COMPLETED");
    let path = format!("{jobs}/{}", job["id"].as_str().expect("an id"));
    assert_eq!(shelf.client.get(&path).await.expect(200).json(), job);
    let ids = shelf
        .client
        .get(&format!("{path}/ids"))
        .await
        .expect(200)
        .json();
    assert_eq!(ids["totalRecords"], 2);
    assert_eq!(ids["ids"].as_array().map(Vec::len), Some(2));
    let holdings = json!({"query": "title=middlemarch", "entityType": "HOLDINGS"});
    let job = shelf.client.post(jobs, &holdings).await.expect(200).json();
    let path = format!("{jobs}/{}/ids", job["id"].as_str().expect("an id"));
    let ids = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(ids["ids"], json!([{"id": shelf.stock.holdings}]));
    let missing = format!("{jobs}/11111111-2222-4333-8444-555555555555/ids");
    assert_eq!(shelf.client.get(&missing).await.status, 404);
    let wrong = json!({"query": "colour==red", "entityType": "INSTANCE"});
    assert_eq!(shelf.client.post(jobs, &wrong).await.status, 400);
    let wrong = json!({"query": "title=war", "entityType": "LOAN"});
    assert_eq!(shelf.client.post(jobs, &wrong).await.status, 400);
}

#[tokio::test]
async fn what_is_typed_is_gone_on_with() {
    let shelf = shelf().await;
    for (field, prefix, wanted) in [
        ("title", "wár", json!(["War and peace"])),
        ("contributor", "T", json!(["Tolstoy, Lev"])),
        ("subject", "nap", json!(["Napoleonic Wars"])),
        ("subject", "zz", json!([])),
    ] {
        let found = shelf
            .found(
                "/search/suggestions",
                &[("field", field), ("prefix", prefix)],
            )
            .await;
        assert_eq!(found["suggestions"], wanted, "{field} {prefix}");
    }
}
