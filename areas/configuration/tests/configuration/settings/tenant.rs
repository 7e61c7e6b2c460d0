//! Single records of a tenant (locale, base URL), and its addresses.

use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;

#[tokio::test]
async fn the_locale_is_that_of_the_configuration_whoever_sets_it() {
    let library = library().await;
    let client = library.client().await;
    let locale = async || client.get("/locale").await.expect(200).json();
    assert_eq!(
        locale().await,
        json!({"locale": "en-US", "currency": "USD", "timezone": "UTC"})
    );
    let entry = |more: Value| {
        let mut entry = json!({"module": "ORG", "configName": "localeSettings",
            "value": "{\"locale\":\"sv\",\"timezone\":\"Europe/Stockholm\",\"currency\":\"SEK\"}"});
        for (name, value) in more.as_object().expect("properties") {
            entry[name] = value.clone();
        }
        entry
    };
    // A user's own is not the tenant's.
    let own = entry(json!({"userId": Uuid::from_u128(1).to_string()}));
    let _ = client
        .post("/configurations/entries", &own)
        .await
        .expect(201);
    assert_eq!(locale().await["timezone"], "UTC");
    let first = json!({"locale": "fi", "currency": "EUR", "timezone": "Europe/Helsinki"});
    let _ = client.put("/locale", &first).await.expect(201);
    assert_eq!(locale().await, first);
    // One that is not enabled counts as FOLIO counts it.
    let stored = client
        .post("/configurations/entries", &entry(json!({"enabled": false})))
        .await
        .expect(201)
        .json();
    assert_eq!(
        locale().await,
        json!({"locale": "sv", "currency": "SEK", "timezone": "Europe/Stockholm"})
    );
    let path = format!(
        "/configurations/entries/{}",
        stored["id"].as_str().expect("an id")
    );
    let set = json!({"locale": "ar", "currency": "EGP", "timezone": "Africa/Cairo",
                     "numberingSystem": "arab"});
    let answer = client.put("/locale", &set).await.expect(201);
    assert_eq!(answer.text, "");
    assert_eq!(locale().await, set);
    let again = json!({"locale": "de-DE", "currency": "EUR", "timezone": "Europe/Berlin"});
    let _ = client.put("/locale", &again).await.expect(201);
    assert_eq!(locale().await, again);
    // Whoever knows only the configuration sees the same, and changes it.
    let mut entry = client.get(&path).await.expect(200).json();
    let value: Value =
        serde_json::from_str(entry["value"].as_str().expect("a text")).expect("JSON");
    assert_eq!(value, again);
    entry["value"] = json!("{\"timezone\":\"Asia/Tokyo\",\"locale\":\"ja\",\"currency\":\"JPY\"}");
    let _ = client.put(&path, &entry).await.expect(204);
    assert_eq!(locale().await["timezone"], "Asia/Tokyo");
    let _ = client.put("/locale", &again).await.expect(201);
    for (name, value, sentence) in [
        ("locale", json!(""), "locale missing"),
        ("timezone", json!(null), "timezone missing"),
        ("currency", json!(" "), "currency missing"),
        (
            "numberingSystem",
            json!("latin"),
            "numberingSystem must be latn or arab, or not defined",
        ),
    ] {
        let mut wrong = set.clone();
        wrong[name] = value;
        let answer = client.put("/locale", &wrong).await.expect(400);
        assert_eq!(answer.text, sentence);
    }
    let mut nowhere = set.clone();
    nowhere["timezone"] = json!("Atlantis");
    let answer = client.put("/locale", &nowhere).await.expect(400);
    assert!(answer.text.contains("Atlantis"), "{}", answer.text);
    assert_eq!(client.put("/locale", &json!([])).await.status, 400);
    assert_eq!(locale().await, again);
}

#[tokio::test]
async fn the_base_url_that_was_set_wins_over_that_of_the_configuration() {
    let library = library().await;
    let client = library.client().await;
    let url = async || client.get("/base-url").await.expect(200).json()["baseUrl"].clone();
    assert_eq!(url().await, "http://localhost:3000");
    let host = json!({"module": "USERSBL", "configName": "resetPassword", "code": "FOLIO_HOST",
                      "value": "https://old.example.org//"});
    let _ = client
        .post("/configurations/entries", &host)
        .await
        .expect(201);
    assert_eq!(url().await, "https://old.example.org");
    let _ = client
        .put("/base-url", &json!({"baseUrl": "https://new.example.org"}))
        .await
        .expect(201);
    assert_eq!(url().await, "https://new.example.org");
    for (wrong, sentence) in [
        (json!({}), "baseUrl is missing"),
        (json!({"baseUrl": " "}), "baseUrl is missing"),
        (
            json!({"baseUrl": "https://a/"}),
            "baseUrl must not end with a slash",
        ),
    ] {
        let answer = client.put("/base-url", &wrong).await.expect(400);
        assert_eq!(answer.text, sentence);
    }
}

#[tokio::test]
async fn addresses_are_kept_under_names_of_their_own() {
    const ADDRESSES: &str = "/tenant-addresses";
    let library = library().await;
    let client = library.client().await;
    let main = json!({"id": "not an id", "name": "Main", "address": "1 High Street\nTown"});
    let stored = client.post(ADDRESSES, &main).await.expect(201).json();
    let id = stored["id"].as_str().expect("an id");
    assert!(Uuid::try_parse(id).is_ok());
    assert!(stored["metadata"]["createdDate"].is_string());
    let path = format!("{ADDRESSES}/{id}");
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    let again = json!({"name": "Main"});
    let answer = client.post(ADDRESSES, &again).await.expect(422);
    assert_eq!(answer.text, "name already exists");
    let other = json!({"name": "main"});
    let other = client.post(ADDRESSES, &other).await.expect(201).json();
    let to_main = json!({"name": "Main"});
    let other_path = format!("{ADDRESSES}/{}", other["id"].as_str().expect("an id"));
    assert_eq!(client.put(&other_path, &to_main).await.status, 422);
    let page = client
        .query(ADDRESSES, "name==Main")
        .await
        .expect(200)
        .json();
    assert_eq!(page["addresses"][0], stored);
    assert_eq!(page["resultInfo"]["totalRecords"], 1);
    let page = client
        .query(ADDRESSES, "address=\"1 High*\"")
        .await
        .expect(200)
        .json();
    assert_eq!(page["resultInfo"]["totalRecords"], 1);
    let _ = client
        .put(&path, &json!({"name": "Moved", "address": "2 Low Street"}))
        .await
        .expect(204);
    let moved = client.get(&path).await.expect(200).json();
    assert_eq!(moved["name"], "Moved");
    assert_eq!(
        moved["metadata"]["createdDate"],
        stored["metadata"]["createdDate"]
    );
    for wrong in [json!({"address": "x"}), json!({"name": " "}), json!([])] {
        let answer = client.post(ADDRESSES, &wrong).await.expect(400);
        assert_eq!(answer.text, "name missing");
    }
    let unknown = json!({"name": "n", "colour": "red"});
    let answer = client.post(ADDRESSES, &unknown).await.expect(400);
    assert!(
        answer.text.starts_with("invalid request body"),
        "{}",
        answer.text
    );
    let _ = client.delete(&path).await.expect(204);
    for gone in [client.get(&path).await, client.delete(&path).await] {
        assert_eq!((gone.status, gone.text.as_str()), (404, "Not Found"));
    }
}
