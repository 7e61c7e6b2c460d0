//! Letters on paper: entries, messages made into letters, and letters put together.

use std::sync::Arc;

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use super::timer;
use octavo_server_testkit::library;

const ENTRIES: &str = "/print/entries";
const MERGE: &str = "/print/batch-creation";

async fn listed(client: &Client, query: &str) -> Vec<Value> {
    let page = client.query("/print/entries?limit=100", query).await;
    let page = page.expect(200).json();
    page["items"].as_array().expect("a list").clone()
}

/// The text of a document, as far as it is text.
fn shown(entry: &Value) -> String {
    let digits = entry["content"].as_str().expect("a content").as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).expect("digits");
        u8::from_str_radix(pair, 16).expect("digits") as char
    };
    digits.chunks(2).map(byte).collect()
}

async fn mailed(client: &Client, to: &str, body: &str) -> String {
    let message = json!({"notificationId": "n", "from": "library", "to": to, "header": "h",
                         "outputFormat": "text/html", "body": body, "attachments": []});
    let answer = client.post("/mail", &message).await.expect(200).json();
    answer["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn entries_are_kept_listed_and_deleted() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let entry = json!({"id": id, "created": "2023-11-16T11:00:00.000+01:00", "type": "SINGLE",
                       "sortingField": "Reader,Ada", "content": "anything"});
    let _ = client.post(ENTRIES, &entry).await.expect(204);
    let one = format!("{ENTRIES}/{id}");
    let stored = client.get(&one).await.expect(200).json();
    assert_eq!(stored["content"], "anything");
    assert!(
        stored["created"]
            .as_str()
            .is_some_and(|at| at.starts_with("2023-11-16T10:00:00")),
        "{stored}"
    );
    // A list shows no contents.
    let page = client.get(ENTRIES).await.expect(200).json();
    assert_eq!(page["items"][0]["sortingField"], "Reader,Ada");
    assert_eq!(page["items"][0].get("content"), None);
    assert_eq!(page["resultInfo"]["totalRecords"], 1);
    assert_eq!(
        listed(&client, "type=SINGLE and created > 2023-11-16T09:59")
            .await
            .len(),
        1
    );
    assert_eq!(listed(&client, "type=BATCH").await.len(), 0);

    let taken = client.post(ENTRIES, &entry).await.expect(400);
    assert!(taken.text.contains("already exists"), "{}", taken.text);
    for (name, value) in [
        ("type", json!("DOUBLE")),
        ("content", Value::Null),
        ("created", json!("yesterday")),
        ("id", json!("no id")),
        ("other", json!("x")),
    ] {
        let mut wrong = entry.clone();
        wrong[name] = value;
        let _ = client.post(ENTRIES, &wrong).await.expect(400);
        let _ = client.put(&one, &wrong).await.expect(400);
    }
    let mut other = entry.clone();
    other["content"] = json!("changed");
    let _ = client.put(&one, &other).await.expect(204);
    let stored = client.get(&one).await.expect(200).json();
    assert_eq!(stored["content"], "changed");
    let elsewhere = format!("{ENTRIES}/{}", Uuid::new_v4());
    let mismatch = client.put(&elsewhere, &other).await.expect(400);
    assert_eq!(mismatch.text, "id mismatch");
    other["id"] = json!(elsewhere.rsplit('/').next());
    let missing = client.put(&elsewhere, &other).await.expect(404);
    assert_eq!(missing.text, "Not Found");
    let missing = client.get(&elsewhere).await.expect(404);
    assert_eq!(missing.text, "Not Found");
    let _ = client.delete(&elsewhere).await.expect(404);

    let _ = client.delete(&one).await.expect(204);
    let _ = client.delete(ENTRIES).await.expect(400);
    let _ = client.delete("/print/entries?ids=x").await.expect(400);
    let first = mailed(&client, "a", "a").await;
    let second = mailed(&client, "b", "b").await;
    let both = format!("{ENTRIES}?ids={first},{second},{}", Uuid::new_v4());
    let _ = client.delete(&both).await.expect(204);
    assert_eq!(listed(&client, "cql.allRecords=1").await.len(), 0);
}

#[tokio::test]
async fn messages_become_letters_and_letters_a_document() {
    let library = library().await;
    let client = library.client().await;
    let _ = client.post("/mail", &json!({"to": "x"})).await.expect(400);
    let bob = mailed(&client, "Reader,Bob", "<p>Dear Bob</p>").await;
    let ada = mailed(
        &client,
        "Reader,Ada",
        "<p>Dear <b>Ada</b> &amp; all (é)</p>",
    )
    .await;
    let _silent = mailed(&client, "Reader,Cy", "").await;
    let letter = client
        .get(&format!("{ENTRIES}/{ada}"))
        .await
        .expect(200)
        .json();
    assert_eq!(letter["type"], "SINGLE");
    assert_eq!(letter["sortingField"], "Reader,Ada");
    let text = shown(&letter);
    assert!(text.starts_with("%PDF-1.4"), "{text}");
    assert!(
        text.contains("(Dear ) Tj") && text.contains("& all \\(\\351\\)"),
        "{text}"
    );
    // Of long ago, or no document: both stay.
    let old = json!({"id": Uuid::new_v4(), "created": "2023-11-16T10:00:00Z", "type": "SINGLE",
                     "content": letter["content"]});
    let _ = client.post(ENTRIES, &old).await.expect(204);
    let now = &letter["created"];
    let strange = json!({"id": Uuid::new_v4(), "created": now, "type": "SINGLE", "content": "x"});
    let _ = client.post(ENTRIES, &strange).await.expect(204);

    // Two at once make one document.
    let platform = Arc::clone(&library.platform);
    let (one, other) = tokio::join!(
        timer(&library, &platform, MERGE),
        timer(&library, &platform, MERGE)
    );
    assert_eq!((one, other), (204, 204));
    let batches = listed(&client, "type=BATCH").await;
    assert_eq!(batches.len(), 1, "{batches:?}");
    let path = format!("{ENTRIES}/{}", batches[0]["id"].as_str().expect("an id"));
    let batch = client.get(&path).await.expect(200).json();
    let text = shown(&batch);
    let place = |name: &str| text.find(name).expect(name);
    assert!(place("Ada") < place("Bob"), "{text}");
    assert!(text.contains("/Count 2 "), "{text}");
    let _ = client.get(&format!("{ENTRIES}/{bob}")).await.expect(404);
    let left = listed(&client, "type=SINGLE sortBy created").await;
    let ids: Vec<&Value> = left.iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&old["id"], &strange["id"]]);
    assert_eq!(timer(&library, &platform, MERGE).await, 204);
    assert_eq!(listed(&client, "type=BATCH").await.len(), 1);
}
