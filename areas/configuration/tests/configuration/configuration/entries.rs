//! Entries created, replaced and deleted, and duplicates.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{ENTRIES, entry, made, path};
use octavo_server_testkit::library;

const TAKEN: &str =
    "Cannot have more than one tenant or user record with the same module, config name and code";
const USER: &str = "11111111-1111-4111-8111-111111111111";

#[tokio::test]
async fn an_entry_is_enabled_unless_it_says_otherwise() {
    let library = library().await;
    let client = library.client().await;
    let answer = client
        .post(
            ENTRIES,
            &entry("USERS", "pictures", json!({"enabled": null})),
        )
        .await
        .expect(201);
    let stored = answer.json();
    assert_eq!(answer.header("location"), Some(path(&stored).as_str()));
    assert_eq!(stored["enabled"], true);
    assert!(stored["metadata"]["createdByUserId"].is_string());
    let off = entry("USERS", "pictures", json!({"enabled": false, "value": "w"}));
    let _ = client.put(&path(&stored), &off).await.expect(204);
    let read = client.get(&path(&stored)).await.expect(200).json();
    assert_eq!(
        (&read["enabled"], &read["value"]),
        (&json!(false), &json!("w"))
    );
    assert_eq!(
        read["metadata"]["createdDate"],
        stored["metadata"]["createdDate"]
    );
    let on = entry("USERS", "pictures", json!({}));
    let _ = client.put(&path(&stored), &on).await.expect(204);
    let read = client.get(&path(&stored)).await.expect(200).json();
    assert_eq!(read["enabled"], true);
    let _ = client.delete(&path(&stored)).await.expect(204);
    for gone in [
        client.get(&path(&stored)).await,
        client.put(&path(&stored), &on).await,
        client.delete(&path(&stored)).await,
    ] {
        assert_eq!((gone.status, gone.text.as_str()), (404, "Not found"));
    }
}

#[tokio::test]
async fn enabled_entries_are_unique_with_and_without_code_and_user() {
    let library = library().await;
    let client = library.client().await;
    let keys = [
        json!({}),
        json!({"code": "c"}),
        json!({"userId": USER}),
        json!({"code": "c", "userId": USER}),
    ];
    for key in &keys {
        let _ = made(&client, &entry("CHECKOUT", "other_settings", key.clone())).await;
    }
    for key in &keys {
        // Case does not make another one.
        let again = entry("checkout", "OTHER_settings", key.clone());
        let refused = client.post(ENTRIES, &again).await.expect(422).json();
        let error = &refused["errors"][0];
        assert_eq!(error["message"], TAKEN);
        assert_eq!(error["module"], "checkout");
        assert_eq!(error["configName"], "OTHER_settings");
        assert_eq!(error.get("code"), key.get("code"));
        assert_eq!(error.get("userId"), key.get("userId"));
        let mut off = again.clone();
        off["enabled"] = json!(false);
        let disabled = made(&client, &off).await;
        // Enabling it would make two.
        let mut on = disabled.clone();
        on["enabled"] = json!(true);
        let refused = client.put(&path(&disabled), &on).await.expect(422).json();
        let message = refused["errors"][0]["message"].as_str().expect("a text");
        assert!(
            message.contains("value already exists in table config_data"),
            "{message}"
        );
    }
    let taken = made(&client, &entry("M", "n", json!({}))).await;
    let same_id = entry("M", "o", json!({"id": taken["id"]}));
    let refused = client.post(ENTRIES, &same_id).await.expect(422).json();
    let message = refused["errors"][0]["message"].as_str().expect("a text");
    assert!(message.starts_with("id value already exists"), "{message}");
}

#[tokio::test]
async fn of_two_who_make_the_same_entry_at_once_one_does() {
    let library = library().await;
    let client = library.client().await;
    for round in 0..5 {
        let name = format!("round {round}");
        let both = (0..8).map(|value| {
            let (client, name) = (client.clone(), name.clone());
            async move {
                let value = json!({"value": value.to_string()});
                client
                    .post(ENTRIES, &entry("ORDERS", &name, value))
                    .await
                    .status
            }
        });
        let mut statuses = both.collect::<JoinSet<_>>().join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422, 422, 422, 422, 422, 422, 422]);
        let query = format!("module==ORDERS and configName==\"{name}\"");
        let found = client.query(ENTRIES, &query).await.expect(200).json();
        assert_eq!(found["totalRecords"], 1);
    }
}

#[tokio::test]
async fn what_does_not_fit_is_named() {
    let library = library().await;
    let client = library.client().await;
    for (wrong, place) in [
        (json!({"value": {"a": 1}, "colour": "red"}), "(at value)"),
        (json!({"enabled": "perhaps"}), "(at enabled)"),
    ] {
        let refused = client.post(ENTRIES, &wrong).await.expect(400);
        assert!(refused.text.ends_with(place), "{}", refused.text);
    }
    let refused = client.post(ENTRIES, &json!({"id": "7"})).await;
    let refused = refused.expect(422).json();
    let keys: Vec<&str> = refused["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .filter_map(|error| error["parameters"][0]["key"].as_str())
        .collect();
    assert_eq!(keys, ["id", "configName", "module"]);
    for wrong in ["lang=eng", "lang=", "lang=%C3%A4x", "limit=-1", "facets="] {
        let answer = client.get(&format!("{ENTRIES}?{wrong}")).await.expect(400);
        let name = wrong.split('=').next().expect("a name");
        let says = format!("'{name}' parameter is incorrect");
        assert!(answer.text.contains(&says), "{}", answer.text);
    }
    let _ = client.get(&format!("{ENTRIES}?lang=de")).await.expect(200);
    let fits = entry("M", "n", json!({}));
    let answer = client.post(&format!("{ENTRIES}?lang=german"), &fits).await;
    assert_eq!(answer.status, 400);
}

#[tokio::test]
async fn entries_are_found_as_published_plans_ask() {
    let library = library().await;
    let client = library.client().await;
    for (module, name) in [
        ("CHECKOUT", "other_settings"),
        ("USERS", "profile_pictures"),
        ("@folio/users", "suppressEdit"),
        ("TAGS", "tags_enabled"),
    ] {
        let _ = made(&client, &entry(module, name, json!({}))).await;
    }
    let found = async |query: &str| -> Value {
        let page = client.query(ENTRIES, query).await.expect(200).json();
        assert_eq!(page["totalRecords"], 1, "{query}");
        page["configs"][0]["configName"].clone()
    };
    for (query, name) in [
        (
            "(module=CHECKOUT and configName=other_settings)",
            "other_settings",
        ),
        (
            "(module==USERS and configName==profile_pictures)",
            "profile_pictures",
        ),
        (
            "module==\"@folio/users\" AND configName==\"suppressEdit\"",
            "suppressEdit",
        ),
        (
            "(module==TAGS and configName==tags_enabled)",
            "tags_enabled",
        ),
    ] {
        assert_eq!(found(query).await, name);
    }
}
