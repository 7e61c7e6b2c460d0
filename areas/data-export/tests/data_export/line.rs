//! Queued exports: how many run at once, which are given up, and what may not be deleted while they
//! wait.

use octavo_data_export::app::new_job;
use octavo_data_export::store::uploads;
use uuid::Uuid;

use super::jobs::{TEXTS, announced, begun, ended, exported_by, fetched, job_of, logs, run_jobs};
use super::*;
use octavo_server_testkit::library;

async fn run(library: &Library, sql: &str) -> u64 {
    let sql = sql.replace("{schema}", tenant().schema());
    let database = &library.platform.store.database;
    database.execute(&sql, &[]).await.unwrap()
}

async fn number(library: &Library, sql: &str) -> i64 {
    let sql = sql.replace("{schema}", tenant().schema());
    let database = &library.platform.store.database;
    database.query(&sql, &[]).await.unwrap()[0].get(0)
}

fn these(ids: &[String]) -> new_job::Which {
    let ids = ids.iter().map(|id| Uuid::try_parse(id).unwrap());
    new_job::Which::These(ids.collect())
}

#[tokio::test]
async fn many_exports_leave_the_desks_their_connections() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    // Whoever lists the records of a job waits, with its connection.
    let holding = library.platform.store.database.transaction().await.unwrap();
    let lock = format!(
        "LOCK TABLE {}.data_export_id IN ACCESS EXCLUSIVE MODE",
        tenant().schema()
    );
    holding.batch_execute(&lock).await.unwrap();
    let body = json!({"type": "cql", "recordType": "INSTANCE", "criteria": "cql.allRecords=1"});
    let mut jobs = Vec::new();
    for _ in 0..20 {
        let begun = client.post("/data-export/quick-export", &body).await;
        let job = begun.expect(200).json()["jobExecutionId"].clone();
        jobs.push(job.as_str().unwrap().to_owned());
    }
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted \
                   AND relation = '{schema}.data_export_id'::regclass";
    while number(&library, waiting).await == 0 {
        tokio::task::yield_now().await;
    }
    // A transaction of somebody else's.
    let _ = location(&client).await;
    let at_work = number(&library, waiting).await;
    assert!(at_work <= 2, "{at_work} are at work");
    holding.rollback().await.unwrap();
    for job in &jobs {
        let job = ended(&client, job).await;
        assert_eq!(job["status"], "COMPLETED", "{job}");
        assert_eq!(job["progress"]["exported"], 2);
    }
}

#[tokio::test]
async fn ids_are_listed_once_and_not_kept_beside() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let mut ids = instance_ids(&client).await;
    ids.push(ids[0].clone());
    ids.push(ids[0].clone());
    let job = begun(&library, new_job::INSTANCES, these(&ids)).await;
    let kept =
        "SELECT count(*) FROM {schema}.octavo_job WHERE position('These' IN progress::text) > 0";
    assert_eq!(number(&library, kept).await, 0);
    let listed = "SELECT count(*) FROM {schema}.data_export_id";
    assert_eq!(number(&library, listed).await, 4);
    run_jobs(&library.platform, usize::MAX).await;
    let job = ended(&client, &job.to_string()).await;
    let progress = &job["progress"];
    assert_eq!(job["status"], "COMPLETED_WITH_ERRORS", "{job}");
    assert_eq!(
        (
            &progress["exported"],
            &progress["failed"],
            &progress["total"]
        ),
        (&json!(2), &json!(2), &json!(4))
    );
    let logs = logs(&client, &job).await;
    let repeated = logs
        .iter()
        .find(|log| log["errorMessageCode"] == "error.duplicatedIds");
    assert_eq!(
        repeated.unwrap()["errorMessageValues"],
        json!([ids[0], "3"])
    );
    assert_eq!(number(&library, listed).await, 0);
}

#[tokio::test]
async fn the_documented_limits_can_be_reached() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let mut many: Vec<Uuid> = (0..250_000).map(Uuid::from_u128).collect();
    let quick = |ids: &[Uuid]| json!({"type": "uuid", "recordType": "INSTANCE", "uuids": ids});
    let begun = client
        .post("/data-export/quick-export", &quick(&many))
        .await;
    let job = begun.expect(200).json()["jobExecutionId"].clone();
    let path = format!("/data-export/job-executions/{}", job.as_str().unwrap());
    let _ = client.delete(&path).await.expect(204);
    many.push(Uuid::nil());
    let answer = client
        .post("/data-export/quick-export", &quick(&many))
        .await;
    assert_eq!(answer.status, 422);
    // A file may be larger than other bodies are; what is no id in it is not held in memory.
    let long = "x".repeat(1 << 20);
    let content = format!("{}\n{}{}\n", ids[0], format!("{long}\n").repeat(12), ids[1]);
    let definition = announced(&client, "long.csv", "csv", &content).await;
    let job = exported_by(&client, &definition, new_job::INSTANCES, "instance").await;
    let progress = &job["progress"];
    assert_eq!(
        (
            &progress["exported"],
            &progress["failed"],
            &progress["total"]
        ),
        (&json!(2), &json!(12), &json!(14))
    );
}

#[tokio::test]
async fn what_broke_off_is_no_part_of_an_uploaded_file() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let body = json!({"fileName": "ids.csv", "uploadFormat": "csv"});
    let answer = client.post("/data-export/file-definitions", &body).await;
    let definition = answer.expect(201).json();
    let id = Uuid::try_parse(definition["id"].as_str().unwrap()).unwrap();
    let database = &library.platform.store.database;
    let (tenant, half) = (tenant(), format!("{}\n{}", ids[1], &ids[0][..20]));
    uploads::add(
        database,
        &tenant,
        id.into(),
        Uuid::new_v4().into(),
        1,
        half.as_bytes(),
    )
    .await
    .unwrap();
    let path = format!("/data-export/file-definitions/{id}/upload");
    let request = || {
        let request = client.request(reqwest::Method::POST, &path);
        client.send(request.body(ids[0].clone()))
    };
    let _ = request().await.expect(200);
    assert_eq!(request().await.status, 400);
    let job = exported_by(&client, &definition, new_job::INSTANCES, "instance").await;
    assert_eq!(
        (&job["status"], &job["progress"]["total"]),
        (&json!("COMPLETED"), &json!(1))
    );
    let missing = format!("/data-export/file-definitions/{}/upload", Uuid::new_v4());
    let request = client.request(reqwest::Method::POST, &missing);
    assert_eq!(client.send(request.body("x")).await.status, 404);
}

#[tokio::test]
async fn only_what_was_tried_in_vain_is_given_up() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let job = begun(&library, new_job::INSTANCES, these(&ids)).await;
    // All processes rested for a day.
    run(
        &library,
        "UPDATE {schema}.octavo_job SET added = now() - interval '1 day'",
    )
    .await;
    let nothing = json!({});
    let expire = || client.post("/data-export/expire-jobs", &nothing);
    let _ = expire().await.expect(204);
    let job = ended(&client, &job.to_string()).await;
    assert_eq!(job["status"], "COMPLETED");
    let job = begun(&library, new_job::INSTANCES, these(&ids)).await;
    let tried = "INSERT INTO {schema}.octavo_job_attempt (queue, id, attempts) \
                 SELECT queue, id, 6 FROM {schema}.octavo_job";
    assert_eq!(run(&library, tried).await, 1);
    let _ = expire().await.expect(204);
    let job = ended(&client, &job.to_string()).await;
    assert_eq!(job["status"], "FAIL");
    let logs = logs(&client, &job).await;
    let why = logs[0]["errorMessageValues"][0].as_str().unwrap();
    assert!(why.contains("begun 6 times"), "{why}");
}

#[tokio::test]
async fn a_time_out_ends_no_export() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    // As a statement that is stopped at its limit, while the database is busy with something else.
    let connection = library.platform.store.database.connection().await.unwrap();
    let slow = format!(
        "CREATE FUNCTION {schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END $$; \
         CREATE TRIGGER slow BEFORE INSERT ON {schema}.data_export_portion \
         FOR EACH ROW EXECUTE FUNCTION {schema}.slow()",
        schema = tenant().schema()
    );
    connection.batch_execute(&slow).await.unwrap();
    let job = begun(&library, new_job::INSTANCES, these(&ids))
        .await
        .to_string();
    run_jobs(&library.platform, usize::MAX).await;
    let attempts =
        "SELECT attempts::bigint FROM {schema}.octavo_job_attempt WHERE not_before > now()";
    assert_eq!(
        number(&library, attempts).await,
        2,
        "it is tried again later"
    );
    assert_eq!(job_of(&client, &job).await["status"], "IN_PROGRESS");
    let quick = format!(
        "DROP TRIGGER slow ON {}.data_export_portion",
        tenant().schema()
    );
    connection.batch_execute(&quick).await.unwrap();
    let now = "UPDATE {schema}.octavo_job_attempt SET not_before = NULL";
    assert_eq!(run(&library, now).await, 1);
    run_jobs(&library.platform, usize::MAX).await;
    let job = ended(&client, &job).await;
    assert_eq!(
        (&job["status"], &job["progress"]["exported"]),
        (&json!("COMPLETED"), &json!(ids.len()))
    );
    assert!(!fetched(&client, &job).await.is_empty());
    assert!(logs(&client, &job).await.is_empty());
}

#[tokio::test]
async fn a_profile_stays_while_jobs_are_done_by_it() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let mappings = client.get("/data-export/mapping-profiles").await;
    let mappings = mappings.expect(200).json();
    let profile = json!({"name": "Mine", "mappingProfileId": mappings["mappingProfiles"]
        .as_array().unwrap().iter().find(|one| one["recordTypes"] == json!(["SRS"]))
        .unwrap_or(&mappings["mappingProfiles"][0])["id"]});
    let profile = client
        .post("/data-export/job-profiles", &profile)
        .await
        .expect(201)
        .json();
    let path = format!(
        "/data-export/job-profiles/{}",
        profile["id"].as_str().unwrap()
    );
    let id = Uuid::try_parse(profile["id"].as_str().unwrap()).unwrap();
    let job = begun(&library, id.into(), these(&ids)).await;
    let number = job_of(&client, &job.to_string()).await["hrId"].clone();
    let refused = client.delete(&path).await.expect(409);
    assert!(
        refused.text.contains(&format!("[{number}]")),
        "{}",
        refused.text
    );
    run_jobs(&library.platform, usize::MAX).await;
    let job = ended(&client, &job.to_string()).await;
    assert!(!fetched(&client, &job).await.is_empty(), "{job}");
    let _ = client.delete(&path).await.expect(204);
    let job = job_of(&client, job["id"].as_str().unwrap()).await;
    assert!(job["exportedFiles"][0]["fileId"].is_null());
}

#[tokio::test]
async fn a_job_whose_file_is_gone_does_not_end_as_if_it_were_there() {
    let library = library().await;
    let client = library.client().await;
    load(&library, &file(&TEXTS)).await;
    let ids = instance_ids(&client).await;
    let job = begun(&library, new_job::INSTANCES, these(&ids)).await;
    assert_eq!(
        run(&library, "DELETE FROM {schema}.data_export_file").await,
        1
    );
    run_jobs(&library.platform, usize::MAX).await;
    let job = ended(&client, &job.to_string()).await;
    assert_eq!(job["status"], "FAIL");
}
