//! The source record: a new generation of it, and its mark of deletion.

use octavo_authorities::app::delete_authority;
use octavo_boxed::boxed;
use octavo_library::SourceRecordId;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::{delete as delete_record, fetch_locked, replace};
use octavo_source_records::app::mark_deleted::mark_deleted;
use octavo_source_records::app::{self as source_records, Current, IdType, hold_record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::own_fields::{set_control_number, set_last_change, set_lengths, tie};
use super::{Change, Derived, Expected, Refusal};
use octavo_records::Context;

/// The record that a source record describes.
pub(super) struct Described<'a> {
    pub kind: RecordKind,
    pub id: Uuid,
    /// Its human-readable id; an authority's is its control number.
    pub hrid: &'a str,
    /// Whether it is hidden from discovery.
    pub hidden: bool,
}

/// The current source record of a locked record, locked too, and checked against the caller's
/// expectation.
pub(super) async fn held(
    context: &Context<'_>,
    transaction: &Transaction,
    kind: RecordKind,
    entity: Uuid,
    expected: Expected,
) -> Result<Option<Current>, Refusal> {
    let current = hold_record(context, transaction, id_type(kind), entity).await?;
    if let Some(current) = &current {
        refuse_stale(current, expected)?;
    }
    Ok(current)
}

fn refuse_stale(current: &Current, expected: Expected) -> Result<(), Refusal> {
    let stored = current.generation();
    let stale = |id: SourceRecordId, sent| Refusal::Stale {
        id: id.uuid(),
        stored,
        sent,
    };
    let id = expected.record_id.unwrap_or(current.id);
    match expected.generation {
        Some(sent) if sent != stored => Err(stale(id, sent)),
        // An older generation's id means an outdated version.
        None if id != current.id => Err(stale(id, stored - 1)),
        _ => Ok(()),
    }
}

/// Stores the record as the next generation.
pub(super) async fn store_generation(
    context: &Context<'_>,
    transaction: &Transaction,
    change: &Change,
    (mut record, problems): (Record, Vec<octavo_mapping::Problem>),
    described: Described<'_>,
    current: Option<Current>,
) -> Result<Derived, Refusal> {
    let record_id = change.record_id.unwrap_or_else(|| Uuid::new_v4().into());
    let known = current.as_ref().and_then(Current::matched_id);
    let matched_id = known.unwrap_or(record_id.into());
    let raw = raw(change, &record, current.as_ref());
    if described.kind != RecordKind::Authority {
        set_control_number(&mut record, described.hrid);
    }
    tie(&mut record, described.id, matched_id);
    if change.dated {
        set_last_change(&mut record, context.stamp.at);
    }
    set_lengths(&mut record);
    let deleted = record.leader.status() == 'd';
    let (kind, id_property, hrid_property) = names(described.kind);
    let mut external = Map::new();
    external.insert(id_property.to_owned(), json!(described.id));
    if !described.hrid.is_empty() {
        external.insert(hrid_property.to_owned(), json!(described.hrid));
    }
    let hidden = change.suppress_discovery.unwrap_or(described.hidden) || deleted;
    let order = change.order.map(Value::from);
    let order = order.or_else(|| Some(current.as_ref()?.document.get("order")?.clone()));
    let document = json!({
        "id": record_id,
        "snapshotId": change.snapshot_id,
        "matchedId": matched_id,
        "recordType": kind,
        "rawRecord": {"id": record_id, "content": raw},
        "parsedRecord": {"id": record_id, "content": record.to_json()},
        "deleted": deleted,
        "order": order.unwrap_or_else(|| json!(0)),
        "externalIdsHolder": external,
        "additionalInfo": {"suppressDiscovery": hidden},
        "state": if deleted { "DELETED" } else { "ACTUAL" },
    });
    let sources = *context;
    let stored = source_records::store_generation(&sources, transaction, document).await?;
    Ok(Derived {
        entity_id: described.id,
        hrid: described.hrid.to_owned(),
        record_id: stored.id,
        matched_id: stored.matched_id,
        generation: stored.generation,
        record,
        problems,
    })
}

/// The raw record: of this change, else of the last generation.
fn raw(change: &Change, record: &Record, current: Option<&Current>) -> String {
    let kept = || current?.document.get("rawRecord")?.get("content")?.as_str();
    let raw = change.raw.as_deref().or_else(kept);
    raw.map_or_else(|| record.to_json().to_string(), str::to_owned)
}

/// The source record's property for the described record's id.
pub(crate) fn id_type(kind: RecordKind) -> IdType {
    match kind {
        RecordKind::Bib => IdType::Instance,
        RecordKind::Holdings => IdType::Holdings,
        RecordKind::Authority => IdType::Authority,
    }
}

/// FOLIO's names: of the kind, of the id, of the human-readable id.
fn names(kind: RecordKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        RecordKind::Bib => ("MARC_BIB", "instanceId", "instanceHrid"),
        RecordKind::Holdings => ("MARC_HOLDING", "holdingsId", "holdingsHrid"),
        RecordKind::Authority => ("MARC_AUTHORITY", "authorityId", "authorityHrid"),
    }
}

/// Deletes the described record and marks the source record as deleted. An instance is only marked as
/// deleted and hidden; a holdings record or an authority is removed.
///
/// # Errors
/// When there is none, or others refer to it.
#[boxed]
pub async fn delete(
    context: &Context<'_>,
    transaction: &Transaction,
    kind: RecordKind,
    id: Uuid,
) -> Result<(), Refusal> {
    let (table, what) = match kind {
        RecordKind::Bib => ("instance", "Instance"),
        RecordKind::Holdings => ("holdings_record", "Holdings"),
        RecordKind::Authority => ("authority", "Authority"),
    };
    let collection = context.collection(table);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let old = fetch_locked(transaction, tenant, collection, id).await?;
    let old = old.ok_or(Refusal::NotFound { what, id })?;
    if kind == RecordKind::Authority {
        // This marks its source record too.
        delete_authority(context, transaction, id).await?;
        return Ok(());
    }
    if kind == RecordKind::Bib {
        let mut instance = object(old);
        for property in ["deleted", "discoverySuppress", "staffSuppress"] {
            instance.insert(property.to_owned(), json!(true));
        }
        replace(transaction, tenant, collection, id, &instance, stamp).await?;
    } else {
        delete_record(transaction, tenant, collection, id).await?;
    }
    mark_deleted(context, transaction, id_type(kind), id).await?;
    Ok(())
}

/// The properties of an object.
pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
