//! The HTTP contract of every record type: `Location`, refused bodies and queries, deletion of all
//! records, defaults, and undeclared properties that are accepted. As in FOLIO's R1-2025.

use octavo_testkit::{Answer, Client};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;

const REASONS: &str = "/cancellation-reason-storage/cancellation-reasons";
const NOWHERE: &str = "7212ba6a-8dcf-45a1-be9a-ffaa847c4423";

async fn send(client: &Client, method: Method, path: &str, body: &str) -> Answer {
    let request = client.request(method, path);
    let request = request.header("content-type", "application/json");
    client.send(request.body(body.to_owned())).await
}

/// The total of a list.
async fn total(client: &Client, path: &str) -> i64 {
    let page = client.get(path).await.expect(200).json();
    page["totalRecords"].as_i64().expect("a number")
}

#[tokio::test]
async fn new_records_are_located_where_folio_says() {
    let library = library().await;
    let client = library.client().await;
    let id = || Uuid::new_v4().to_string();
    for (path, mut body, prefix) in [
        (
            "/material-types",
            json!({"name": "Kites"}),
            "/material-types/",
        ),
        ("/loan-types", json!({"name": "Kites"}), "/loan-types/"),
        (
            "/instance-statuses",
            json!({"name": "Flown", "code": "flown", "source": "local"}),
            "/instance-statuses/",
        ),
        // A mistake of FOLIO's: the route has a hyphen.
        (
            "/statistical-code-types",
            json!({"name": "Kites", "source": "local"}),
            "/statistical-code_types/",
        ),
        (
            "/service-points",
            json!({"name": "Kites", "code": "kites", "discoveryDisplayName": "Kites"}),
            "/service-points/",
        ),
        (
            "/configurations/entries",
            json!({"module": "KITES", "configName": "k", "value": "1"}),
            "/configurations/entries/",
        ),
        // Without a path: lists whose record type has none in FOLIO.
        (
            "/holdings-types",
            json!({"name": "Kites", "source": "local"}),
            "",
        ),
        (
            "/classification-types",
            json!({"name": "Kites", "source": "local"}),
            "",
        ),
        ("/groups", json!({"group": "kites"}), ""),
        (REASONS, json!({"name": "Kites"}), ""),
        ("/owners", json!({"owner": "Kites"}), ""),
    ] {
        let id = id();
        body["id"] = json!(id);
        let answer = client.post(path, &body).await.expect(201);
        let wanted = format!("{prefix}{id}");
        assert_eq!(answer.header("location"), Some(wanted.as_str()), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_property_is_refused_alone() {
    let library = library().await;
    let client = library.client().await;
    let body = json!({"colour": "red", "group": 7});
    for (path, body) in [
        ("/material-types", json!({"colour": "red"})),
        ("/users", json!({"id": "7", "colour": "red"})),
        ("/owners", json!({"desc": 7, "colour": "red"})),
    ] {
        let answer = client.post(path, &body).await.expect(422).json();
        assert_eq!(answer["errors"].as_array().map(Vec::len), Some(1), "{path}");
        let error = &answer["errors"][0];
        let message = error["message"].as_str().expect("a sentence");
        assert!(
            message.starts_with("Unrecognized field \"colour\""),
            "{message}"
        );
        assert_eq!(error["code"], "-1");
        assert_eq!(error["parameters"], json!([{"key": "", "value": ""}]));
        assert!(answer.get("total_records").is_none());
    }
    // Groups are open: undeclared properties are kept.
    let group = client.post("/groups", &body).await.expect(201).json();
    assert_eq!(
        (&group["colour"], &group["group"]),
        (&json!("red"), &json!("7"))
    );
    // Lists of Spring modules drop them, nested ones too.
    let tag = json!({"label": "kites", "colour": "red"});
    let tag = client.post("/tags", &tag).await.expect(201).json();
    assert!(tag.get("colour").is_none(), "{tag}");
    let kind = json!({"name": "Kites", "source": "local", "colour": "red"});
    let kind = client
        .post("/identifier-types", &kind)
        .await
        .expect(201)
        .json();
    assert_eq!(kind["colour"], "red");
}

#[tokio::test]
async fn dates_are_taken_in_milliseconds() {
    let library = library().await;
    let client = library.client().await;
    let user = json!({"username": "kite", "expirationDate": 1_767_323_045_678_i64,
                      "enrollmentDate": "1767323045678", "personal": {"lastName": "Kite",
                      "preferredContactTypeId": "002"}});
    let stored = client.post("/users", &user).await.expect(201).json();
    for date in ["expirationDate", "enrollmentDate"] {
        assert_eq!(stored[date], "2026-01-02T03:04:05.678+00:00", "{date}");
    }
}

#[tokio::test]
async fn what_is_not_given_has_folios_default() {
    let library = library().await;
    let client = library.client().await;
    let owner = client
        .post("/owners", &json!({"owner": "Kites"}))
        .await
        .expect(201)
        .json();
    let kind = json!({"feeFineType": "Torn sail", "ownerId": owner["id"]});
    let kind = client.post("/feefines", &kind).await.expect(201).json();
    assert_eq!(kind["automatic"], false);
    let point = json!({"name": "Kites", "code": "kites", "discoveryDisplayName": "Kites"});
    let point = client
        .post("/service-points", &point)
        .await
        .expect(201)
        .json();
    assert_eq!(
        (
            &point["ecsRequestRouting"],
            &point["holdShelfClosedLibraryDateManagement"]
        ),
        (&json!(false), &json!("Keep_the_current_due_date"))
    );
}

#[tokio::test]
async fn the_id_of_the_path_wins_over_one_that_is_no_uuid() {
    let library = library().await;
    let client = library.client().await;
    for (path, body) in [
        ("/material-types", json!({"name": "Kites"})),
        ("/groups", json!({"group": "kites"})),
        (REASONS, json!({"name": "Kites"})),
    ] {
        let stored = client.post(path, &body).await.expect(201).json();
        let id = stored["id"].as_str().expect("an id");
        let mut changed = body.clone();
        changed["id"] = json!("kites");
        let path = format!("{path}/{id}");
        let _ = client.put(&path, &changed).await.expect(204);
        assert_eq!(client.get(&path).await.expect(200).json()["id"], id);
    }
    // Where FOLIO's record type requires a UUID, it is required here.
    let owner = client
        .post("/owners", &json!({"owner": "Kites"}))
        .await
        .expect(201)
        .json();
    let path = format!("/owners/{}", owner["id"].as_str().expect("an id"));
    let _ = client
        .put(&path, &json!({"owner": "Kites", "id": "kites"}))
        .await
        .expect(422);
}

#[tokio::test]
async fn text_behind_a_record_is_passed_over() {
    let library = library().await;
    let client = library.client().await;
    let answer = send(
        &client,
        Method::POST,
        "/material-types",
        "{\"name\": \"Kites\"} and more",
    );
    assert_eq!(answer.await.expect(201).json()["name"], "Kites");
    let rules = client.get("/circulation/rules").await.expect(200).json();
    let text = format!("/* as it was */ {rules} // the end");
    let _ = send(&client, Method::PUT, "/circulation/rules", &text)
        .await
        .expect(204);
    let refused = send(
        &client,
        Method::POST,
        "/material-types",
        "/* no */ {\"name\": \"Kite\"}",
    );
    let _ = refused.await.expect(400);
}

#[tokio::test]
async fn lists_are_cleared_without_a_query_and_by_one() {
    let library = library().await;
    let client = library.client().await;
    let _ = client.delete(REASONS).await.expect(204);
    assert_eq!(total(&client, REASONS).await, 0);
    for name in ["a", "b", "c"] {
        let _ = client
            .post(REASONS, &json!({"name": name}))
            .await
            .expect(201);
    }
    // FOLIO ignores a query and deletes all; a client that sends one wants less deleted, and gets
    // that.
    let _ = client
        .delete(&format!("{REASONS}?query=name==a"))
        .await
        .expect(204);
    assert_eq!(total(&client, REASONS).await, 2);
    let _ = client
        .delete(&format!("{REASONS}?query="))
        .await
        .expect(400);
    let _ = client
        .delete(&format!("{REASONS}?query=name%20and"))
        .await
        .expect(400);
    assert_eq!(total(&client, REASONS).await, 2);
    for path in [
        REASONS,
        "/loan-storage/loans",
        "/request-storage/requests",
        "/staff-slips-storage/staff-slips",
        "/request-policy-storage/request-policies",
        "/loan-policy-storage/loan-policies",
        "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
    ] {
        let _ = client.delete(path).await.expect(204);
        assert_eq!(total(&client, path).await, 0, "{path}");
    }
    // A missing parameter does not delete all users; nor waiting notices.
    let _ = client.delete("/users").await.expect(400);
    let waiting = "/scheduled-notice-storage/scheduled-notices";
    let _ = client.delete(waiting).await.expect(400);
}

#[tokio::test]
async fn queries_that_cannot_be_run_are_refused_as_the_module_does() {
    let library = library().await;
    let client = library.client().await;
    let query = "name and";
    let asked = |path: &'static str| {
        let client = client.clone();
        async move { client.query(path, query).await }
    };
    for path in [
        "/material-types",
        "/groups",
        REASONS,
        "/manual-block-templates",
    ] {
        let answer = asked(path).await.expect(400);
        assert!(!answer.text.ends_with(query), "{path}: {}", answer.text);
    }
    for path in [
        "/users",
        "/instance-storage/instances",
        "/holdings-storage/holdings",
        "/item-storage/items",
        "/configurations/entries",
        "/perms/users",
    ] {
        let answer = asked(path).await.expect(400);
        assert!(
            answer.text.ends_with(": name and"),
            "{path}: {}",
            answer.text
        );
    }
    for path in [
        "/accounts",
        "/feefineactions",
        "/feefines",
        "/owners",
        "/payments",
        "/waives",
        "/transfers",
        "/refunds",
        "/comments",
        "/transfer-criterias",
        "/manualblocks",
    ] {
        let answer = asked(path).await.expect(500);
        assert!(answer.text.starts_with("CQL Parse Error"), "{path}");
    }
    for path in [
        "/templates",
        "/notify",
        "/data-import-profiles/jobProfiles",
        "/data-import-profiles/mappingProfiles",
        "/field-protection-settings/marc",
        "/notes",
        "/note-types",
        "/tags",
    ] {
        let answer = asked(path).await.expect(422).json();
        assert!(
            answer["errors"][0]["message"].is_string(),
            "{path}: {answer}"
        );
    }
}

#[tokio::test]
async fn what_is_not_there_is_reported_in_the_words_of_its_module() {
    let library = library().await;
    let client = library.client().await;
    let account = json!({"amount": 1, "remaining": 1, "status": {"name": "Open"}, "paymentStatus":
        {"name": "Outstanding"}, "userId": NOWHERE, "feeFineId": NOWHERE, "ownerId": NOWHERE,
        "id": NOWHERE});
    let action = json!({"accountId": NOWHERE, "userId": NOWHERE});
    for (path, read, change, body) in [
        (
            "/payments",
            "PaymentObject does not exist",
            "Record Not Found",
            json!({"nameMethod": "Cash", "ownerId": NOWHERE}),
        ),
        (
            "/accounts",
            "AccountObject does not exist",
            "Record Not Found",
            account,
        ),
        (
            "/feefineactions",
            "FeefineactionObject does not exist",
            "Record Not Found",
            action,
        ),
        (
            "/owners",
            "OwnerObject does not exist",
            "Record Not Found",
            json!({"owner": "x"}),
        ),
        (
            "/users",
            "Not found",
            NOWHERE,
            json!({"id": NOWHERE, "personal": {"lastName": "x", "preferredContactTypeId": "002"}}),
        ),
        ("/groups", "Not found", "Not found", json!({"group": "x"})),
    ] {
        let path = format!("{path}/{NOWHERE}");
        assert_eq!(client.get(&path).await.expect(404).text, read, "{path}");
        assert_eq!(
            client.put(&path, &body).await.expect(404).text,
            change,
            "{path}"
        );
        assert_eq!(
            client.delete(&path).await.expect(404).text,
            change,
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_number_of_all_permissions_is_exact() {
    let library = library().await;
    let client = library.client().await;
    let one = total(&client, "/perms/permissions?limit=1").await;
    let all = client
        .get("/perms/permissions?limit=10000")
        .await
        .expect(200)
        .json();
    let listed = all["permissions"].as_array().map(Vec::len).expect("a list");
    assert!(listed > 1_000, "{listed}");
    assert_eq!(i64::try_from(listed), Ok(one));
    assert_eq!(all.get("resultInfo"), None::<&Value>);
}
