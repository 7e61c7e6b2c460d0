//! `/organizations-storage/…`

use serde_json::{Value, json};
use tokio::task::JoinSet;

use octavo_server_testkit::library;

use super::{body, error, organization};

#[tokio::test]
async fn each_list_is_written_and_read() {
    let library = library().await;
    let client = library.client().await;
    let lists = [
        ("addresses", "addresses", json!({"city": "Lund"})),
        ("categories", "categories", json!({"value": "Claims"})),
        (
            "contacts",
            "contacts",
            json!({"firstName": "A", "lastName": "B", "urls": [{"value": "https://a.example"}]}),
        ),
        (
            "privileged-contacts",
            "contacts",
            json!({"firstName": "A", "lastName": "B"}),
        ),
        ("emails", "emails", json!({"value": "a@b.example"})),
        (
            "phone-numbers",
            "phoneNumbers",
            json!({"phoneNumber": "1", "type": "Fax"}),
        ),
        ("urls", "urls", json!({"value": "ftp://a.example"})),
        (
            "interfaces",
            "interfaces",
            json!({"name": "Shop", "type": ["Orders"]}),
        ),
        (
            "banking-account-types",
            "bankingAccountTypes",
            json!({"name": "Giro"}),
        ),
        (
            "banking-information",
            "bankingInformation",
            json!({"bankName": "B"}),
        ),
        (
            "organization-types",
            "organizationTypes",
            json!({"name": "Museum", "status": "Active"}),
        ),
        ("settings", "settings", json!({"key": "K", "value": "v"})),
    ];
    for (list, key, body) in lists {
        let path = format!("/organizations-storage/{list}");
        let before = client.get(&path).await.expect(200).json();
        let before = before["totalRecords"].as_i64().expect("a total");
        let made = client.post(&path, &body).await.expect(201).json();
        let one = format!("{path}/{}", made["id"].as_str().expect("an id"));
        assert_eq!(client.get(&one).await.expect(200).json(), made, "{list}");
        let _ = client.put(&one, &made).await.expect(204);
        let page = client.get(&path).await.expect(200).json();
        assert_eq!(page["totalRecords"], before + 1, "{list}");
        assert!(page[key].is_array(), "{list}");
        let _ = client.delete(&one).await.expect(204);
        let _ = client.get(&one).await.expect(404);
        let unknown = client.post(&path, &json!({"colour": "red"})).await;
        assert_eq!(unknown.status, 422, "{list}");
    }
}

#[tokio::test]
async fn a_library_starts_with_categories_types_and_a_setting() {
    let library = library().await;
    let client = library.client().await;
    for (list, total) in [
        ("categories", 4),
        ("organization-types", 4),
        ("settings", 1),
    ] {
        let page = client.get(&format!("/organizations-storage/{list}")).await;
        assert_eq!(page.expect(200).json()["totalRecords"], total, "{list}");
    }
    let found = client
        .query(
            "/organizations-storage/settings",
            "key==BANKING_INFORMATION_ENABLED",
        )
        .await;
    assert_eq!(found.expect(200).json()["settings"][0]["value"], "false");
}

#[tokio::test]
async fn codes_are_unique_with_case_and_without_accents() {
    let library = library().await;
    let client = library.client().await;
    let path = "/organizations-storage/organizations";
    let first = organization(&client, "Café").await;
    let _ = organization(&client, "café").await;
    let taken = client.post(path, &body("Cafe")).await.expect(422);
    let message = error(&taken)["message"]
        .as_str()
        .expect("a text")
        .to_owned();
    assert!(
        message.contains("already exists in table organizations"),
        "{message}"
    );
    // An organization may keep its own.
    let one = format!("{path}/{first}");
    let _ = client.put(&one, &body("Café")).await.expect(204);
    let _ = client.put(&one, &body("cafe")).await.expect(422);
}

#[tokio::test]
async fn organizations_are_found_by_their_names_codes_aliases_and_tags() {
    let library = library().await;
    let client = library.client().await;
    let path = "/organizations-storage/organizations";
    let _ = organization(&client, "OTHER").await;
    let mut wanted = body("OTTER");
    wanted["aliases"] = json!([{"value": "Lutra Press"}]);
    wanted["tags"] = json!({"tagList": ["river"]});
    wanted["isVendor"] = json!(true);
    let _ = client.post(path, &wanted).await.expect(201);
    for query in [
        "code==otter",
        "code=otter",
        "name=\"Name of OTTER\"",
        "aliases=lutra",
        "tags.tagList=river",
        "isVendor==true and status==Active",
    ] {
        let found = client.query(path, query).await.expect(200).json();
        assert_eq!(found["totalRecords"], 1, "{query}");
        assert_eq!(found["organizations"][0]["code"], "OTTER", "{query}");
    }
}

#[tokio::test]
async fn texts_with_a_pattern_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let changed = |name: &str, value: Value| {
        let mut body = body("P");
        body[name] = value;
        body
    };
    for (path, sent, key) in [
        ("organizations", changed("code", json!("A\tB")), "code"),
        (
            "organizations",
            changed("urls", json!([{"value": "www.example.org"}])),
            "urls[0].value",
        ),
        (
            "organizations",
            changed("edi", json!({"ediFtp": {"serverAddress": "example.org"}})),
            "edi.ediFtp.serverAddress",
        ),
        (
            "contacts",
            json!({"firstName": "A", "lastName": "B", "urls": [{"value": "x"}]}),
            "urls[0].value",
        ),
        ("urls", json!({"value": "x"}), "value"),
    ] {
        let refused = client
            .post(&format!("/organizations-storage/{path}"), &sent)
            .await;
        let error = error(&refused.expect(422));
        assert_eq!(error["parameters"][0]["key"], key, "{error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|text| text.starts_with("must match"))
        );
    }
}

#[tokio::test]
async fn types_exist_and_stay_while_they_are_used() {
    let library = library().await;
    let client = library.client().await;
    let types = "/organizations-storage/organization-types";
    let made = client
        .post(types, &json!({"name": "T", "status": "Active"}))
        .await;
    let id = made.expect(201).json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let mut of_type = body("TYPED");
    of_type["organizationTypes"] = json!([id]);
    let path = "/organizations-storage/organizations";
    let stored = client.post(path, &of_type).await.expect(201).json();
    let one = format!("{types}/{id}");
    let refused = client.delete(&one).await.expect(400);
    assert_eq!(
        refused.text,
        format!(
            "Cannot delete organization_types.id = {id} because id is still referenced from table \
             organizations."
        )
    );
    let owner = format!("{path}/{}", stored["id"].as_str().expect("an id"));
    let _ = client.delete(&owner).await.expect(204);
    let _ = client.delete(&one).await.expect(204);
    let _ = client.delete(&one).await.expect(404);
    let missing = client.post(path, &of_type).await.expect(422);
    let error = error(&missing);
    assert_eq!(error["parameters"][0]["value"], json!(id));
}

#[tokio::test]
async fn a_type_is_used_or_deleted_but_not_both() {
    let library = library().await;
    let client = library.client().await;
    let types = "/organizations-storage/organization-types";
    for round in 0..5 {
        let made = client
            .post(
                types,
                &json!({"name": format!("T{round}"), "status": "Active"}),
            )
            .await;
        let id = made.expect(201).json()["id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let mut tasks = JoinSet::new();
        for number in 0..4 {
            let (client, id) = (client.clone(), id.clone());
            tasks.spawn(async move {
                let mut of_type = body(&format!("C{round}-{number}"));
                of_type["organizationTypes"] = json!([id]);
                let path = "/organizations-storage/organizations";
                client.post(path, &of_type).await.status
            });
        }
        let (deleting, one) = (client.clone(), format!("{types}/{id}"));
        tasks.spawn(async move { deleting.delete(&one).await.status });
        let statuses = tasks.join_all().await;
        let stored = statuses.iter().filter(|status| **status == 201).count();
        let deleted = statuses.contains(&204);
        assert_eq!(deleted, stored == 0, "{statuses:?}");
    }
}
