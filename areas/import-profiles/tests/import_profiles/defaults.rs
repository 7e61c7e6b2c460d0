//! FOLIO's own profiles: there from the start, and not to be changed.

use serde_json::{Value, json};

use super::{ACTIONS, JOBS, MAPPINGS, MATCHES, outline, text, tree};
use octavo_server_testkit::library;

const CREATE_INSTANCE: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";
const SINGLE_RECORD_UPDATE: &str = "91f9b8d6-d80e-4727-9783-73fb53e3c786";

#[tokio::test]
async fn every_default_job_has_its_tree() {
    let library = library().await;
    let client = library.client().await;
    let listed = client
        .get(&format!("{JOBS}?limit=100&showHidden=true"))
        .await;
    let listed = listed.expect(200).json();
    assert_eq!(listed["totalRecords"], 13);
    for job in listed["jobProfiles"].as_array().expect("jobs") {
        let shown = tree(&client, text(job, "id")).await;
        let lines = outline(&shown);
        assert!(lines.len() >= 3, "{lines:?}");
        assert_eq!(job["userInfo"]["userName"], "System");
    }
    for (path, shown, all) in [(MATCHES, 2, 6), (ACTIONS, 8, 14), (MAPPINGS, 20, 25)] {
        let total = async |more: &str| {
            let path = format!("{path}?limit=0&totalRecords=exact{more}");
            client.get(&path).await.expect(200).json()["totalRecords"].clone()
        };
        assert_eq!(total("&showHidden=true").await, all, "{path}");
        assert_eq!(total("").await, shown, "{path}");
    }
    assert_eq!(
        outline(&tree(&client, CREATE_INSTANCE).await),
        [
            "0 - Default - Create instance and SRS MARC Bib",
            "1 - Default - Create instance",
            "2 - Default - Create instance",
        ]
    );
    assert_eq!(
        outline(&tree(&client, SINGLE_RECORD_UPDATE).await),
        [
            "0 - Inventory Single Record - Default Update Instance",
            "1 - Inventory Single Record - Default match for existing SRS record",
            "2 MATCH Inventory Single Record - Default Update MARC Bib",
            "3 - Inventory Single Record - Default Update MARC Bib",
            "2 NON_MATCH Inventory Single Record - Default match for no SRS record",
            "3 MATCH Inventory Single Record - Default Update Instance",
            "4 - Inventory Single Record - Default Update Instance",
        ]
    );
}

#[tokio::test]
async fn only_tags_of_defaults_change() {
    let library = library().await;
    let client = library.client().await;
    for (path, id, kind) in [
        (JOBS, SINGLE_RECORD_UPDATE, "JOB_PROFILE"),
        (
            MATCHES,
            "d27d71ce-8a1e-44c6-acea-96961b5592c6",
            "MATCH_PROFILE",
        ),
        (
            ACTIONS,
            "d0ebba8a-2f0f-11eb-adc1-0242ac120002",
            "ACTION_PROFILE",
        ),
        (
            MAPPINGS,
            "d0ebbc2e-2f0f-11eb-adc1-0242ac120002",
            "MAPPING_PROFILE",
        ),
    ] {
        let one = format!("{path}/{id}");
        let read = client.get(&one).await.expect(200).json();
        let with = |name: &str, value: Value| {
            let mut profile = read.clone();
            profile[name] = value;
            json!({ "profile": profile })
        };
        let answer = client
            .put(&one, &with("description", json!("ours")))
            .await
            .expect(400);
        assert_eq!(
            answer.text,
            format!("Can`t update default {kind} with id {id}")
        );
        let tags = json!({"tagList": ["fetched"]});
        let answer = client
            .put(&one, &with("tags", tags.clone()))
            .await
            .expect(200)
            .json();
        assert_eq!(answer["tags"], tags);
        let answer = client.delete(&one).await.expect(400);
        assert_eq!(
            answer.text,
            format!("Can`t delete default {kind} with id {id}")
        );
    }
    // One can be changed, but not deleted; another both.
    let authorities = format!("{JOBS}/6eefa4c6-bbf7-4845-ad82-de7fc5abd0e3");
    let mut read = client.get(&authorities).await.expect(200).json();
    read["description"] = json!("ours");
    let _ = client
        .put(&authorities, &json!({"profile": read}))
        .await
        .expect(200);
    let _ = client.delete(&authorities).await.expect(400);
    let _ = client
        .delete(&format!("{JOBS}/{CREATE_INSTANCE}"))
        .await
        .expect(204);
}

#[tokio::test]
async fn entity_types_are_folios() {
    let library = library().await;
    let client = library.client().await;
    let types = client
        .get("/data-import-profiles/entityTypes")
        .await
        .expect(200)
        .json();
    assert_eq!(types["totalRecords"], 9);
    assert!(
        types["entityTypes"]
            .as_array()
            .expect("types")
            .contains(&json!("MARC_BIB_RECORD"))
    );
}
