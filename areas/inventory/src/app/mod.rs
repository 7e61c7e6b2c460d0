//! The operations of inventory, one a file. They know records and rules, and nothing of HTTP.

pub mod bind;
pub mod change_setting;
pub mod create_instances;
mod cross_module_updates;
pub mod delete_reference;
mod follow_holdings;
mod following;
pub mod jobs;
pub mod keep_list;
pub mod keep_marc;
pub mod link_instance;
pub mod manage_holdings;
pub mod manage_instances;
pub mod manage_items;
pub mod mark_item;
pub mod move_holdings;
pub mod move_items;
pub mod number_records;
pub mod publish_records;
mod refusal;
pub mod relate_instances;
pub mod rename_date_type;
mod statistical_codes;
pub mod store_batch;
pub mod store_holdings;
pub mod store_instance;
pub mod store_item;
pub mod store_location;
pub mod store_service_point;
pub mod succeed_titles;

pub use refusal::{Refusal, Wrong};

use octavo_records::store::fetch;
use octavo_records::{Collection, Context, Violation, new_id};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::rules::{hrid, notes, patch};

/// A rule of a caller's on top of those of the record type, on the new record and the old.
pub type Guard = fn(new: &Value, old: &Value) -> Result<(), Refusal>;

/// No further rule.
pub fn unguarded(_: &Value, _: &Value) -> Result<(), Refusal> {
    Ok(())
}

/// A stored record with the changes of a patch, which must have a `_version`. It is not held: if it
/// changes meanwhile, the version is another one when it is replaced.
async fn patched(
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
    changes: &Value,
) -> Result<Value, Refusal> {
    refusal::require_version(changes)?;
    let collection = context.collection(table);
    let old = fetch(&context.store.database, context.tenant, collection, id).await?;
    let old = old.ok_or(refusal::NOT_FOUND)?;
    Ok(patch::merged(&old, changes))
}

/// Checks a document against its record type, and against what no shape can say: notes that are too long
/// are refused, and a blank human-readable id is removed.
fn checked(collection: &Collection, mut document: Value) -> Result<Value, Refusal> {
    collection
        .shape
        .check(&mut document)
        .map_err(Refusal::violations)?;
    tidy(&mut document)?;
    Ok(document)
}

/// The same for many documents, in FOLIO's list form; each has an id afterwards.
fn all_checked(
    collection: &Collection,
    documents: Vec<Value>,
) -> Result<Vec<(Uuid, Value)>, Refusal> {
    let mut violations: Vec<Violation> = Vec::new();
    let mut all = Vec::with_capacity(documents.len());
    for (at, mut document) in documents.into_iter().enumerate() {
        if let Err(found) = collection.shape.check(&mut document) {
            violations.extend(found.into_iter().map(|one| Violation {
                path: format!("{}[{at}].{}", collection.list_key, one.path),
                ..one
            }));
            if violations.len() >= VIOLATIONS_MAX {
                break;
            }
            continue;
        }
        tidy(&mut document)?;
        let id = id_in(&document, "id").unwrap_or_else(new_id);
        if let Value::Object(document) = &mut document {
            document.insert("id".to_owned(), json!(id));
        }
        all.push((id, document));
    }
    if violations.is_empty() {
        Ok(all)
    } else {
        Err(Refusal::violations(violations))
    }
}

/// A batch is answered with about this many violations at most.
const VIOLATIONS_MAX: usize = 100;

fn tidy(document: &mut Value) -> Result<(), Refusal> {
    if let Some(long) = notes::long_note(document) {
        return Err(Refusal::long_note(&long));
    }
    if hrid::is_missing(document)
        && let Value::Object(document) = document
    {
        document.shift_remove("hrid");
    }
    Ok(())
}

/// The id that a property holds.
fn id_in(document: &Value, property: &str) -> Option<Uuid> {
    Uuid::try_parse(document.get(property)?.as_str()?).ok()
}

/// The properties of a checked document.
fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(document) => document,
        _ => Map::new(),
    }
}

/// The same, with the id that the record is stored under.
fn object_of(id: Uuid, document: Value) -> Map<String, Value> {
    let mut document = object(document);
    document.insert("id".to_owned(), json!(id));
    document
}
