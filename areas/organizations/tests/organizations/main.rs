//! The routes of this area over HTTP, on a real PostgreSQL.

mod business;
mod credentials;
mod plans;
mod storage;
mod units;

use octavo_testkit::Client;
use serde_json::{Value, json};

/// A new organization with this code; its id.
async fn organization(client: &Client, code: &str) -> String {
    let body = body(code);
    let made = client
        .post("/organizations-storage/organizations", &body)
        .await;
    let made = made.expect(201).json();
    made["id"].as_str().expect("an id").to_owned()
}

fn body(code: &str) -> Value {
    json!({"name": format!("Name of {code}"), "code": code, "status": "Active"})
}

/// The first error of a response.
fn error(answer: &octavo_testkit::Answer) -> Value {
    answer.json()["errors"][0].clone()
}
