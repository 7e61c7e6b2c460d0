//! mod-users over HTTP.

mod consortium;
mod custom_fields;
mod describing;
mod expiring;
mod people;
mod pictures;
mod pins;
mod registrations;
mod settings;

use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

const USERS: &str = "/users";
const STAFF: &str = "3684a786-6671-4268-8ed0-9db82ebca60b";
const HOME: &str = "93d3d88d-499b-45d0-9bc7-ac73c3a19880";
const WORK: &str = "1c4b225f-f669-4e9b-afcd-ebc0e273a34e";

async fn post(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(201).json()
}

async fn get(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200).json()
}

/// A user of this name, as stored.
async fn user(client: &Client, username: &str) -> Value {
    let body = json!({"username": username, "active": true, "personal": {"lastName": username}});
    post(client, USERS, body).await
}

fn path_of(list: &str, record: &Value) -> String {
    format!("{list}/{}", id_of(record))
}

fn id_of(record: &Value) -> String {
    record["id"]
        .as_str()
        .expect("a record has an id")
        .to_owned()
}

fn unknown() -> String {
    Uuid::new_v4().to_string()
}

/// The first error of a list: its message and the key and value of its parameter.
fn first_error(body: &Value) -> [&str; 3] {
    let error = &body["errors"][0];
    let parameter = &error["parameters"][0];
    [&error["message"], &parameter["key"], &parameter["value"]]
        .map(|value| value.as_str().unwrap_or_default())
}

/// The events of a topic: their types and what was before and after.
async fn events(library: &Library, topic: &str) -> Vec<(String, Value, Value)> {
    let rows = library
        .platform
        .store
        .database
        .query(
            "SELECT type, coalesce(old, 'null'), coalesce(new, 'null') FROM tenant_diku.outbox
             WHERE topic = $1 ORDER BY position",
            &[&topic],
        )
        .await
        .expect("the outbox can be read");
    rows.iter()
        .map(|row| (row.get(0), row.get(1), row.get(2)))
        .collect()
}

/// Waits for something that another task brings about, at most 10 s.
async fn until<F: Future<Output = bool>>(condition: impl Fn() -> F) {
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(10);
    while !condition().await {
        let late = tokio::time::Instant::now() >= deadline;
        assert!(!late, "it did not happen within 10 s");
        tokio::task::yield_now().await;
    }
}
