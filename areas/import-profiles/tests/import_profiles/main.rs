//! Profiles of imports: their trees, protected fields and forms.

mod associations;
mod at_once;
mod defaults;
mod each_kind;
mod import;
mod kept;
mod trees;
mod validity;

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

const JOBS: &str = "/data-import-profiles/jobProfiles";
const MATCHES: &str = "/data-import-profiles/matchProfiles";
const ACTIONS: &str = "/data-import-profiles/actionProfiles";
const MAPPINGS: &str = "/data-import-profiles/mappingProfiles";
const ASSOCIATIONS: &str = "/data-import-profiles/profileAssociations";

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}

fn job(name: &str) -> Value {
    json!({"name": name, "dataType": "MARC"})
}

fn matching(name: &str) -> Value {
    json!({"name": name, "incomingRecordType": "MARC_BIBLIOGRAPHIC",
           "existingRecordType": "INSTANCE"})
}

fn action(name: &str, does: &str, record: &str) -> Value {
    json!({"name": name, "action": does, "folioRecord": record})
}

fn mapping(name: &str, record: &str) -> Value {
    json!({"name": name, "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": record})
}

/// Associations as clients send them; the profile that is stored needs no id.
fn below(
    (master, above): (&str, Option<&str>),
    (detail, id): (&str, Option<&str>),
    order: i32,
    react_to: Option<&str>,
) -> Value {
    let mut relation = json!({
        "masterProfileType": format!("{master}_PROFILE"),
        "detailProfileType": format!("{detail}_PROFILE"),
        "order": order,
    });
    for (name, value) in [
        ("masterProfileId", above),
        ("detailProfileId", id),
        ("reactTo", react_to),
    ] {
        if let Some(value) = value {
            relation[name] = json!(value);
        }
    }
    relation
}

/// Stores a profile with its associations; returns its id.
async fn stored(client: &Client, path: &str, profile: Value, added: Value) -> String {
    let body = json!({"profile": profile, "addedRelations": added});
    let answer = client.post(path, &body).await.expect(201).json();
    text(&answer, "id").to_owned()
}

/// An action with its mapping; returns the ids of both.
async fn an_action(client: &Client, name: &str, does: &str, record: &str) -> (String, String) {
    let mapping = stored(client, MAPPINGS, mapping(name, record), json!([])).await;
    let relation = below(("ACTION", None), ("MAPPING", Some(&mapping)), 0, None);
    let action = stored(
        client,
        ACTIONS,
        action(name, does, record),
        json!([relation]),
    )
    .await;
    (action, mapping)
}

/// A job that does one thing.
async fn a_job(client: &Client, name: &str, action: &str) -> String {
    let relation = below(("JOB", None), ("ACTION", Some(action)), 0, None);
    stored(client, JOBS, job(name), json!([relation])).await
}

async fn tree(client: &Client, job: &str) -> Value {
    let path = format!(
        "/data-import-profiles/profileSnapshots/{job}?profileType=JOB_PROFILE&jobProfileId={job}"
    );
    client.get(&path).await.expect(200).json()
}

/// The names in a tree, each with its level and its reaction.
fn outline(node: &Value) -> Vec<String> {
    fn walk(node: &Value, level: usize, into: &mut Vec<String>) {
        let react_to = node["reactTo"].as_str().unwrap_or("-");
        let name = node["content"]["name"].as_str().unwrap_or("?");
        into.push(format!("{level} {react_to} {name}"));
        for child in node["childSnapshotWrappers"].as_array().expect("children") {
            walk(child, level + 1, into);
        }
    }
    let mut lines = Vec::new();
    walk(node, 0, &mut lines);
    lines
}

fn messages(answer: &Value) -> Vec<&str> {
    let errors = answer["errors"].as_array().expect("errors");
    // Those that the module finds itself are counted.
    let counted = answer["total_records"].as_u64();
    assert!(counted.is_none_or(|counted| counted == errors.len() as u64));
    errors.iter().map(|error| text(error, "message")).collect()
}

fn nowhere() -> String {
    Uuid::new_v4().to_string()
}
