//! Editing MARC records: derived records, mapping rules, and concurrent changes.

mod authorities;
mod editing;
mod holdings;
mod races;
mod refusals;
mod rules;

use octavo_testkit::Client;
use serde_json::{Value, json};

const RECORDS: &str = "/records-editor/records";

/// A new record of a title as the editor sends it.
fn bib(title: &str) -> Value {
    json!({
        "marcFormat": "BIBLIOGRAPHIC",
        "leader": "00000nam\\a2200000\\a\\4500",
        "suppressDiscovery": false,
        "fields": [
            {"tag": "008", "content": {
                "Type": "a", "BLvl": "m", "Entered": "260301", "DtSt": "s", "Date1": "1985",
                "Date2": "\\\\\\\\", "Ctry": "nyu", "Lang": "eng", "MRec": "\\", "Srce": "\\",
                "Ills": ["\\", "\\", "\\", "\\"], "Audn": "\\", "Form": "\\",
                "Cont": ["\\", "\\", "\\", "\\"], "GPub": "\\", "Conf": "0", "Fest": "0",
                "Indx": "0", "LitF": "0", "Biog": "\\"}},
            {"tag": "100", "content": "$a Holm, Ida.", "indicators": ["1", "\\"]},
            {"tag": "245", "content": format!("$a {title}"), "indicators": ["1", "0"]},
            {"tag": "650", "content": "$a Glass $x History.", "indicators": ["\\", "0"]},
        ],
    })
}

/// Creates a record; returns what the editor shows of it.
async fn created(client: &Client, form: &Value) -> Value {
    let created = client.post(RECORDS, form).await.expect(201).json();
    shown(client, text(&created, "externalId")).await
}

/// What the editor shows of the record of an instance, a holdings record or an authority, with the
/// version of this, which FOLIO's front end reads beside it.
async fn shown(client: &Client, external: &str) -> Value {
    let path = format!("{RECORDS}?externalId={external}&lang=en");
    let mut view = client.get(&path).await.expect(200).json();
    let described = match text(&view, "marcFormat") {
        "HOLDINGS" => "/holdings-storage/holdings",
        "AUTHORITY" => "/authority-storage/authorities",
        _ => "/instance-storage/instances",
    };
    let described = client.get(&format!("{described}/{external}")).await;
    let version = described.expect(200).json()["_version"].clone();
    view["relatedRecordVersion"] = json!(version.to_string());
    view
}

/// How many times a record has been changed.
async fn generation(client: &Client, view: &Value) -> Value {
    generations(client, view).await.remove(0)["generation"].clone()
}

/// The content of the only field of a tag.
fn content<'a>(view: &'a Value, tag: &str) -> &'a Value {
    let fields = view["fields"].as_array().expect("fields");
    let mut found = fields.iter().filter(|field| field["tag"] == tag);
    let field = found.next().unwrap_or_else(|| panic!("no {tag} in {view}"));
    assert!(found.next().is_none(), "one field {tag} in {view}");
    &field["content"]
}

/// The same view with another content of the only field of a tag.
fn with(view: &Value, tag: &str, content: &str) -> Value {
    let mut view = view.clone();
    let fields = view["fields"].as_array_mut().expect("fields");
    let field = fields.iter_mut().find(|field| field["tag"] == tag);
    field.expect("the field")["content"] = json!(content);
    view
}

fn put_path(view: &Value) -> String {
    format!("{RECORDS}/{}", text(view, "parsedRecordId"))
}

async fn instance(client: &Client, view: &Value) -> Value {
    let path = format!("/instance-storage/instances/{}", text(view, "externalId"));
    client.get(&path).await.expect(200).json()
}

/// All generations of the source record of a view, the newest first.
async fn generations(client: &Client, view: &Value) -> Vec<Value> {
    let id = text(view, "externalId");
    let mut all = Vec::new();
    let kind = match text(view, "marcFormat") {
        "HOLDINGS" => "MARC_HOLDING",
        "AUTHORITY" => "MARC_AUTHORITY",
        _ => "MARC_BIB",
    };
    for state in ["ACTUAL", "OLD", "DELETED"] {
        let path = format!("/source-storage/records?limit=1000&state={state}&recordType={kind}");
        let page = client.get(&path).await.expect(200).json();
        let records = page["records"].as_array().cloned().unwrap_or_default();
        all.extend(records.into_iter().filter(|record| {
            let ids = record["externalIdsHolder"]
                .as_object()
                .into_iter()
                .flatten();
            ids.into_iter().any(|(_, value)| value == id)
        }));
    }
    all.sort_by_key(|record| -record["generation"].as_i64().unwrap_or_default());
    all
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}
