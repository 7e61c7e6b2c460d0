//! Export profiles: FOLIO's defaults, which cannot be changed, and a library's own.

use octavo_data_export::app::new_job;

use super::jobs::{ended, fetched};
use super::*;
use octavo_server_testkit::library;

const JOBS: &str = "/data-export/job-profiles";
const MAPPINGS: &str = "/data-export/mapping-profiles";

#[tokio::test]
async fn defaults_are_there_and_stay() {
    let library = library().await;
    let client = library.client().await;
    let jobs = client.get(JOBS).await.expect(200).json();
    assert_eq!(jobs["totalRecords"], 4);
    let mappings = client.get(MAPPINGS).await.expect(200).json();
    assert_eq!(mappings["totalRecords"], 3);
    for (path, list) in [
        (JOBS, &jobs["jobProfiles"]),
        (MAPPINGS, &mappings["mappingProfiles"]),
    ] {
        for profile in list.as_array().unwrap() {
            assert_eq!(profile["default"], true);
            let path = format!("{path}/{}", profile["id"].as_str().unwrap());
            let changed = client.put(&path, profile).await.expect(403);
            assert!(
                changed.text.starts_with("Editing of default"),
                "{}",
                changed.text
            );
            let deleted = client.delete(&path).await.expect(403);
            assert!(
                deleted.text.starts_with("Deletion of default"),
                "{}",
                deleted.text
            );
        }
    }
}

#[tokio::test]
async fn a_profile_of_ones_own_is_applied_and_guarded() {
    let library = library().await;
    let client = library.client().await;
    let fields = client
        .get("/data-export/transformation-fields")
        .await
        .expect(200)
        .json();
    let fields = fields["transformationFields"].as_array().cloned().unwrap();
    let path_of = |id: &str| {
        let field = fields.iter().find(|field| field["fieldId"] == id);
        field.unwrap_or_else(|| panic!("no field {id}"))["path"].clone()
    };
    let transformation = |kind: &str, id: &str, target: &str| json!({"recordType": kind, "fieldId": id, "path": path_of(id), "enabled": true, "transformation": target});
    let mut mapping = json!({"name": "Mine", "outputFormat": "MARC", "recordTypes": ["SRS", "HOLDINGS"],
        "suppress999ff": true, "fieldsSuppression": "500",
        "transformations": [transformation("HOLDINGS", "holdings.callnumber", "900  $a"),
            transformation("HOLDINGS", "holdings.permanentlocation.name", "900  $b")]});
    let mapping_id = client.post(MAPPINGS, &mapping).await.expect(201).json()["id"].clone();
    let profile = json!({"name": "Mine", "mappingProfileId": mapping_id});
    let profile = client.post(JOBS, &profile).await.expect(201).json();
    assert_eq!(profile["userInfo"]["userName"], "diku_admin");

    load(&library, &file(&["001 1\n245 10$aOne\n500   $aGone"])).await;
    let ids = instance_ids(&client).await;
    let location = location(&client).await;
    let holdings = json!({"instanceId": ids[0], "permanentLocationId": location["id"],
        "sourceId": "f32d531e-df79-46b3-8932-cdd35f7a2264", "callNumber": "TG300"});
    let _ = client
        .post("/holdings-storage/holdings", &holdings)
        .await
        .expect(201);
    let body = json!({"type": "uuid", "recordType": "INSTANCE", "uuids": ids, "jobProfileId": profile["id"]});
    let job = client
        .post("/data-export/quick-export", &body)
        .await
        .expect(200)
        .json();
    let job = ended(&client, job["jobExecutionId"].as_str().unwrap()).await;
    let record = &records(&fetched(&client, &job).await)[0];
    let own = record.data("900").next().unwrap();
    assert_eq!(
        (own.get('a'), own.get('b')),
        (Some("TG300"), location["name"].as_str())
    );
    assert!(record.data("500").next().is_none() && record.data("999").next().is_none());

    // What jobs need cannot go; a locked one neither.
    let mapping_path = format!("{MAPPINGS}/{}", mapping_id.as_str().unwrap());
    let linked = client.delete(&mapping_path).await.expect(500);
    assert!(
        linked.text.contains("linked to job profiles"),
        "{}",
        linked.text
    );
    let job_path = format!("{JOBS}/{}", profile["id"].as_str().unwrap());
    let mut locked = profile.clone();
    locked["locked"] = json!(true);
    let _ = client.put(&job_path, &locked).await.expect(204);
    let refused = client.delete(&job_path).await.expect(500);
    assert!(refused.text.contains("locked"), "{}", refused.text);
    // Who knows no locks leaves it locked.
    assert!(profile.get("locked").is_none(), "{profile}");
    let _ = client.put(&job_path, &profile).await;
    let _ = client.delete(&job_path).await.expect(500);
    locked["locked"] = json!(false);
    let _ = client.put(&job_path, &locked).await.expect(204);
    let _ = client.delete(&job_path).await.expect(204);
    let _ = client.delete(&mapping_path).await.expect(204);

    mapping["transformations"][0]["transformation"] = json!("90 $a");
    let wrong = client.post(MAPPINGS, &mapping).await.expect(422).json();
    assert_eq!(
        wrong["errors"][0]["parameters"][0]["key"],
        "transformations[0].transformation"
    );
    // Authorities have one profile, and Linked Data none here.
    let body = json!({"type": "uuid", "recordType": "AUTHORITY", "uuids": ids, "jobProfileId": new_job::INSTANCES});
    let job = client
        .post("/data-export/quick-export", &body)
        .await
        .expect(200)
        .json();
    assert_eq!(
        ended(&client, job["jobExecutionId"].as_str().unwrap()).await["status"],
        "FAIL"
    );
}

#[tokio::test]
async fn holdings_leave_as_records_of_their_own() {
    let library = library().await;
    let client = library.client().await;
    let instance = folio_instance(&client, "One").await;
    let location = location(&client).await;
    let holdings = json!({"instanceId": instance["id"], "permanentLocationId": location["id"],
        "sourceId": "f32d531e-df79-46b3-8932-cdd35f7a2264"});
    let holdings = client
        .post("/holdings-storage/holdings", &holdings)
        .await
        .expect(201)
        .json();
    let body = json!({"type": "uuid", "recordType": "HOLDINGS", "uuids": [holdings["id"]]});
    let job = client
        .post("/data-export/quick-export", &body)
        .await
        .expect(200)
        .json();
    let job = ended(&client, job["jobExecutionId"].as_str().unwrap()).await;
    assert_eq!(job["status"], "COMPLETED", "{job}");
    let record = &records(&fetched(&client, &job).await)[0];
    assert_eq!(record.control("001"), holdings["hrid"].as_str());
    assert_eq!(record.control("004"), instance["hrid"].as_str());
    assert_eq!(
        record.data("852").next().and_then(|field| field.get('b')),
        location["name"].as_str()
    );
}
