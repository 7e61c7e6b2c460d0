//! Locations of storages, plain and with those from which items go there.

use serde_json::{Value, json};

use super::{Annex, CONFIGURATIONS, EXTENDED, MAPPINGS, NOBODY, location, map, refused, stored};

async fn pair(annex: &Annex, place: &str, storage: &str, original: &str) -> Value {
    let body = json!({"finalLocationId": place, "remoteConfigurationId": storage,
                      "originalLocationId": original});
    let made = annex.client().post(EXTENDED, &body).await;
    assert_eq!(made.json(), body);
    made.expect(201).json()
}

async fn list(annex: &Annex, path: &str) -> (Vec<Value>, Value) {
    let page = annex.client().get(path).await.expect(200).json();
    let rows = page["mappings"].as_array().expect("mappings").clone();
    (rows, page["totalRecords"].clone())
}

#[tokio::test]
async fn a_location_belongs_to_one_storage() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let cave = location(&annex.stock, "Cave", None).await;
    // The configuration need not be there.
    let first = map(client, &cave, NOBODY).await;
    assert_eq!(
        first,
        json!({"folioLocationId": cave, "configurationId": NOBODY})
    );
    let second = map(client, &cave, &annex.storage).await;
    let path = format!("{MAPPINGS}/{cave}");
    assert_eq!(client.get(&path).await.expect(200).json(), second);
    let (all, total) = list(&annex, MAPPINGS).await;
    assert_eq!((all.len(), total), (2, json!(2)));
    let (one, total) = list(&annex, &format!("{MAPPINGS}?limit=1&offset=1")).await;
    assert_eq!((one.len(), total), (1, json!(2)));
    for (filter, count) in [
        (format!("finalLocationId={cave}"), 1),
        (format!("remoteStorageConfigurationId={}", annex.storage), 2),
        (format!("remoteStorageConfigurationId={NOBODY}"), 0),
    ] {
        let (found, _) = list(&annex, &format!("{MAPPINGS}?{filter}")).await;
        assert_eq!(found.len(), count, "{filter}");
    }
    for _ in 0..2 {
        let _ = client.delete(&path).await.expect(204);
    }
    let unknown = client.get(&path).await.expect(200);
    assert_eq!(unknown.text, "");
    let refusal = client
        .post(MAPPINGS, &json!({"folioLocationId": cave}))
        .await;
    refused(refusal, 422, "Validation error", "must not be null");
    let refusal = client
        .get(&format!("{MAPPINGS}/x"))
        .await
        .expect(400)
        .json();
    assert_eq!(refusal["errors"][0]["code"], "Validation error");
    // A configuration goes and leaves its mappings.
    let storage = format!("{CONFIGURATIONS}/{}", annex.storage);
    let _ = client.delete(&storage).await.expect(204);
    assert_eq!(list(&annex, MAPPINGS).await.0.len(), 1);
}

#[tokio::test]
async fn items_of_a_location_go_to_one_location_of_a_storage() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let cave = location(&annex.stock, "Cave", None).await;
    let tower = location(&annex.stock, "Tower", None).await;
    let body = json!({"name": "Other", "providerName": "CAIA_SOFT"});
    let other = stored(client, CONFIGURATIONS, &body).await;
    let stacks = annex.stock.location.clone();
    let _ = pair(&annex, &annex.location, &annex.storage, &stacks).await;
    // Taken away from the first location, for both are of one storage; that of another storage stays.
    let second = pair(&annex, &cave, &annex.storage, &stacks).await;
    let third = pair(&annex, &tower, &other, &stacks).await;
    let _ = pair(&annex, &cave, &annex.storage, &stacks).await;
    let (pairs, total) = list(&annex, EXTENDED).await;
    assert_eq!(total, 2, "{pairs:?}");
    for expected in [&second, &third] {
        assert!(pairs.contains(expected), "{pairs:?}");
    }
    for (filter, count) in [
        (format!("finalLocationId={cave}"), 1),
        (format!("finalLocationId={}", annex.location), 0),
        (format!("remoteStorageConfigurationId={other}"), 1),
        (format!("originalLocationId={stacks}"), 2),
        (format!("originalLocationId={cave}"), 0),
    ] {
        let (found, _) = list(&annex, &format!("{EXTENDED}?{filter}")).await;
        assert_eq!(found.len(), count, "{filter}");
    }
    let (of_cave, _) = list(&annex, &format!("{EXTENDED}/{cave}")).await;
    assert_eq!(of_cave, [second]);
    let unknown = client.get(&format!("{EXTENDED}/{NOBODY}")).await;
    assert_eq!(unknown.expect(200).text, "");
    let refusal = client
        .post(EXTENDED, &json!({"finalLocationId": cave}))
        .await;
    assert_eq!(refusal.expect(422).json()["totalRecords"], 2);
    // A plain mapping clears the originals.
    let _ = map(client, &tower, &other).await;
    let (pairs, _) = list(&annex, EXTENDED).await;
    assert_eq!(pairs.len(), 1);
    let path = format!("{EXTENDED}/{}/{stacks}", annex.storage);
    for _ in 0..2 {
        let _ = client.delete(&path).await.expect(204);
    }
    assert_eq!(list(&annex, EXTENDED).await.0, [] as [Value; 0]);
    assert_eq!(list(&annex, MAPPINGS).await.0.len(), 3);
}

#[tokio::test]
async fn locations_that_are_no_final_ones_are_listed_with_their_pairs() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let tower = location(&annex.stock, "Tower", None).await;
    let cellar = location(&annex.stock, "Cellar", None).await;
    let body = json!({"name": "Other", "providerName": "CAIA_SOFT"});
    let other = stored(client, CONFIGURATIONS, &body).await;
    let stacks = annex.stock.location.clone();
    let here = pair(&annex, &annex.location, &annex.storage, &stacks).await;
    let there = pair(&annex, &tower, &other, &stacks).await;
    let path = format!("{EXTENDED}/locations");
    let (rows, total) = list(&annex, &path).await;
    assert_eq!(total, 3, "{rows:?}");
    assert_eq!(rows[0], json!({"originalLocationId": cellar}));
    for expected in [&here, &there] {
        assert!(rows.contains(expected), "{rows:?}");
    }
    let of_other = format!("{path}?remoteStorageConfigurationId={other}");
    let (rows, total) = list(&annex, &of_other).await;
    assert_eq!(rows, [json!({"originalLocationId": cellar}), there]);
    assert_eq!(total, 2);
    let (rows, total) = list(&annex, &format!("{path}?limit=1&offset=2")).await;
    assert_eq!((rows.len(), total), (1, json!(3)));
}
