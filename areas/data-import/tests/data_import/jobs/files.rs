//! Uploads, and jobs of uploaded files.

use reqwest::Method;
use serde_json::{Value, json};

use super::{CREATE_INSTANCES, JOBS, book, count, ended, log};
use octavo_server_testkit::library;

pub const UPLOADS: &str = "/data-import/uploadDefinitions";

pub async fn upload(
    client: &octavo_testkit::Client,
    name: &str,
    bytes: Vec<u8>,
) -> (String, Value) {
    let wanted = json!({"fileDefinitions": [{"name": name, "uiKey": "k"}]});
    let defined = client.post(UPLOADS, &wanted).await.expect(201).json();
    let id = defined["id"].as_str().expect("an id").to_owned();
    let file = defined["fileDefinitions"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let request = client
        .request(Method::POST, &format!("{UPLOADS}/{id}/files/{file}"))
        .header("content-type", "application/octet-stream")
        .body(bytes);
    let stored = client.send(request).await.expect(200).json();
    (id, stored)
}

/// A file that was uploaded and imported by a profile; returns its job as it ended.
pub async fn imported(
    client: &octavo_testkit::Client,
    name: &str,
    bytes: Vec<u8>,
    profile: &str,
) -> Value {
    let (id, stored) = upload(client, name, bytes).await;
    let job = stored["fileDefinitions"][0]["jobExecutionId"].clone();
    let process = json!({"uploadDefinition": stored, "jobProfileInfo": {"id": profile}});
    let path = format!("{UPLOADS}/{id}/processFiles");
    let _ = client.post(&path, &process).await.expect(204);
    ended(client, job.as_str().expect("an id")).await
}

#[tokio::test]
async fn a_file_is_uploaded_and_imported() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    // Larger than what other requests may hold, so that it is streamed.
    let filler = format!("\n500   $a{}", "x".repeat(9_000)).repeat(7);
    let records: Vec<String> = (0..230)
        .map(|at| super::raw(&format!("001 f{at}\n245 10$aFile {at}{filler}")))
        .collect();
    let bytes = format!("{}\n", records.join("\r\n")).into_bytes();
    assert!(bytes.len() > 10 * 1024 * 1024);
    let (id, stored) = upload(&client, "big.mrc", bytes).await;
    assert_eq!(stored["status"], "LOADED");
    assert_eq!(stored["fileDefinitions"][0]["status"], "UPLOADED");
    let job = stored["fileDefinitions"][0]["jobExecutionId"]
        .as_str()
        .expect("an id")
        .to_owned();
    let waiting = client
        .get(&format!("{JOBS}/{job}"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&waiting["status"], &waiting["fileName"]),
        (&json!("FILE_UPLOADED"), &json!("big.mrc"))
    );
    let process = json!({"uploadDefinition": stored, "jobProfileInfo": {"id": CREATE_INSTANCES,
        "name": "Default - Create instance and SRS MARC Bib", "dataType": "MARC"}});
    let path = format!("{UPLOADS}/{id}/processFiles");
    let _ = client.post(&path, &process).await.expect(204);
    let done = ended(&client, &job).await;
    assert_eq!(
        done["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &done).await
    );
    assert_eq!(done["progress"]["total"], 230);
    assert_eq!(count(&library, "instance").await, before + 230);
    // The part that was read is not stored.
    assert_eq!(count(&library, "import_file_portion").await, 0);
    assert_eq!(client.post(&path, &process).await.status, 400);
    assert_eq!(client.delete(&format!("{UPLOADS}/{id}")).await.status, 400);
    let defined = client
        .get(&format!("{UPLOADS}/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(defined["status"], "COMPLETED");
    let found = client
        .get(&format!("{UPLOADS}?query=status==COMPLETED"))
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1);
}

#[tokio::test]
async fn files_in_xml_and_files_without_records() {
    let library = library().await;
    let client = library.client().await;
    let xml = "<?xml version=\"1.0\"?><marc:collection xmlns:marc=\"http://www.loc.gov/MARC21/slim\">\
        <marc:record><marc:leader>00000nam a2200000 a 4500</marc:leader><marc:datafield tag=\"245\" \
        ind1=\"1\" ind2=\"0\"><marc:subfield code=\"a\">First</marc:subfield></marc:datafield>\
        </marc:record></marc:collection>";
    for (name, bytes, status) in [
        ("a.xml", xml.as_bytes().to_vec(), "COMMITTED"),
        ("b.mrc", b"\n\n".to_vec(), "ERROR"),
        ("c.json", b"[]".to_vec(), "ERROR"),
        (
            "d.mrc",
            format!("{}rest without end", book(7)).into_bytes(),
            "ERROR",
        ),
    ] {
        let done = imported(&client, name, bytes, CREATE_INSTANCES).await;
        assert_eq!(done["status"], status, "{name}: {done}");
        match name {
            "a.xml" => assert_eq!(log(&client, &done).await[0]["sourceRecordTitle"], "First"),
            "d.mrc" => assert_eq!(log(&client, &done).await.len(), 2),
            _ => assert_eq!(done["errorStatus"], "FILE_PROCESSING_ERROR"),
        }
    }
}

#[tokio::test]
async fn uploads_are_kept_in_order() {
    let library = library().await;
    let client = library.client().await;
    let blocked = json!({"fileDefinitions": [{"name": "cover.JPG"}]});
    let answer = client.post(UPLOADS, &blocked).await.expect(422).json();
    let message = "validation.uploadDefinition.fileExtension.blocked";
    assert_eq!(answer["errors"][0]["message"], message);
    assert_eq!(answer["errors"][0]["code"], "cover.JPG");
    let (id, stored) = upload(&client, "a.mrc", b"x".to_vec()).await;
    let file = stored["fileDefinitions"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let path = format!("{UPLOADS}/{id}/files/{file}");
    let again = client.request(Method::POST, &path).body("y");
    assert_eq!(client.send(again).await.status, 400);
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(client.delete(&path).await.status, 404);
    let _ = client.delete(&format!("{UPLOADS}/{id}")).await.expect(204);
    assert_eq!(count(&library, "import_file_portion").await, 0);
    assert_eq!(client.get(&format!("{UPLOADS}/{id}")).await.status, 404);
    let split = client
        .get("/data-import/splitStatus")
        .await
        .expect(200)
        .json();
    assert_eq!(split, json!({"splitStatus": false}));
}

#[tokio::test]
async fn file_endings_are_kept_and_brought_back() {
    let library = library().await;
    let client = library.client().await;
    let path = "/data-import/fileExtensions";
    let all = client
        .get(&format!("{path}?limit=100"))
        .await
        .expect(200)
        .json();
    assert_eq!(all["totalRecords"], 13);
    let new = json!({"extension": ".mrx", "dataTypes": ["MARC"], "importBlocked": false});
    let made = client.post(path, &new).await.expect(201).json();
    for (body, message) in [
        (new.clone(), "File extension .mrx already exists"),
        (
            json!({"extension": "mr x", "importBlocked": false}),
            "File extension mr x is not a valid format",
        ),
    ] {
        let answer = client.post(path, &body).await.expect(422).json();
        assert_eq!(answer["errors"][0]["message"], message);
    }
    let one = format!("{path}/{}", made["id"].as_str().expect("an id"));
    let mut blocked = new.clone();
    blocked["importBlocked"] = json!(true);
    let _ = client.put(&one, &blocked).await.expect(200);
    let wanted = json!({"fileDefinitions": [{"name": "a.mrx"}]});
    assert_eq!(client.post(UPLOADS, &wanted).await.status, 422);
    let restored = client
        .post(&format!("{path}/restore/default"), &json!({}))
        .await
        .expect(200)
        .json();
    assert_eq!(restored["totalRecords"], 13);
    assert_eq!(client.get(&one).await.status, 404);
    let types = client
        .get("/data-import/dataTypes")
        .await
        .expect(200)
        .json();
    assert_eq!(types["totalRecords"], 3);
}
