//! Exports as jobs: by ids, by files, by CQL, of everything; their files and who may fetch them.

use std::time::Duration;

use octavo_data_export::app::new_job;
use octavo_data_export::app::work::Exports;
use octavo_jobs::Workers;
use octavo_library::ExportProfileId;
use octavo_platform::Platform;
use octavo_records::Context;
use reqwest::Method;
use uuid::Uuid;

use super::*;
use octavo_server_testkit::{composition, library};

/// Begins an export of these instances; returns its job's id and number.
pub(super) async fn quick(client: &Client, ids: &[String]) -> (String, i64) {
    let body = json!({"type": "uuid", "recordType": "INSTANCE", "uuids": ids});
    let answer = client
        .post("/data-export/quick-export", &body)
        .await
        .expect(200)
        .json();
    let job = answer["jobExecutionId"].as_str().unwrap().to_owned();
    (job, answer["jobExecutionHrId"].as_i64().unwrap())
}

pub(super) async fn job_of(client: &Client, id: &str) -> Value {
    let found = client
        .query("/data-export/job-executions", &format!("id=={id}"))
        .await;
    found.expect(200).json()["jobExecutions"][0].clone()
}

/// The job when it has ended.
pub(super) async fn ended(client: &Client, id: &str) -> Value {
    for _ in 0..600 {
        let job = job_of(client, id).await;
        if job["status"] != "IN_PROGRESS" && job["status"] != "NEW" {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the job does not end: {}", job_of(client, id).await);
}

pub(super) async fn logs(client: &Client, job: &Value) -> Vec<Value> {
    let query = format!("jobExecutionId=={}", job["id"].as_str().unwrap());
    let path = "/data-export/logs?limit=100";
    let found = client.query(path, &query).await.expect(200).json();
    found["errorLogs"].as_array().cloned().unwrap()
}

/// The link to a job's file.
async fn link(client: &Client, job: &Value) -> String {
    let file = job["exportedFiles"][0]["fileId"].as_str().unwrap();
    let path = format!(
        "/data-export/job-executions/{}/download/{file}",
        job["id"].as_str().unwrap()
    );
    let answer = client.get(&path).await.expect(200).json();
    assert_eq!(answer["fileId"], file);
    answer["link"].as_str().unwrap().to_owned()
}

/// The bytes of a job's file, fetched without a token.
pub(super) async fn fetched(client: &Client, job: &Value) -> Vec<u8> {
    let answer = reqwest::get(link(client, job).await).await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.bytes().await.unwrap().to_vec()
}

pub(super) async fn announced(client: &Client, name: &str, format: &str, content: &str) -> Value {
    let body = json!({"fileName": name, "uploadFormat": format, "size": 1});
    let definition = client
        .post("/data-export/file-definitions", &body)
        .await
        .expect(201)
        .json();
    let path = format!(
        "/data-export/file-definitions/{}/upload",
        definition["id"].as_str().unwrap()
    );
    let request = client
        .request(Method::POST, &path)
        .header("content-type", "application/octet-stream");
    let uploaded = client
        .send(request.body(content.to_owned()))
        .await
        .expect(200)
        .json();
    assert_eq!(uploaded["status"], "COMPLETED");
    uploaded
}

pub(super) async fn exported_by(
    client: &Client,
    definition: &Value,
    profile: ExportProfileId,
    kind: &str,
) -> Value {
    let body =
        json!({"fileDefinitionId": definition["id"], "jobProfileId": profile, "idType": kind});
    let _ = client.post("/data-export/export", &body).await.expect(204);
    ended(client, definition["jobExecutionId"].as_str().unwrap()).await
}

/// A job that nobody is at.
pub(super) async fn begun(
    library: &Library,
    profile: ExportProfileId,
    which: new_job::Which,
) -> Uuid {
    let (store, tenant) = (&library.platform.store, tenant());
    let context = Context {
        store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let transaction = store.database.transaction().await.unwrap();
    let definition = json!({"fileName": "all.csv"}).as_object().cloned().unwrap();
    let (definition, _) = new_job::announce(&context, &transaction, definition)
        .await
        .unwrap();
    let what = new_job::What::Instance;
    let begun = new_job::begin(&context, &transaction, definition, profile, what, which);
    let (job, _) = begun.await.unwrap();
    transaction.commit().await.unwrap();
    job.uuid()
}

/// Does what waits, so many portions at most; gives how many.
pub(super) async fn run_jobs(platform: &Platform, most: usize) -> usize {
    let (workers, store) = (&platform.workers, &platform.store);
    let run = workers
        .run_at_most(store, &tenant(), &Exports::default(), most)
        .await;
    run.unwrap()
}

pub(super) const TEXTS: [&str; 2] = ["001 1\n245 10$aOne", "001 2\n245 10$aTwo"];

#[tokio::test]
async fn chosen_records_make_a_file_that_only_its_link_opens() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let (job, number) = quick(&client, &ids).await;
    let job = ended(&client, &job).await;
    assert_eq!(job["status"], "COMPLETED", "{job}");
    assert_eq!(job["progress"]["exported"], 2);
    assert_eq!(job["hrId"], number);
    assert_eq!(
        job["exportedFiles"][0]["fileName"],
        format!("quick-export-{number}.mrc")
    );
    assert_eq!(
        job["jobProfileName"],
        "Default instances export job profile"
    );
    let bytes = fetched(&client, &job).await;
    let catalogue = exported(&library, Form::Catalogue, Format::Iso2709, None).await;
    assert_eq!(bytes, catalogue.bytes);
    let link = link(&client, &job).await;
    let status = |link: String| async move { reqwest::get(link).await.unwrap().status().as_u16() };
    assert_eq!(status(link.clone()).await, 200);
    assert_eq!(status(link[..link.len() - 1].to_owned()).await, 404);
    let (bare, secret) = link.split_once("?secret=").unwrap();
    assert_eq!(status(bare.to_owned()).await, 404);
    let other = format!(
        "{}{}?secret={secret}",
        &bare[..bare.len() - 36],
        Uuid::new_v4()
    );
    assert_eq!(status(other).await, 404);
    let end = format!(
        "UPDATE {}.data_export_link SET until = now()",
        tenant().schema()
    );
    library
        .platform
        .store
        .database
        .execute(&end, &[])
        .await
        .unwrap();
    assert_eq!(status(link).await, 404);
    // Without the permission there is no link.
    let path = format!(
        "/data-export/job-executions/{}/download/{}",
        job["id"].as_str().unwrap(),
        job["exportedFiles"][0]["fileId"].as_str().unwrap()
    );
    assert_eq!(library.stranger().get(&path).await.status, 401);
    let people = client
        .get("/data-export/related-users")
        .await
        .expect(200)
        .json();
    assert_eq!(people["relatedUsers"][0]["userId"], job["runBy"]["userId"]);
    let _ = client
        .delete(&format!(
            "/data-export/job-executions/{}",
            job["id"].as_str().unwrap()
        ))
        .await
        .expect(204);
    assert_eq!(client.get(&path).await.status, 404);
}

#[tokio::test]
async fn a_file_of_ids_is_read_line_by_line() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let missing = Uuid::new_v4();
    let content = format!(
        "\u{feff}\"{}\"\r\n{}\nno id\n{missing}\n{}\n",
        ids[0], ids[1], ids[0]
    );
    let definition = announced(&client, "ids.csv", "csv", &content).await;
    let job = exported_by(&client, &definition, new_job::INSTANCES, "instance").await;
    assert_eq!(job["status"], "COMPLETED_WITH_ERRORS");
    let progress = &job["progress"];
    assert_eq!(
        (
            &progress["exported"],
            &progress["failed"],
            &progress["total"]
        ),
        (&json!(2), &json!(3), &json!(5))
    );
    let logs = logs(&client, &job).await;
    let said = |code: &str| {
        let log = logs.iter().find(|log| log["errorMessageCode"] == code);
        log.map(|log| log["errorMessageValues"].clone())
    };
    assert_eq!(said("error.invalidUuidFormat"), Some(json!(["no id"])));
    assert_eq!(said("error.uuidsNotFound"), Some(json!([missing])));
    assert_eq!(said("error.duplicatedIds"), Some(json!([ids[0], "2"])));
    assert_eq!(said("error.someRecordsFailed"), Some(json!(["3"])));
    assert_eq!(records(&fetched(&client, &job).await).len(), 2);
    // Twice by the same file is refused.
    let body = json!({"fileDefinitionId": definition["id"], "jobProfileId": new_job::INSTANCES, "idType": "instance"});
    assert_eq!(client.post("/data-export/export", &body).await.status, 400);
    let empty = announced(&client, "none.csv", "csv", "").await;
    let job = exported_by(&client, &empty, new_job::INSTANCES, "instance").await;
    assert_eq!(job["status"], "FAIL");
    let wrong = json!({"fileName": "ids.txt"});
    assert_eq!(
        client
            .post("/data-export/file-definitions", &wrong)
            .await
            .status,
        422
    );
    let large = json!({"fileName": "ids.csv", "size": 500_001});
    assert_eq!(
        client
            .post("/data-export/file-definitions", &large)
            .await
            .status,
        413
    );
}

#[tokio::test]
async fn cql_finds_what_is_exported_or_says_what_is_wrong() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let quick = |criteria: &str| json!({"type": "cql", "recordType": "INSTANCE", "criteria": criteria, "fileName": "../two"});
    let answer = client
        .post("/data-export/quick-export", &quick("title=="))
        .await
        .expect(400);
    assert!(answer.text.contains("CQL"), "{}", answer.text);
    let answer = client
        .post("/data-export/quick-export", &quick("title==Two"))
        .await
        .expect(200)
        .json();
    let job = ended(&client, answer["jobExecutionId"].as_str().unwrap()).await;
    assert_eq!(
        (&job["status"], &job["progress"]["total"]),
        (&json!("COMPLETED"), &json!(1))
    );
    let name = job["exportedFiles"][0]["fileName"].as_str().unwrap();
    assert!(
        name.starts_with(".._two-") && name.ends_with(".mrc"),
        "{name}"
    );
    let definition = announced(&client, "found.cql", "cql", "title==One").await;
    let job = exported_by(&client, &definition, new_job::INSTANCES, "instance").await;
    assert_eq!(job["status"], "COMPLETED");
    let definition = announced(&client, "broken.cql", "cql", "title==").await;
    let job = exported_by(&client, &definition, new_job::INSTANCES, "instance").await;
    assert_eq!(job["status"], "FAIL");
    let codes: Vec<Value> = logs(&client, &job)
        .await
        .iter()
        .map(|log| log["errorMessageCode"].clone())
        .collect();
    assert!(
        codes.contains(&json!("error.invalidCqlSyntax")),
        "{codes:?}"
    );
    let definition = announced(&client, "holdings.cql", "cql", "hrid==x").await;
    let job = exported_by(&client, &definition, new_job::HOLDINGS, "holding").await;
    assert_eq!(job["status"], "FAIL");
}

#[tokio::test]
async fn a_job_is_taken_up_where_it_was_left_and_the_file_is_whole() {
    let library = library().await;
    let client = library.client().await;
    let texts: Vec<String> = (0..2_300)
        .map(|n| format!("001 {n}\n245 10$aTitle {n}"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    load(&library, &file(&texts)).await;
    let tenant = tenant();
    let store = &library.platform.store;
    let which = new_job::Which::All {
        deleted: true,
        suppressed: true,
    };
    let job = begun(&library, new_job::INSTANCES, which).await;
    // Gathered, and the first thousand; then the process is gone, and others are stopped in the middle.
    assert_eq!(run_jobs(&library.platform, 2).await, 2);
    let half = job_of(&client, &job.to_string()).await;
    assert_eq!(
        (&half["status"], &half["progress"]["exported"]),
        (&json!("IN_PROGRESS"), &json!(1_000))
    );
    for wait in [0, 3, 10] {
        let (store, tenant) = (store.clone(), tenant.clone());
        let working = tokio::spawn(async move {
            let workers = Workers::default();
            workers
                .run_at_most(&store, &tenant, &Exports::default(), 1)
                .await
        });
        tokio::time::sleep(Duration::from_millis(wait)).await;
        working.abort();
        let _ = working.await;
    }
    let other = library.beside(composition).await;
    for _ in 0..100 {
        run_jobs(&other.platform, usize::MAX).await;
        if job_of(&client, &job.to_string()).await["status"] != "IN_PROGRESS" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let job = ended(&client, &job.to_string()).await;
    assert_eq!(
        (&job["status"], &job["progress"]["exported"]),
        (&json!("COMPLETED"), &json!(2_300))
    );
    let catalogue = exported(&library, Form::Catalogue, Format::Iso2709, None).await;
    assert!(fetched(&client, &job).await == catalogue.bytes);
}

#[tokio::test]
async fn everything_is_exported_but_what_is_hidden_or_deleted() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let hidden = folio_instance(&client, "Hidden").await;
    let mut changed = hidden.clone();
    changed["discoverySuppress"] = json!(true);
    let path = format!(
        "/instance-storage/instances/{}",
        hidden["id"].as_str().unwrap()
    );
    let _ = client.put(&path, &changed).await.expect(204);
    let all = |body: Value| {
        let client = client.clone();
        async move {
            let _ = client
                .post("/data-export/export-all", &body)
                .await
                .expect(204);
            let query = "cql.allRecords=1 sortBy hrId/number/sort.descending";
            let jobs = client
                .query("/data-export/job-executions?limit=1", query)
                .await
                .expect(200)
                .json();
            ended(&client, jobs["jobExecutions"][0]["id"].as_str().unwrap()).await["progress"]["exported"].clone()
        }
    };
    assert_eq!(all(json!({"idType": "instance"})).await, 2);
    assert_eq!(
        all(json!({"idType": "instance", "suppressedFromDiscovery": true})).await,
        3
    );
    // A deleted title by its day.
    let ids = instance_ids(&client).await;
    let _ = client
        .delete(&format!(
            "/source-storage/records/{}",
            source_of(&client, &ids[0]).await["id"].as_str().unwrap()
        ))
        .await
        .expect(204);
    let today = jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
        .to_string();
    let job = client
        .post(
            "/data-export/export-deleted",
            &json!({"from": today, "to": today}),
        )
        .await
        .expect(200)
        .json();
    let job = ended(&client, job["jobExecutionId"].as_str().unwrap()).await;
    let left = records(&fetched(&client, &job).await);
    assert_eq!((left.len(), left[0].leader.status()), (1, 'd'));
    let wrong = json!({"from": "2026-02-02", "to": "2026-02-01"});
    assert_eq!(
        client
            .post("/data-export/export-deleted", &wrong)
            .await
            .status,
        400
    );
    assert_eq!(
        client
            .post("/data-export/export-deleted", &json!({"from": "x"}))
            .await
            .status,
        400
    );
    let made = exported(
        &library,
        Form::Loaded,
        Format::Iso2709,
        Some("deleted==true"),
    )
    .await;
    assert_eq!(made.exported, 0, "the instance itself is not marked");
}

#[tokio::test]
async fn one_record_is_downloaded_and_old_files_go() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let path = format!("/data-export/download-record/{}?idType=INSTANCE", ids[0]);
    let whole = client.get(&path).await.expect(200);
    assert!(whole.text.contains(&ids[0]));
    let without = client
        .get(&format!("{path}&suppress999ff=true&format=xml"))
        .await
        .expect(200);
    assert!(without.text.contains("<record") && !without.text.contains(&ids[0]));
    assert_eq!(client.get(&format!("{path}&format=pdf")).await.status, 400);
    let none = format!(
        "/data-export/download-record/{}?idType=INSTANCE",
        Uuid::new_v4()
    );
    assert_eq!(client.get(&none).await.status, 404);
    let (job, _) = quick(&client, &ids).await;
    let job = ended(&client, &job).await;
    let _ = client
        .post("/data-export/clean-up-files", &json!({}))
        .await
        .expect(204);
    assert!(!fetched(&client, &job).await.is_empty());
    let old = format!(
        "UPDATE {}.data_export_file SET made = now() - interval '31 days'",
        tenant().schema()
    );
    library
        .platform
        .store
        .database
        .execute(&old, &[])
        .await
        .unwrap();
    let _ = client
        .post("/data-export/clean-up-files", &json!({}))
        .await
        .expect(204);
    let job = job_of(&client, job["id"].as_str().unwrap()).await;
    assert!(
        job["exportedFiles"][0]["fileId"].is_null()
            && job["exportedFiles"][0]["fileName"].is_string()
    );
    let _ = client
        .post("/data-export/expire-jobs", &json!({}))
        .await
        .expect(204);
    for (value, status) in [("0", 400), ("x", 400), ("100", 201)] {
        let body = json!({"key": "slice_size", "value": value});
        assert_eq!(
            client
                .post("/data-export/configuration", &body)
                .await
                .status,
            status
        );
    }
}
