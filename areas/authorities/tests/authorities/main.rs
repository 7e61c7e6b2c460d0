//! Authorities: records, source files, links with instances, propagation of headings, searching and
//! browsing.

mod files;
mod following;
mod links;
mod search;
mod storage;

use octavo_testkit::{Answer, Client};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

const AUTHORITIES: &str = "/authority-storage/authorities";
const FILES: &str = "/authority-source-files";
/// LC's names, with the codes n, nb, no, nr and ns.
const LCNAF: &str = "af045f2f-e851-4613-984c-4bc13430454a";

async fn patch(client: &Client, path: &str, body: &Value) -> Answer {
    client
        .send(client.request(Method::PATCH, path).json(body))
        .await
}

/// A personal name.
fn name(heading: &str, natural_id: &str) -> Value {
    json!({"id": Uuid::new_v4(), "source": "MARC", "personalName": heading, "naturalId": natural_id,
           "sourceFileId": LCNAF})
}

async fn stored(client: &Client, authority: &Value) -> Value {
    client.post(AUTHORITIES, authority).await.expect(201).json()
}

fn path_of(authority: &Value) -> String {
    format!("{AUTHORITIES}/{}", authority["id"].as_str().expect("an id"))
}

fn message(answer: &Value) -> &str {
    answer["errors"][0]["message"].as_str().unwrap_or_default()
}
