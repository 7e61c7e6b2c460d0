//! FOLIO's storage contract, on collections without rules of their own.

use octavo_testkit::Client;
use reqwest::Method;
use serde_json::{Value, json};

use octavo_server_testkit::library;

const TYPES: &str = "/material-types";

#[tokio::test]
async fn create_read_replace_delete() {
    let library = library().await;
    let client = library.client().await;
    let answer = client
        .post(TYPES, &json!({"name": "Globe", "source": "local"}))
        .await
        .expect(201);
    let stored = answer.json();
    let id = stored["id"].as_str().expect("an id").to_owned();
    let location = format!("{TYPES}/{id}");
    assert_eq!(answer.header("location"), Some(location.as_str()));
    assert!(stored["metadata"]["createdDate"].is_string());
    assert!(stored["metadata"]["createdByUserId"].is_string());

    let path = format!("{TYPES}/{id}");
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    // The path's id takes precedence over the body's, and the record's creator stays.
    let body = json!({"id": "0b117416-8dcf-45a1-be9a-ffaa847c4423", "name": "Globes", "source": "local",
                      "metadata": {"createdDate": "1999-01-01T00:00:00Z"}});
    let _ = client.put(&path, &body).await.expect(204);
    let replaced = client.get(&path).await.expect(200).json();
    assert_eq!(replaced["id"], stored["id"]);
    assert_eq!(replaced["name"], "Globes");
    assert_eq!(
        replaced["metadata"]["createdDate"],
        stored["metadata"]["createdDate"]
    );

    let _ = client.delete(&path).await.expect(204);
    assert_eq!(client.get(&path).await.expect(404).text, "Not found");
    assert_eq!(client.delete(&path).await.expect(404).text, "Not found");
    assert_eq!(
        client.put(&path, &body).await.expect(404).text,
        "No records match the query, no records updated"
    );
}

#[tokio::test]
async fn what_does_not_fit_is_named_and_nothing_is_written() {
    let library = library().await;
    let client = library.client().await;
    let before = total(&client, TYPES).await;
    let errors = |answer: Value| -> Vec<(String, String)> {
        answer["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .map(|error| {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                (
                    text(&error["parameters"][0]["key"]),
                    text(&error["message"]),
                )
            })
            .collect()
    };
    let answer = client
        .post(TYPES, &json!({"source": "local"}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        errors(answer),
        [("name".to_owned(), "must not be null".to_owned())]
    );
    let answer = client
        .post(TYPES, &json!({"name": "x", "colour": "red"}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        errors(answer),
        [(
            String::new(),
            "Unrecognized field \"colour\" (in the record), it is not among the properties that are \
             known there"
                .to_owned()
        )]
    );
    let answer = client
        .post(TYPES, &json!({"name": ["x"]}))
        .await
        .expect(400);
    assert!(
        answer
            .text
            .starts_with("Cannot deserialize value of type `string` from Array value")
    );
    let answer = client
        .post(TYPES, &json!({"name": "x", "id": "7"}))
        .await
        .expect(422)
        .json();
    assert_eq!(errors(answer)[0].0, "id");
    for malformed in [
        "{\"name\": ",
        "",
        "{\"name\": \"\\ud800\"}",
        &"[".repeat(10_000),
    ] {
        let request = client
            .request(Method::POST, TYPES)
            .body(malformed.to_owned());
        let answer = client.send(request).await.expect(400);
        assert!(answer.text.contains("line 1"), "{}", answer.text);
    }
    let answer = client
        .post(TYPES, &json!({"name": "a\u{0}b"}))
        .await
        .expect(422)
        .json();
    assert!(errors(answer)[0].1.contains("U+0000"));
    assert_eq!(total(&client, TYPES).await, before);
}

#[tokio::test]
async fn keys_are_unique_without_case_and_accents() {
    let library = library().await;
    let client = library.client().await;
    let _ = client
        .post(
            "/call-number-types",
            &json!({"name": "Café", "source": "local"}),
        )
        .await
        .expect(201);
    let answer = client
        .post(
            "/call-number-types",
            &json!({"name": "CAFE", "source": "local"}),
        )
        .await
        .expect(422);
    assert_eq!(
        answer.json()["errors"][0]["message"],
        "lower(f_unaccent(jsonb ->> 'name'::text)) value already exists in table call_number_type: cafe"
    );
}

#[tokio::test]
async fn broken_references_are_named() {
    let library = library().await;
    let client = library.client().await;
    let nowhere = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
    let campus = json!({"name": "North", "code": "N", "institutionId": nowhere});
    let answer = client
        .post("/location-units/campuses", &campus)
        .await
        .expect(422)
        .json();
    assert_eq!(
        answer["errors"][0]["message"],
        format!(
            "Cannot set loccampus.institutionid = {nowhere} because it does not exist in \
             locinstitution.id."
        )
    );
    let institution = json!({"name": "Town", "code": "T"});
    let stored = client
        .post("/location-units/institutions", &institution)
        .await
        .expect(201)
        .json();
    let id = stored["id"].as_str().expect("an id");
    let campus = json!({"name": "North", "code": "N", "institutionId": id});
    let _ = client
        .post("/location-units/campuses", &campus)
        .await
        .expect(201);
    let answer = client
        .delete(&format!("/location-units/institutions/{id}"))
        .await
        .expect(400);
    assert_eq!(
        answer.text,
        format!(
            "Cannot delete locinstitution.id = {id} because id is still referenced from table \
             loccampus."
        )
    );
}

#[tokio::test]
async fn pages_and_totals() {
    let library = library().await;
    let client = library.client().await;
    for number in 0..25 {
        let name = format!("Part {number:02}");
        let _ = client
            .post(TYPES, &json!({"name": name, "source": "parts"}))
            .await
            .expect(201);
    }
    let page = |path: String| {
        let client = client.clone();
        async move { client.get(&path).await.expect(200).json() }
    };
    let query = "query=source==parts%20sortBy%20name";
    let first = page(format!("{TYPES}?{query}")).await;
    assert_eq!(first["mtypes"].as_array().map(Vec::len), Some(10));
    assert_eq!(first["mtypes"][0]["name"], "Part 00");
    assert_eq!(first["totalRecords"], 25);
    let last = page(format!("{TYPES}?{query}&offset=20")).await;
    assert_eq!(last["mtypes"].as_array().map(Vec::len), Some(5));
    assert_eq!(last["totalRecords"], 25);
    let none = page(format!("{TYPES}?{query}&limit=0")).await;
    assert_eq!(
        (
            none["mtypes"].as_array().map(Vec::len),
            &none["totalRecords"]
        ),
        (Some(0), &json!(25))
    );
    let silent = page(format!("{TYPES}?{query}&totalRecords=none")).await;
    assert!(silent.get("totalRecords").is_none());
    // Above 1,000 records the page is streamed.
    let streamed = page(format!("{TYPES}?{query}/sort.descending&limit=2147483647")).await;
    assert_eq!(streamed["mtypes"].as_array().map(Vec::len), Some(25));
    assert_eq!(streamed["mtypes"][0]["name"], "Part 24");
    assert_eq!(streamed["totalRecords"], 25);
    let exact = page(format!("{TYPES}?{query}&limit=5&totalRecords=exact")).await;
    assert_eq!(exact["totalRecords"], 25);
    let estimated = page(format!("{TYPES}?{query}&limit=5&totalRecords=estimated")).await;
    assert!(estimated["totalRecords"].as_i64() >= Some(5));
    // FOLIO's list type has no property for it.
    assert!(estimated.get("resultInfo").is_none());
    let beyond = page(format!("{TYPES}?{query}&offset=2147483647")).await;
    assert_eq!(beyond["mtypes"], json!([]));
    assert_eq!(beyond["totalRecords"], 25);
    let one = page(format!("{TYPES}?query=name==%22Part%2007%22&limit=1")).await;
    assert_eq!(one["mtypes"][0]["name"], "Part 07");
    assert_eq!(one["totalRecords"], 1);
}

#[tokio::test]
async fn a_streamed_page_is_whole() {
    let library = library().await;
    let client = library.client().await;
    for number in 0..1_500 {
        let name = format!("Part {number:04}");
        let _ = client
            .post(TYPES, &json!({"name": name, "source": "parts"}))
            .await
            .expect(201);
    }
    let query = "query=source==parts%20sortBy%20name";
    for (limit, found) in [(2_147_483_647, 1_500), (1_200, 1_200)] {
        let path = format!("{TYPES}?{query}&limit={limit}");
        let page = client.get(&path).await.expect(200).json();
        let names = page["mtypes"].as_array().expect("a list").iter();
        let names = names.map(|one| one["name"].as_str().expect("a name").to_owned());
        assert!(names.eq((0..found).map(|number| format!("Part {number:04}"))));
        assert!(page["totalRecords"].as_i64() >= Some(found));
    }
}

#[tokio::test]
async fn parameters_of_lists_that_are_not_understood_are_named() {
    let library = library().await;
    let client = library.client().await;
    for (parameter, name, value) in [
        ("limit=-1", "limit", "-1"),
        ("limit=", "limit", ""),
        ("limit", "limit", ""),
        ("limit=2147483648", "limit", "2147483648"),
        (
            "limit=99999999999999999999",
            "limit",
            "99999999999999999999",
        ),
        ("limit=ten", "limit", "ten"),
        ("limit=1.5", "limit", "1.5"),
        ("limit=%2B1", "limit", "+1"),
        ("limit=%D9%A3", "limit", "٣"),
        ("limit=1&limit=2", "limit", "1, 2"),
        ("limit=%00", "limit", "%00"),
        ("limit=%ED%A0%80", "limit", "%ED%A0%80"),
        ("limit=1%", "limit", "1%"),
        ("offset=-1", "offset", "-1"),
        ("offset=", "offset", ""),
        ("offset=x", "offset", "x"),
        (
            "offset=9223372036854775808",
            "offset",
            "9223372036854775808",
        ),
        ("offset=0&offset=0", "offset", "0, 0"),
        ("totalRecords=some", "totalRecords", "some"),
        ("totalRecords=", "totalRecords", ""),
        ("totalRecords=Exact", "totalRecords", "Exact"),
        (
            "totalRecords=none&totalRecords=exact",
            "totalRecords",
            "none, exact",
        ),
        ("query=name==%ZZ", "query", "name==%ZZ"),
        ("query=%ED%A0%80", "query", "%ED%A0%80"),
        ("query=name==a%00b", "query", "name==a%00b"),
    ] {
        let answer = client
            .get(&format!("{TYPES}?{parameter}"))
            .await
            .expect(400);
        let named = format!("'{name}' parameter is incorrect. parameter value {{{value}}} is not");
        assert!(answer.text.contains(&named), "{parameter}: {}", answer.text);
    }
}

#[tokio::test]
async fn queries_too_large_for_a_head_are_refused_and_the_server_goes_on() {
    let library = library().await;
    let client = library.client().await;
    let id = "11111111-1111-4111-8111-111111111111";
    // A query that fits into the head is answered: 1,000 ids and more.
    let ids = vec![id; 1_000].join("%20or%20");
    let path = format!("{TYPES}?limit=1000&query=id==({ids})");
    let page = client.get(&path).await.expect(200).json();
    assert_eq!(page["totalRecords"], 0);
    for query in [
        format!("id==({})", vec![id; 10_000].join("%20or%20")),
        format!("name=={}", "x".repeat(1_000_000)),
    ] {
        let request = client.request(Method::GET, &format!("{TYPES}?query={query}"));
        // The connection may be closed while the head is still being sent.
        if let Ok(answer) = request.send().await {
            let status = answer.status().as_u16();
            assert!(matches!(status, 413 | 414 | 431), "{status}");
        }
        let _ = client.get(TYPES).await.expect(200);
    }
}

#[tokio::test]
async fn queries_of_the_published_plans_are_understood() {
    let library = library().await;
    let client = library.client().await;
    let admin = client
        .query("/users", "username==DIKU_ADMIN")
        .await
        .expect(200)
        .json();
    let id = admin["users"][0]["id"]
        .as_str()
        .expect("the administrator")
        .to_owned();
    for (path, query, found) in [
        (
            "/users",
            "(barcode==\"x\" OR externalSystemId==\"x\" OR id==\"x\" OR username==\"diku_admin\")"
                .to_owned(),
            1,
        ),
        ("/users", format!("id==({id} or NOT_FOUND)"), 1),
        ("/users", "id==NOT_FOUND".to_owned(), 0),
        ("/proxiesfor", format!("query=(userId=={id})"), 0),
        (
            "/accounts",
            format!("(userId=={id} and status.name<>Closed)"),
            0,
        ),
        ("/accounts", "loanId==\"NOT_FOUND\"".to_owned(), 0),
        (
            "/configurations/entries",
            "(module=CHECKOUT and configName=other_settings)".to_owned(),
            0,
        ),
        ("/groups", "cql.allRecords=1 sortby group".to_owned(), 4),
        ("/groups", "group==Staff".to_owned(), 1),
        ("/groups", "group==st*".to_owned(), 1),
        ("/groups", "group==(staff or faculty)".to_owned(), 2),
        ("/groups", "cql.allRecords=1 NOT group==staff".to_owned(), 3),
        (
            "/identifier-types",
            "cql.allRecords=1 sortby name".to_owned(),
            30,
        ),
    ] {
        let answer = client.query(path, &query).await.expect(200).json();
        assert_eq!(answer["totalRecords"], found, "{path} {query}");
    }
}

#[tokio::test]
async fn bad_cql_is_refused_with_its_position() {
    let library = library().await;
    let client = library.client().await;
    for (query, named) in [
        ("name==", "column 7"),
        ("(name==x", "column 9"),
        ("name==x and", "column 12"),
        ("name ==/flying x", "Unsupported relation modifier flying"),
        ("x", "without a field"),
        ("id>7", "Invalid UUID"),
        ("name=a*b", "only at the end of a word"),
        ("na'me==x", "not the name of a field"),
    ] {
        let answer = client.query(TYPES, query).await.expect(400);
        assert!(answer.text.contains(named), "{query}: {}", answer.text);
    }
    let _ = client.get(TYPES).await.expect(200);
}

#[tokio::test]
async fn optimistic_locking_and_two_writers() {
    let library = library().await;
    let client = library.client().await;
    let types = client
        .get("/instance-types?limit=1")
        .await
        .expect(200)
        .json();
    let instance = json!({"title": "Emma", "source": "local",
                          "instanceTypeId": types["instanceTypes"][0]["id"]});
    let stored = client
        .post("/instance-storage/instances", &instance)
        .await
        .expect(201)
        .json();
    assert_eq!(stored["_version"], 1);
    let path = format!(
        "/instance-storage/instances/{}",
        stored["id"].as_str().expect("an id")
    );
    // Ten writers who all read version 1: one succeeds.
    let writers: Vec<_> = (0..10)
        .map(|number| {
            let (client, path, mut mine) = (client.clone(), path.clone(), stored.clone());
            mine["title"] = json!(format!("Emma {number}"));
            tokio::spawn(async move { client.put(&path, &mine).await })
        })
        .collect();
    let mut statuses = Vec::new();
    for writer in writers {
        let answer = writer.await.expect("the writer ends");
        if answer.status == 409 {
            assert!(
                answer.text.contains(
                    "(optimistic locking): Stored _version is 2, _version of request is 1 (23F09)"
                ),
                "{}",
                answer.text
            );
        }
        statuses.push(answer.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses[0], 204);
    assert_eq!(statuses[1..], [409; 9]);
    let mut unversioned = stored.clone();
    unversioned
        .as_object_mut()
        .expect("an object")
        .remove("_version");
    let answer = client.put(&path, &unversioned).await.expect(409);
    assert!(
        answer.text.contains("_version of request is <NULL>"),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn delete_by_query() {
    let library = library().await;
    let client = library.client().await;
    let answer = client.delete("/users").await.expect(400);
    assert_eq!(answer.text, "Expected CQL but query parameter is empty");
    let _ = client
        .post(
            "/users",
            &json!({"username": "temp", "personal": {"lastName": "T"}}),
        )
        .await
        .expect(201);
    let _ = client
        .delete("/users?query=username==temp")
        .await
        .expect(204);
    assert_eq!(
        client
            .query("/users", "username==temp")
            .await
            .expect(200)
            .json()["totalRecords"],
        0
    );
}

async fn total(client: &Client, path: &str) -> Value {
    client
        .get(&format!("{path}?limit=0"))
        .await
        .expect(200)
        .json()["totalRecords"]
        .clone()
}
