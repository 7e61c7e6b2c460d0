//! Exports of MARC: their content, their form, and the jobs that make files.

#![allow(
    clippy::unwrap_used,
    reason = "a test's helpers may panic as its body may"
)]

mod command;
mod jobs;
mod large;
mod line;
mod profiles;

use octavo_data_export::app::export::{ExportedPortion, Exporter};
use octavo_data_export::marc::{Form, Format};
use octavo_marc::{MarcReader, Record, parse_text, write_iso2709};
use octavo_records::plan::Predicate;
use octavo_records::{Stamp, Tenant};
use octavo_server_testkit::export::{exported, wanted};
use octavo_testkit::{Client, Library, TENANT};
use serde_json::{Value, json};

fn tenant() -> Tenant {
    Tenant::new(TENANT).unwrap()
}

/// Loads a file as `octavo load marc` does; returns how many instances it made.
async fn load(library: &Library, bytes: &[u8]) -> u64 {
    let loaded = octavo_server_testkit::load::load_bytes(
        library,
        bytes.to_vec(),
        &octavo_server_testkit::load::options(),
    )
    .await;
    loaded.complete().created
}

/// ISO 2709 of records given as lines.
fn file(records: &[&str]) -> Vec<u8> {
    let bytes = |text: &&str| write_iso2709(&parse_text(text).unwrap()).unwrap();
    records.iter().flat_map(bytes).collect()
}

fn records(bytes: &[u8]) -> Vec<Record> {
    if bytes.is_empty() {
        return Vec::new();
    }
    MarcReader::open(bytes)
        .unwrap()
        .map(Result::unwrap)
        .collect()
}

/// Ids of all instances in the order of their HRIDs.
async fn instance_ids(client: &Client) -> Vec<String> {
    let answer = client
        .query(
            "/instance-storage/instances?limit=1000",
            "cql.allRecords=1 sortBy hrid",
        )
        .await;
    let found = answer.expect(200).json()["instances"]
        .as_array()
        .cloned()
        .unwrap();
    found
        .iter()
        .map(|one| one["id"].as_str().unwrap().to_owned())
        .collect()
}

/// The source record of an instance.
async fn source_of(client: &Client, instance: &str) -> Value {
    let path = format!("/source-storage/records/{instance}/formatted?idType=INSTANCE");
    client.get(&path).await.expect(200).json()
}

/// A new instance without MARC.
async fn folio_instance(client: &Client, title: &str) -> Value {
    let body = json!({"source": "FOLIO", "title": title,
        "instanceTypeId": "30fffe0e-e985-4144-b2e2-1e8179bdb41f"});
    client
        .post("/instance-storage/instances", &body)
        .await
        .expect(201)
        .json()
}

/// A location of a library of its own.
async fn location(client: &Client) -> Value {
    let made = |path: &'static str, body: Value| async move {
        client.post(path, &body).await.expect(201).json()
    };
    let institution = json!({"name": "Town", "code": "T"});
    let institution = made("/location-units/institutions", institution).await["id"].clone();
    let campus = json!({"name": "Centre", "code": "C", "institutionId": institution});
    let campus = made("/location-units/campuses", campus).await["id"].clone();
    let library = json!({"name": "Main", "code": "M", "campusId": campus});
    let library = made("/location-units/libraries", library).await["id"].clone();
    let desk = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
    let location = json!({"name": "Stacks", "code": "T/C/M/S", "isActive": true,
        "institutionId": institution, "campusId": campus, "libraryId": library,
        "primaryServicePoint": desk, "servicePointIds": [desk]});
    made("/locations", location).await
}
