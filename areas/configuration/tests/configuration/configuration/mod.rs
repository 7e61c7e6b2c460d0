//! Configuration entries over HTTP.

mod audit;
mod entries;
mod facets;

use octavo_testkit::Client;
use serde_json::{Value, json};

const ENTRIES: &str = "/configurations/entries";

/// An entry of a module, with what else is to be in it.
fn entry(module: &str, name: &str, more: Value) -> Value {
    let mut entry = json!({"module": module, "configName": name, "value": "v"});
    for (name, value) in more.as_object().expect("properties") {
        entry[name] = value.clone();
    }
    entry
}

async fn made(client: &Client, entry: &Value) -> Value {
    client.post(ENTRIES, entry).await.expect(201).json()
}

fn path(stored: &Value) -> String {
    format!("{ENTRIES}/{}", stored["id"].as_str().expect("an id"))
}
