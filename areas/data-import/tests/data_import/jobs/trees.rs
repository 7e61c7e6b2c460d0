//! The trees of profiles that jobs store.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{CREATE_INSTANCES, JOBS, bare_job, book, ended, job, send};
use octavo_server_testkit::library;

async fn kept(client: &Client, job: &Value) -> Value {
    let id = job["jobProfileSnapshotWrapper"]["id"].as_str();
    let id = id.expect("the id of a tree");
    let path = format!("/data-import-profiles/jobProfileSnapshots/{id}");
    client.get(&path).await.expect(200).json()
}

#[tokio::test]
async fn the_tree_of_a_job_is_found_by_its_id() {
    let library = library().await;
    let client = library.client().await;
    let id = job(&client).await;
    let path = format!("{JOBS}/{id}");
    let begun = client.get(&path).await.expect(200).json();
    let tree = &begun["jobProfileSnapshotWrapper"];
    assert_eq!(tree["profileId"], CREATE_INSTANCES);
    assert_eq!(kept(&client, &begun).await, *tree);
    // It stays as it is when the profile is another.
    let profile = format!("/data-import-profiles/jobProfiles/{CREATE_INSTANCES}");
    let mut changed = client.get(&profile).await.expect(200).json();
    changed["description"] = json!("Another");
    let _ = client
        .put(&profile, &json!({"profile": changed}))
        .await
        .expect(200);
    assert_eq!(kept(&client, &begun).await, *tree);
    send(&client, &id, &[book(1)]).await;
    let done = ended(&client, &id).await;
    assert_eq!(done["jobProfileSnapshotWrapper"], *tree);
    assert_eq!(kept(&client, &done).await, *tree);
}

#[tokio::test]
async fn a_profile_that_is_refused_leaves_no_tree() {
    let library = library().await;
    let client = library.client().await;
    let id = job(&client).await;
    let before = super::count(&library, "profile_snapshots").await;
    let info = json!({"id": CREATE_INSTANCES, "dataType": "MARC"});
    let path = format!("{JOBS}/{id}/jobProfile");
    assert_eq!(client.put(&path, &info).await.status, 400);
    let nobody = format!("{JOBS}/{}/jobProfile", uuid::Uuid::new_v4());
    assert_eq!(client.put(&nobody, &info).await.status, 404);
    let other = bare_job(&client).await;
    let none = json!({"id": uuid::Uuid::new_v4(), "dataType": "MARC"});
    let path = format!("{JOBS}/{other}/jobProfile");
    assert_eq!(client.put(&path, &none).await.status, 404);
    assert_eq!(super::count(&library, "profile_snapshots").await, before);
}
