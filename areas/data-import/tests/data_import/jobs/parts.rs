//! Multipart uploads by links, as FOLIO's front end and its integration tests send them.

use octavo_testkit::Client;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::files::UPLOADS;
use super::{CREATE_INSTANCES, book, count, ended};
use octavo_server_testkit::library;

/// Sends a part to its link without any token; returns the status and the tag.
async fn put(url: &str, bytes: &[u8]) -> (StatusCode, String) {
    let request = reqwest::Client::new().put(url).body(bytes.to_vec());
    let answer = request.send().await.expect("an answer");
    let tag = answer.headers().get("etag");
    let tag = tag.and_then(|tag| tag.to_str().ok()).unwrap_or_default();
    (answer.status(), tag.to_owned())
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// The link to another part of an upload.
async fn link(client: &Client, first: &Value, number: usize) -> Value {
    let path = format!(
        "/data-import/uploadUrl/subsequent?key={}&uploadId={}&partNumber={number}",
        text(first, "key"),
        text(first, "uploadId")
    );
    client.get(&path).await.expect(200).json()
}

/// The link as this test reaches the server: it has the library's public address.
fn reached(client: &Client, link: &Value) -> String {
    let url = text(link, "url");
    let at = url
        .find("/_/invoke/")
        .expect("a path for those without headers");
    format!("{}{}", client.url, &url[at..])
}

#[tokio::test]
async fn a_file_in_parts_is_put_together_and_imported() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let records: String = (0..40).map(book).collect();
    let (first_half, second_half) = records.as_bytes().split_at(records.len() / 2 + 7);
    let wanted = json!({"fileDefinitions": [{"name": "parts.mrc", "uiKey": "k"}]});
    let defined = client.post(UPLOADS, &wanted).await.expect(201).json();
    let (id, file) = (text(&defined, "id"), &defined["fileDefinitions"][0]);
    let first = client
        .get("/data-import/uploadUrl?fileName=parts.mrc")
        .await;
    let first = first.expect(200).json();
    let tenant = library.tenant().id().to_owned();
    let key = text(&first, "key");
    assert!(
        key.starts_with(&format!("data-import/{tenant}/")),
        "{first}"
    );
    assert!(key.ends_with("-parts.mrc"), "{first}");
    let second = link(&client, &first, 2).await;
    assert_eq!(second["key"], first["key"]);
    // The second before the first, and the first twice: the last one counts.
    let (status, second_tag) = put(&reached(&client, &second), second_half).await;
    assert_eq!(status, 200);
    let (_, other_tag) = put(&reached(&client, &first), b"something else").await;
    let (status, first_tag) = put(&reached(&client, &first), first_half).await;
    assert_eq!(status, 200);
    assert!(
        first_tag.starts_with('"') && first_tag != other_tag,
        "{first_tag}"
    );
    let path = format!(
        "{UPLOADS}/{id}/files/{}/assembleStorageFile",
        text(file, "id")
    );
    let form = |tags: Value| json!({"key": key, "uploadId": first["uploadId"], "tags": tags});
    for tags in [
        json!([first_tag]),
        json!([second_tag, first_tag]),
        json!([other_tag, second_tag]),
    ] {
        let _ = client.post(&path, &form(tags)).await.expect(400);
    }
    let _ = client.post(&path, &json!({"key": key})).await.expect(422);
    let tags = form(json!([first_tag, second_tag]));
    let _ = client.post(&path, &tags).await.expect(204);
    let _ = client.post(&path, &tags).await.expect(400);
    let stored = client
        .get(&format!("{UPLOADS}/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(stored["status"], "LOADED");
    assert_eq!(stored["fileDefinitions"][0]["status"], "UPLOADED");
    assert_eq!(stored["fileDefinitions"][0]["sourcePath"], key);
    // The upload is over, and so are its links.
    let (status, _) = put(&reached(&client, &first), b"late").await;
    assert_eq!(status, 403);
    let process = json!({"uploadDefinition": stored, "jobProfileInfo": {"id": CREATE_INSTANCES}});
    let path = format!("{UPLOADS}/{id}/processFiles");
    let _ = client.post(&path, &process).await.expect(204);
    let done = ended(&client, text(file, "jobExecutionId")).await;
    assert_eq!(done["status"], "COMMITTED", "{done}");
    assert_eq!(done["progress"]["total"], 40);
    assert_eq!(count(&library, "instance").await, before + 40);
    assert_eq!(count(&library, "import_file_portion").await, 0);
}

#[tokio::test]
async fn a_link_is_for_one_part_of_one_upload() {
    let library = library().await;
    let client = library.client().await;
    let ask = async |name: &str| -> Value {
        let path = format!("/data-import/uploadUrl?fileName={name}");
        client.get(&path).await.expect(200).json()
    };
    let (one, two) = (ask("one.mrc").await, ask("two.mrc").await);
    let url = reached(&client, &one);
    let forged = [
        url.replace("partNumber=1", "partNumber=2"),
        url.replace(text(&one, "uploadId"), text(&two, "uploadId")),
        url.replace("secret=", "secret=0"),
        url.split("&secret=")
            .next()
            .expect("a beginning")
            .to_owned(),
    ];
    for url in forged {
        let (status, _) = put(&url, b"x").await;
        assert_eq!(status, 403, "{url}");
    }
    let schema = library.tenant().schema().to_owned();
    let end = format!("UPDATE {schema}.import_upload_part SET until = now() - interval '1 second'");
    let _ = library
        .platform
        .store
        .database
        .execute(&end, &[])
        .await
        .expect("it is over");
    assert_eq!(put(&url, b"x").await.0, 403);
    assert_eq!(count(&library, "import_file_portion").await, 0);
    let subsequent = "/data-import/uploadUrl/subsequent";
    for wrong in [
        "key=data-import/diku/1-a&uploadId=x&partNumber=2".to_owned(),
        format!(
            "key=elsewhere&uploadId={}&partNumber=2",
            text(&one, "uploadId")
        ),
        format!(
            "key={}&uploadId={}&partNumber=1",
            text(&one, "key"),
            text(&one, "uploadId")
        ),
        format!(
            "key={}&uploadId={}&partNumber=10001",
            text(&one, "key"),
            text(&one, "uploadId")
        ),
        format!(
            "key={}&uploadId={}",
            text(&one, "key"),
            text(&one, "uploadId")
        ),
    ] {
        let _ = client
            .get(&format!("{subsequent}?{wrong}"))
            .await
            .expect(400);
    }
    let _ = client.get("/data-import/uploadUrl").await.expect(400);
    let nobody = client.with_token(None);
    let answer = nobody.get("/data-import/uploadUrl?fileName=a").await;
    assert!((400..500).contains(&answer.status), "{}", answer.status);
}
