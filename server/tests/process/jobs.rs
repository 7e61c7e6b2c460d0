//! Import jobs whose server is killed by `kill -9`: they continue when it is started again.

use octavo_marc::{parse_text, write_iso2709};
use octavo_testkit::Client;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::octavo::Octavo;
use crate::place::DataDir;
use crate::until;

/// Enough records for a job to be interrupted in the middle.
const RECORDS: usize = 1_000;
const CHUNK: usize = 50;
/// The most entries in one page of the log.
const LINES: usize = 500;
const JOBS: &str = "/change-manager/jobExecutions";
/// FOLIO's profile that creates instances.
const CREATE_INSTANCES: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";

fn record(name: &str, number: usize) -> String {
    let text = format!(
        "001 {name}{number}\n100 1 $aMason, Ada\n245 10$aJob {name} {number} /$cAda Mason\n\
         650  0$aBridges$xKind {number}"
    );
    let record = parse_text(&text).expect("well-formed lines");
    let bytes = write_iso2709(&record).expect("a short record");
    String::from_utf8(bytes).expect("UTF-8")
}

/// The profile of every job here.
fn profile() -> Value {
    json!({"id": CREATE_INSTANCES, "dataType": "MARC"})
}

/// Uploads and submits a file; returns its job.
async fn upload(client: &Client) -> String {
    let uploads = "/data-import/uploadDefinitions";
    let wanted = json!({"fileDefinitions": [{"name": "killed.mrc", "uiKey": "k"}]});
    let defined = client.post(uploads, &wanted).await.expect(201).json();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let id = text(&defined["id"]);
    let file = text(&defined["fileDefinitions"][0]["id"]);
    let bytes: String = (0..RECORDS).map(|at| record("file", at)).collect();
    let request = client
        .request(Method::POST, &format!("{uploads}/{id}/files/{file}"))
        .header("content-type", "application/octet-stream")
        .body(bytes);
    let stored = client.send(request).await.expect(200).json();
    let process = json!({"uploadDefinition": stored, "jobProfileInfo": profile()});
    let path = format!("{uploads}/{id}/processFiles");
    let _ = client.post(&path, &process).await.expect(204);
    text(&stored["fileDefinitions"][0]["jobExecutionId"])
}

/// A job that takes chunks.
async fn begin(client: &Client) -> String {
    let users = client.get("/users?query=username==diku_admin").await;
    let user = users.expect(200).json()["users"][0]["id"].clone();
    let wanted = json!({"sourceType": "ONLINE", "files": [], "userId": user,
        "jobProfileInfo": profile()});
    let begun = client.post(JOBS, &wanted).await.expect(201).json();
    let id = begun["parentJobExecutionId"].as_str().expect("an id");
    let path = format!("{JOBS}/{id}/jobProfile");
    let _ = client.put(&path, &profile()).await.expect(200);
    id.to_owned()
}

/// All chunks of a job.
fn chunks() -> Vec<Value> {
    let chunk = |first: usize| {
        let list: Vec<Value> = (first..first + CHUNK)
            .map(|at| json!({"record": record("chunk", at), "order": at}))
            .collect();
        json!({"id": Uuid::new_v4(), "initialRecords": list, "recordsMetadata": {
            "last": first + CHUNK == RECORDS, "counter": first + CHUNK, "total": RECORDS,
            "contentType": "MARC_RAW"}})
    };
    (0..RECORDS).step_by(CHUNK).map(chunk).collect()
}

async fn read(client: &Client, job: &str) -> Value {
    let path = format!("{JOBS}/{job}");
    client.get(&path).await.expect(200).json()
}

/// The number of records that a job has processed.
async fn done(client: &Client, job: &str) -> usize {
    let current = &read(client, job).await["progress"]["current"];
    current.as_u64().unwrap_or_default() as usize
}

/// Asserts that each record of a job was processed exactly once.
async fn each_once(client: &Client, job: &str, name: &str) {
    let total = async |path: &str| -> Value {
        let page = client.get(path).await.expect(200).json();
        page["totalRecords"].clone()
    };
    let query = format!("/instance-storage/instances?query=title=\"Job {name}\"&limit=0");
    assert_eq!(total(&query).await, RECORDS);
    let sources = format!("/source-storage/source-records?snapshotId={job}&limit=0");
    assert_eq!(total(&sources).await, RECORDS);
    // One entry each for parsing, the MARC record, and the instance.
    let journal = format!("/metadata-provider/journalRecords/{job}");
    assert_eq!(total(&journal).await, 3 * RECORDS);
    let mut places: Vec<usize> = Vec::new();
    for offset in (0..RECORDS).step_by(LINES) {
        let page = format!("/metadata-provider/jobLogEntries/{job}?limit={LINES}&offset={offset}");
        let page = client.get(&page).await.expect(200).json();
        let lines = page["entries"].as_array().expect("a list").iter();
        let place = |line: &Value| line["sourceRecordOrder"].as_str()?.parse::<usize>().ok();
        places.extend(lines.map(|line| place(line).expect("a number")));
    }
    places.sort_unstable();
    assert_eq!(places, (0..RECORDS).collect::<Vec<_>>());
}

/// Kills the server in the middle of a job, and starts it again.
async fn killed_amid(octavo: &mut Octavo, arguments: &[&str], job: &str, waiting: usize) {
    let client = octavo.client().await;
    until("some of the records are done", || async {
        done(&client, job).await >= CHUNK
    })
    .await;
    let so_far = done(&client, job).await;
    octavo.kill().await;
    assert!(so_far < waiting, "it was done before it could be cut off");
    *octavo = Octavo::start(arguments).await;
}

async fn committed(client: &Client, job: &str) {
    until("the job is done", || async {
        let status = read(client, job).await["status"].clone();
        assert!(status != "ERROR" && status != "CANCELLED", "{status}");
        status == "COMMITTED"
    })
    .await;
    assert_eq!(read(client, job).await["progress"]["total"], RECORDS);
}

#[tokio::test]
async fn a_file_that_was_cut_off_goes_on_with_nothing_lost_or_doubled() {
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg()];
    let mut octavo = Octavo::start(&arguments).await;
    let job = upload(&octavo.client().await).await;
    killed_amid(&mut octavo, &arguments, &job, RECORDS).await;
    let client = octavo.client().await;
    committed(&client, &job).await;
    each_once(&client, &job, "file").await;
}

#[tokio::test]
async fn chunks_that_were_cut_off_go_on_with_nothing_lost_or_doubled() {
    let directory = DataDir::of_demo().await;
    let arguments = ["--data-dir", directory.arg()];
    let mut octavo = Octavo::start(&arguments).await;
    let client = octavo.client().await;
    let job = begin(&client).await;
    let path = format!("{JOBS}/{job}/records");
    let chunks = chunks();
    let (sent, rest) = chunks.split_at(chunks.len() / 2);
    for chunk in sent {
        let _ = client.post(&path, chunk).await.expect(204);
    }
    let waiting = sent.len() * CHUNK;
    killed_amid(&mut octavo, &arguments, &job, waiting).await;
    let client = octavo.client().await;
    until("the chunks that were there are done", || async {
        done(&client, &job).await == waiting
    })
    .await;
    // A client that received no response sends a chunk again.
    let again = client.post(&path, &sent[sent.len() - 1]).await.expect(400);
    assert!(again.text.contains("is already exists"), "{}", again.text);
    for chunk in rest {
        let _ = client.post(&path, chunk).await.expect(204);
    }
    committed(&client, &job).await;
    each_once(&client, &job, "chunk").await;
}
