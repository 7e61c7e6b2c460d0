//! Permissions: who holds which, what libraries and modules define, and who may give what.

mod announced;
mod assigning;
mod defined;
mod holders;
mod listed;
mod plans;
mod sets;
mod together;

use octavo_server_testkit::people::{holder, staff, user};
use octavo_testkit::Client;
use serde_json::{Value, json};

const USERS: &str = "/perms/users";
const PERMISSIONS: &str = "/perms/permissions";

/// The id of a new set of the library.
async fn set(admin: &Client, name: &str, parts: &[&str]) -> String {
    let body = json!({"permissionName": name, "displayName": format!("Set {name}"),
                      "subPermissions": parts});
    id_of(&admin.post(PERMISSIONS, &body).await.expect(201).json())
}

fn id_of(record: &Value) -> String {
    record["id"].as_str().expect("an id").to_owned()
}

async fn definition(admin: &Client, name: &str) -> Value {
    let found = admin
        .get(&format!(
            "{PERMISSIONS}?includeDummy=true&query=permissionName=={name}"
        ))
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1, "{name}: {found}");
    found["permissions"][0].clone()
}

/// What a permission user holds, as answered to a query string.
async fn held(admin: &Client, id: &str, query: &str) -> Value {
    let path = format!("{USERS}/{id}/permissions{query}");
    admin.get(&path).await.expect(200).json()["permissionNames"].clone()
}

/// The only error of a 422.
fn error_of(answer: &octavo_testkit::Answer) -> (String, String, String) {
    let body = answer.json();
    assert_eq!(body["errors"].as_array().map(Vec::len), Some(1), "{body}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let error = &body["errors"][0];
    let parameter = &error["parameters"][0];
    (
        text(&error["message"]),
        text(&parameter["key"]),
        text(&parameter["value"]),
    )
}
