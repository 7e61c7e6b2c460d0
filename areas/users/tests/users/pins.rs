//! `/patron-pin`: set, verified, removed, and never shown.

use serde_json::json;

use super::{id_of, user};
use octavo_server_testkit::library;

const PIN: &str = "/patron-pin";
const VERIFY: &str = "/patron-pin/verify";

#[tokio::test]
async fn a_pin_is_verified_until_it_is_removed() {
    let library = library().await;
    let client = library.client().await;
    let jane = id_of(&user(&client, "jane").await);
    let given = |pin: &str| json!({"id": jane, "pin": pin});
    assert_eq!(client.post(VERIFY, &given("1234")).await.status, 422);
    let set = client.post(PIN, &given("1234")).await.expect(201);
    assert_eq!(set.text, "");
    let right = client.post(VERIFY, &given("1234")).await.expect(200);
    assert_eq!(right.text, "");
    let wrong = client.post(VERIFY, &given("1235")).await.expect(422);
    assert_eq!(wrong.text, "");
    let _ = client.post(PIN, &given("5678")).await.expect(201);
    assert_eq!(client.post(VERIFY, &given("1234")).await.status, 422);
    assert_eq!(client.post(VERIFY, &given("5678")).await.status, 200);
    let remove = async || {
        let request = client
            .request(reqwest::Method::DELETE, PIN)
            .json(&json!({"id": jane}));
        client.send(request).await.status
    };
    assert_eq!(remove().await, 200);
    assert_eq!(client.post(VERIFY, &given("5678")).await.status, 422);
    assert_eq!(remove().await, 200);
}

#[tokio::test]
async fn what_is_stored_is_a_hash_with_a_salt_of_its_own() {
    let library = library().await;
    let client = library.client().await;
    for name in ["jane", "john"] {
        let id = id_of(&user(&client, name).await);
        let _ = client
            .post(PIN, &json!({"id": id, "pin": "987654"}))
            .await
            .expect(201);
    }
    let rows = library
        .platform
        .store
        .database
        .query("SELECT jsonb::text FROM tenant_diku.patronpin", &[])
        .await
        .expect("the pins can be read");
    let stored: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(stored.len(), 2);
    assert!(
        stored
            .iter()
            .all(|one| one.contains("$argon2id$") && !one.contains("987654"))
    );
    let hashes: Vec<&str> = stored
        .iter()
        .filter_map(|one| one.split("$argon2id$").nth(1))
        .collect();
    assert_ne!(hashes[0], hashes[1]);
}

#[tokio::test]
async fn a_pin_from_a_folio_installation_is_verified_and_hashed_anew() {
    let library = library().await;
    let client = library.client().await;
    let jane = "11111111-1111-4111-8111-111111111111";
    // PBKDF2 with HMAC-SHA-512, 150,000 rounds, 64 bits, of `1234` with the id as salt.
    let imported = "9E8237BA09C55834";
    let database = &library.platform.store.database;
    database
        .execute(
            "INSERT INTO tenant_diku.patronpin (id, jsonb) VALUES ($1::text::uuid,
             jsonb_build_object('id', $1::text, 'pin', $2::text))",
            &[&jane, &imported],
        )
        .await
        .expect("the pin is stored");
    assert_eq!(
        client
            .post(VERIFY, &json!({"id": jane, "pin": "1235"}))
            .await
            .status,
        422
    );
    assert_eq!(
        client
            .post(VERIFY, &json!({"id": jane, "pin": "1234"}))
            .await
            .status,
        200
    );
    let row = database
        .query_opt("SELECT jsonb->>'pin' FROM tenant_diku.patronpin", &[])
        .await
        .expect("the pin can be read")
        .expect("there is one");
    assert!(row.get::<_, String>(0).starts_with("$argon2id$"));
    assert_eq!(
        client
            .post(VERIFY, &json!({"id": jane, "pin": "1234"}))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn requests_without_user_or_pin_are_refused_without_showing_the_pin() {
    let library = library().await;
    let client = library.client().await;
    for (body, key) in [
        (json!({"pin": "1234"}), "id"),
        (json!({"id": "jane", "pin": "1234"}), "id"),
        (json!({"id": "11111111-1111-4111-8111-111111111111"}), "pin"),
        (
            json!({"id": "11111111-1111-4111-8111-111111111111", "pin": ""}),
            "pin",
        ),
        (
            json!({"id": "11111111-1111-4111-8111-111111111111", "pin": "7".repeat(1_025)}),
            "pin",
        ),
    ] {
        for path in [PIN, VERIFY] {
            let refused = client.post(path, &body).await.expect(422);
            assert_eq!(refused.json()["errors"][0]["parameters"][0]["key"], key);
            assert!(!refused.text.contains("1234") && !refused.text.contains("777"));
        }
    }
}
