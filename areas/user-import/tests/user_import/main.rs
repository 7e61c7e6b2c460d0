//! mod-user-import over HTTP: many users created and updated from another system.

mod brought;
mod changed;
mod refusals;
mod whole;

use octavo_testkit::{Answer, Client};
use serde_json::{Value, json};

const IMPORT: &str = "/user-import";
/// A service point of the reference data.
const DESK: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";

/// A user as another system sends them.
fn sent(number: usize) -> Value {
    json!({
        "username": format!("reader{number}"), "externalSystemId": number.to_string(),
        "barcode": format!("b{number}"), "active": true, "patronGroup": "staff",
        "personal": {"lastName": format!("Reader {number}"), "preferredContactTypeId": "email",
                     "email": format!("reader{number}@example.org")},
    })
}

/// An import of these users.
fn import(users: &[Value]) -> Value {
    json!({"users": users, "totalRecords": users.len()})
}

fn with(mut import: Value, more: Value) -> Value {
    if let (Value::Object(import), Value::Object(more)) = (&mut import, more) {
        import.extend(more);
    }
    import
}

async fn run(client: &Client, import: &Value) -> Value {
    client.post(IMPORT, import).await.expect(200).json()
}

/// Created, updated, failed, all.
fn counts(answer: &Value) -> [u64; 4] {
    [
        "createdRecords",
        "updatedRecords",
        "failedRecords",
        "totalRecords",
    ]
    .map(|name| answer[name].as_u64().unwrap_or(u64::MAX))
}

async fn user(client: &Client, external_id: &str) -> Value {
    let query = format!("externalSystemId==\"{external_id}\"");
    let found = client.query("/users", &query).await.expect(200).json();
    assert!(found["totalRecords"].as_u64() <= Some(1), "{found}");
    found["users"][0].clone()
}

/// The first who failed: the id in the other system, and why.
fn first_failed(answer: &Value) -> (&str, &str) {
    let failed = &answer["failedUsers"][0];
    (
        failed["externalSystemId"].as_str().unwrap_or_default(),
        failed["errorMessage"].as_str().unwrap_or_default(),
    )
}

/// The message of an answer and its first parameter's key.
fn refused(answer: &Answer) -> (String, String) {
    let body = answer.json();
    let error = &body["errors"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (
        text(&error["message"]),
        text(&error["parameters"][0]["key"]),
    )
}
