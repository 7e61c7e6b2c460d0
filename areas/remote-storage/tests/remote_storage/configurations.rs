//! `/remote-storage/configurations` and `/remote-storage/providers`

use octavo_server_testkit::{library, staff};
use serde_json::json;

use super::{CONFIGURATIONS, NOBODY, refused};

#[tokio::test]
async fn a_configuration_is_kept_changed_and_forgotten() {
    let library = library().await;
    let client = library.client().await;
    let id = "5b1d3b1e-6b9d-4b57-9a1d-1d1f0a1d0a01";
    let sent = json!({"id": id, "name": "Annex", "providerName": "DEMATIC_SD", "accessionDelay": 5,
                      "accessionTimeUnit": "minutes", "url": "10.0.0.1:5000", "unknown": 1});
    let made = client.post(CONFIGURATIONS, &sent).await.expect(201).json();
    assert_eq!(made["id"], id);
    assert_eq!(made.get("unknown"), None);
    assert!(made["metadata"]["createdDate"].is_string(), "{made}");
    let path = format!("{CONFIGURATIONS}/{id}");
    assert_eq!(client.get(&path).await.expect(200).json(), made);
    let mut changed = made.clone();
    changed["name"] = json!("Annex II");
    let _ = client.put(&path, &changed).await.expect(204);
    // A query is accepted and finds nothing out.
    let page = client.query(CONFIGURATIONS, "name==nothing").await;
    let page = page.expect(200).json();
    assert_eq!(page["configurations"][0]["name"], "Annex II");
    assert_eq!(page["totalRecords"], 1);
    for _ in 0..2 {
        let _ = client.delete(&path).await.expect(204);
    }
    let gone = client.get(&path).await.expect(404);
    assert_eq!(gone.text, "");
    let gone = client.put(&path, &changed).await.expect(404);
    assert_eq!(gone.text, "Configuration not found");
}

#[tokio::test]
async fn what_is_wrong_with_a_configuration_has_its_code() {
    let library = library().await;
    let client = library.client().await;
    let named = |name: &str| json!({"name": name, "providerName": "CAIA_SOFT"});
    let made = client.post(CONFIGURATIONS, &named("A")).await.expect(201);
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let _ = client.post(CONFIGURATIONS, &named("B")).await.expect(201);
    // Names differ by case.
    let _ = client.post(CONFIGURATIONS, &named("a")).await.expect(201);
    let taken = client.post(CONFIGURATIONS, &named("B")).await;
    assert_eq!(taken.json().get("totalRecords"), None);
    let constraint = "Constraint violation error";
    refused(taken, 422, constraint, "Key (name)=(B) already exists.");
    let path = format!("{CONFIGURATIONS}/{id}");
    let mut other = named("B");
    other["id"] = json!(id);
    let taken = client.put(&path, &other).await;
    refused(taken, 422, constraint, "Key (name)=(B) already exists.");
    let without = json!({"name": "C", "providerName": "DEMATIC_SD"});
    let refusal = client.post(CONFIGURATIONS, &without).await;
    refused(refusal, 422, constraint, "accessionDelay must not be null");
    let nameless = json!({"providerName": "CAIA_SOFT"});
    let nameless = client.post(CONFIGURATIONS, &nameless).await;
    assert_eq!(nameless.json()["errors"][0]["parameters"][0]["key"], "name");
    assert_eq!(nameless.json()["totalRecords"], 1);
    refused(nameless, 422, "Validation error", "must not be null");
    for body in [named("A"), {
        let mut other = named("A");
        other["id"] = json!(NOBODY);
        other
    }] {
        let mismatch = client.put(&path, &body).await;
        assert_eq!(mismatch.status, 400, "{}", mismatch.text);
        assert_eq!(mismatch.json()["errors"][0]["code"], "Validation error");
    }
    for wrong in ["?limit=x", "?offset=-1", "/x"] {
        let answer = client.get(&format!("{CONFIGURATIONS}{wrong}")).await;
        let body = answer.expect(400).json();
        assert_eq!(body["errors"][0]["code"], "Validation error", "{wrong}");
    }
    // What is out of range can be read, and a value of a closed list that is none cannot.
    for (property, value, status) in [
        ("accessionDelay", json!(0), 422),
        ("accessionTimeUnit", json!("years"), 400),
        ("accessionWorkflowDetails", json!("Burn"), 400),
    ] {
        let mut wrong = named("D");
        wrong[property] = value;
        let answer = client.post(CONFIGURATIONS, &wrong).await;
        let body = answer.expect(status).json();
        assert_eq!(body["errors"][0]["code"], "Validation error", "{wrong}");
    }
}

#[tokio::test]
async fn the_providers_are_folios() {
    let library = library().await;
    let admin = library.client().await;
    let (client, _) = staff(&library, &admin, "dock", &["remote-storage.all"]).await;
    let providers = client.get("/remote-storage/providers").await;
    assert_eq!(
        providers.expect(200).json(),
        json!([
            {"id": "DEMATIC_EMS", "name": "Dematic EMS (API)"},
            {"id": "DEMATIC_SD", "name": "Dematic StagingDirector (TCP/IP)"},
            {"id": "CAIA_SOFT", "name": "CaiaSoft"},
        ])
    );
    let (reader, _) = octavo_server_testkit::reader(&library, &admin).await;
    assert_eq!(reader.get("/remote-storage/providers").await.status, 403);
}
