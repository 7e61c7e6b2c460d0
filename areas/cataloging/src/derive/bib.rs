//! A bibliographic record and its instance.

use octavo_boxed::boxed;
use octavo_inventory::app::store_instance::{create_with, replace_with};
use octavo_inventory::app::unguarded;
use octavo_library::SourceRecordId;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::fetch_locked;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::merge::{kept_of_instance, merged};
use super::own_fields::{
    drop_own_number, is_own, keep_number, normalize_oclc, take_control_number,
};
use super::source::{Described, held, store_generation};
use super::{Change, Derived, ForeignNumber, Refusal, titles};
use octavo_records::Context;

/// Creates an instance and its source record. The instance gets a new HRID.
///
/// # Errors
/// When the rules make no instance of the record, or its id is taken.
#[boxed]
pub async fn create_bib(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let record = prepared(&change, None);
    let (mut instance, problems) = change.map(&record);
    let links = titles::take(&mut instance);
    for property in ["hrid", "_version", "metadata", "id"] {
        instance.shift_remove(property);
    }
    change.set_over(&mut instance);
    instance.insert("source".to_owned(), json!("MARC"));
    if let Some(id) = change.entity_id {
        instance.insert("id".to_owned(), json!(id));
    }
    follow_leader(&mut instance, &record);
    refuse_untitled(&instance, &problems)?;
    let (id, stored) = create_with(transaction, context, Value::Object(instance)).await?;
    titles::store(context, transaction, id, links).await?;
    let stored: Value = serde_json::from_slice(&stored).unwrap_or_default();
    let described = Described {
        kind: RecordKind::Bib,
        id,
        hrid: text(&stored, "hrid"),
        hidden: is(&stored, "discoverySuppress"),
    };
    let record = (record, problems);
    store_generation(context, transaction, &change, record, described, None).await
}

/// Updates an instance by a record, which may be its first. Properties that MARC does not control stay.
///
/// # Errors
/// When there is no such instance, it or its record is not as expected, or the rules make no instance of
/// the record.
#[boxed]
pub async fn update_bib(
    context: &Context<'_>,
    transaction: &Transaction,
    mut change: Change,
) -> Result<Derived, Refusal> {
    let id = change.entity_id.ok_or(Refusal::Unnamed("instance"))?;
    let collection = context.collection("instance");
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
    let old = old.ok_or(Refusal::NotFound {
        what: "Instance",
        id,
    })?;
    refuse_version(&change, &old, id)?;
    let current = held(context, transaction, RecordKind::Bib, id, change.expected).await?;
    if is(&old, "deleted") && !change.undeletes {
        change.record.leader.set(5, 'd');
    }
    let hrid = text(&old, "hrid").to_owned();
    let record = prepared(&change, Some(&hrid));
    let (mut mapped, problems) = change.map(&record);
    let links = titles::take(&mut mapped);
    let mut instance = merged(&old, mapped, kept_of_instance());
    change.set_over(&mut instance);
    instance.insert("source".to_owned(), json!("MARC"));
    follow_leader(&mut instance, &record);
    refuse_untitled(&instance, &problems)?;
    let hidden = instance.get("discoverySuppress") == Some(&json!(true));
    let inventory = *context;
    let instance = Value::Object(instance);
    replace_with(transaction, &inventory, id, instance, unguarded).await?;
    titles::store(context, transaction, id, links).await?;
    let described = Described {
        kind: RecordKind::Bib,
        id,
        hrid: &hrid,
        hidden,
    };
    let record = (record, problems);
    store_generation(context, transaction, &change, record, described, current).await
}

/// The record without the catalogue's own fields; its foreign number is moved to 035.
fn prepared(change: &Change, hrid: Option<&str>) -> Record {
    let mut record = change.record.clone();
    let is_ours = hrid.is_some() && change.record.control("001").map(str::trim) == hrid;
    let number = take_control_number(&mut record);
    if let Some(hrid) = hrid {
        drop_own_number(&mut record, hrid);
    } else {
        record.fields.retain(|field| !is_own(field));
    }
    let foreign = number.filter(|_| !is_ours);
    if let (Some(number), ForeignNumber::Keep) = (foreign, change.foreign_number) {
        keep_number(&mut record, number);
    }
    normalize_oclc(&mut record);
    record
}

/// A leader with status "deleted" hides the instance; another status undeletes it.
fn follow_leader(instance: &mut Map<String, Value>, record: &Record) {
    let deleted = record.leader.status() == 'd';
    instance.insert("deleted".to_owned(), json!(deleted));
    if deleted {
        for property in ["staffSuppress", "discoverySuppress"] {
            instance.insert(property.to_owned(), json!(true));
        }
    }
}

fn refuse_untitled(
    instance: &Map<String, Value>,
    problems: &[octavo_mapping::Problem],
) -> Result<(), Refusal> {
    let title = instance.get("title").and_then(Value::as_str);
    if title.is_some_and(|title| !title.trim().is_empty()) {
        return Ok(());
    }
    let reason = problems.first().map(|problem| problem.reason.as_str());
    let reason = reason.unwrap_or("the record has no title");
    Err(Refusal::Unmapped(format!(
        "Mapped Instance is invalid: Field 'title' is a required field and can not be null: {reason}"
    )))
}

/// Refuses a change of an outdated version.
pub(super) fn refuse_version(change: &Change, old: &Value, id: Uuid) -> Result<(), Refusal> {
    let Some(sent) = change.expected.version else {
        return Ok(());
    };
    let stored = old
        .get("_version")
        .and_then(Value::as_i64)
        .unwrap_or_default();
    if stored == sent {
        return Ok(());
    }
    let id = change.expected.record_id.map_or(id, SourceRecordId::uuid);
    Err(Refusal::Stale { id, stored, sent })
}

pub(super) fn text<'a>(document: &'a Value, property: &str) -> &'a str {
    document
        .get(property)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

pub(super) fn is(document: &Value, property: &str) -> bool {
    document.get(property) == Some(&json!(true))
}
