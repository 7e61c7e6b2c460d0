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
        ("title=\"*peace*\"", vec![war]),
        ("title all \"*AND p*\"", vec![war]),
        ("title=\"w?r*peac*\"", vec![war]),
        ("title==\"*of w*r\"", vec![art]),
        ("title=\"*of w\"", vec![]),
        ("keyword all \"*olst*\"", vec![war]),
        ("keyword all \"*615-2*\"", vec![war]),
        ("cql.all=\"*ingf*\" and staffSuppress==true", vec![art]),
        ("contributors=\"*lev\"", vec![war]),
        ("subjects==\"*leonic*\"", vec![war]),
        ("notes.note=\"*dam*ge\"", vec![war]),
        ("publisher=\"*nop*\" or title=\"*nowhere*\"", vec![war]),
        ("title=war not title=\"*art*\"", vec![war]),
        ("isbn=\"*30640615*\"", vec![war]),
        ("isbn=\"0-306-40615-2?\"", vec![war]),
        ("identifiers.value=\"*(pbk)\"", vec![war]),
        ("languages==\"r*s\"", vec![war]),
        ("source==\"F*O\" and title=peace", vec![war]),
        ("instanceTypeId==\"*172-f0cf*\" and title=peace", vec![war]),
        ("id==\"*not-an-id*\"", vec![]),
        ("items.id==\"*zz*\"", vec![]),
        ("itemIdentifiers all \"*zz*\"", vec![]),
        ("title all \"pea *\"", vec![]),
        ("title all \"peace *\"", vec![war]),
        ("title=\"what?\"", vec![]),
        (
            &format!(
                "classifications.classificationTypeId=={}",
                super::LC_CLASSES
            ),
            vec![war],
        ),
        ("classifications.classificationTypeId==x", vec![]),
        ("tags.tagList==urgent", vec![war]),
        ("tenantId==* and title=peace", vec![war]),
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
    let mut job = shelf.client.post(jobs, &body).await.expect(200).json();
    assert_eq!(job["status"], "IN_PROGRESS");
    let path = format!("{jobs}/{}", job["id"].as_str().expect("an id"));
    job["status"] = json!("COMPLETED");
    assert_eq!(shelf.client.get(&path).await.expect(200).json(), job);
    let ids = shelf
        .client
        .get(&format!("{path}/ids"))
        .await
        .expect(200)
        .json();
    assert_eq!(ids["totalRecords"], 2);
    assert_eq!(ids["ids"].as_array().map(Vec::len), Some(2));
    // They are given once.
    job["status"] = json!("DEPRECATED");
    assert_eq!(shelf.client.get(&path).await.expect(200).json(), job);
    let again = shelf
        .client
        .get(&format!("{path}/ids"))
        .await
        .expect(400)
        .json();
    let error = &again["errors"][0];
    let message = "Completed async job with query=[title=war] was not found.";
    assert_eq!(error["message"], message);
    assert_eq!(error["type"], "SearchServiceException");
    assert_eq!(error["code"], "service_error");
    let holdings = json!({"query": "title=middlemarch", "entityType": "HOLDINGS"});
    let job = shelf.client.post(jobs, &holdings).await.expect(200).json();
    let path = format!("{jobs}/{}/ids", job["id"].as_str().expect("an id"));
    let ids = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(ids["ids"], json!([{"id": shelf.stock.holdings}]));
    let missing = format!("{jobs}/11111111-2222-4333-8444-555555555555/ids");
    assert_eq!(shelf.client.get(&missing).await.status, 404);
    let wrong = json!({"query": "colour==red", "entityType": "INSTANCE"});
    let job = shelf.client.post(jobs, &wrong).await.expect(200).json();
    let path = format!("{jobs}/{}", job["id"].as_str().expect("an id"));
    assert_eq!(
        shelf.client.get(&path).await.expect(200).json()["status"],
        "ERROR"
    );
    assert_eq!(shelf.client.get(&format!("{path}/ids")).await.status, 400);
    let wrong = json!({"query": "title=war", "entityType": "LOAN"});
    assert_eq!(shelf.client.post(jobs, &wrong).await.status, 400);
}

#[tokio::test]
async fn ids_are_given_at_once_too() {
    let shelf = shelf().await;
    let query = [("query", "title=war")];
    let ids = shelf.found("/search/instances/ids", &query).await;
    assert_eq!(ids["totalRecords"], 2, "{ids}");
    assert_eq!(ids["ids"].as_array().map(Vec::len), Some(2));
    let holdings = [("query", "title=middlemarch")];
    let ids = shelf.found("/search/holdings/ids", &holdings).await;
    assert_eq!(
        ids,
        json!({"ids": [{"id": shelf.stock.holdings}], "totalRecords": 1})
    );
    let request = shelf
        .client
        .request(reqwest::Method::GET, "/search/holdings/ids")
        .header("content-type", "text/plain");
    let lines = shelf
        .client
        .send(request.query(&holdings))
        .await
        .expect(200);
    assert_eq!(lines.text, format!("{}\n", shelf.stock.holdings));
    let wrong = shelf
        .asked("/search/instances/ids", &[("query", "colour==red")])
        .await;
    assert_eq!(wrong.status, 400);
}

#[tokio::test]
async fn an_isbn_with_a_wrong_check_digit_is_found_as_it_is_written() {
    let shelf = Shelf::new().await;
    for (title, isbn) in [
        ("Right", "0-306-40615-2"),
        ("Wrong", "0-306-40615-3"),
        ("Thirteen", "978-1-4028-9462-6"),
        ("Wrong thirteen", "978-1-4028-9462-7"),
        ("With an X", "080442957X"),
    ] {
        let more = json!({"identifiers": [{"value": isbn, "identifierTypeId": ISBN}]});
        shelf.instance(title, more).await;
    }
    for (isbn, title) in [
        ("0306406152", Some("Right")),
        ("9780306406157", Some("Right")),
        ("0306406153", Some("Wrong")),
        ("9781402894626", Some("Thirteen")),
        ("1402894627", Some("Thirteen")),
        ("9781402894627", Some("Wrong thirteen")),
        ("080442957x", Some("With an X")),
        ("9780804429573", Some("With an X")),
    ] {
        let found = shelf.titles(&format!("isbn={isbn}")).await;
        assert_eq!(found, Vec::from_iter(title), "{isbn}");
    }
}

#[tokio::test]
async fn languages_and_features_are_kept() {
    let shelf = Shelf::new().await;
    let (client, languages) = (&shelf.client, "/search/config/languages");
    let found = client.get(languages).await.expect(200).json();
    let eng = json!({"totalRecords": 1, "languageConfigs": [{"code": "eng"}]});
    assert_eq!(found, eng);
    for code in ["ger", "fre", "spa", "rus"] {
        let added = client
            .post(languages, &json!({"code": code}))
            .await
            .expect(200);
        assert_eq!(added.json(), json!({"code": code}));
    }
    for (code, message) in [
        ("xyz", "Language has no analyzer available"),
        (
            "kor",
            "Tenant is allowed to have only 5 languages configured",
        ),
    ] {
        let refused = client
            .post(languages, &json!({"code": code}))
            .await
            .expect(422)
            .json();
        assert_eq!(refused["errors"][0]["message"], message);
        assert_eq!(refused["errors"][0]["parameters"][0]["value"], code);
    }
    let korean = json!({"code": "ger", "languageAnalyzer": "nori"});
    let path = format!("{languages}/ger");
    assert_eq!(client.put(&path, &korean).await.expect(200).json(), korean);
    assert_eq!(client.put(&path, &json!({"code": "fre"})).await.status, 422);
    let missing = client
        .put(&format!("{languages}/kor"), &json!({"code": "kor"}))
        .await;
    assert_eq!(missing.status, 404);
    assert_eq!(client.delete(&path).await.status, 204);
    assert_eq!(
        client.get(languages).await.expect(200).json()["totalRecords"],
        4
    );

    let features = "/search/config/features";
    let none = json!({"totalRecords": 0, "features": []});
    assert_eq!(client.get(features).await.expect(200).json(), none);
    let on = json!({"feature": "search.all.fields", "enabled": true});
    assert_eq!(client.post(features, &on).await.expect(200).json(), on);
    let again = client.post(features, &on).await.expect(400).json();
    let message = "Feature configuration already exists";
    assert_eq!(again["errors"][0]["message"], message);
    let off = json!({"feature": "search.all.fields", "enabled": false});
    let path = format!("{features}/search.all.fields");
    assert_eq!(client.put(&path, &off).await.expect(200).json(), off);
    assert_eq!(
        client.get(features).await.expect(200).json()["features"],
        json!([off])
    );
    assert_eq!(client.delete(&path).await.status, 204);
    assert_eq!(client.delete(&path).await.status, 404);
    assert_eq!(
        client.delete(&format!("{features}/walking")).await.status,
        400
    );
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
