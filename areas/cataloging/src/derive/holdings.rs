//! A MARC holdings record and the holdings record that is derived from it.

use octavo_boxed::boxed;
use octavo_inventory::app::store_holdings::{IfMissing, create_with, replace_with};
use octavo_inventory::app::unguarded;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, fetch_shared};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::bib::{is, refuse_version, text};
use super::merge::{kept_of_holdings, merged};
use super::own_fields::{is_own, set_control_number, take_control_number};
use super::source::{Described, held, store_generation};
use super::{Change, Derived, Refusal};
use crate::store::entities;
use octavo_records::Context;

/// FOLIO's id of the holdings source "MARC", which every tenant starts with.
const MARC_SOURCE: &str = "036ee84a-6afd-4c3c-9ad3-4a12ab875f59";

/// Creates a holdings record and its source record, for the instance whose human-readable id is in
/// 004 or that `set` names.
///
/// # Errors
/// When there is no such instance, or the rules make no holdings record of it: without a location, for
/// one.
#[boxed]
pub async fn create_holdings(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let record = prepared(&change);
    let (mut holdings, problems) = change.map(&numbered(&record, change.record.control("001")));
    for property in ["hrid", "_version", "metadata", "id"] {
        holdings.shift_remove(property);
    }
    change.set_over(&mut holdings);
    if let Some(id) = change.entity_id {
        holdings.insert("id".to_owned(), json!(id));
    }
    if !change.set.contains_key("instanceId") {
        let instance = instance_of(context, transaction, &record).await?;
        holdings.insert("instanceId".to_owned(), json!(instance));
    }
    let instance = holdings.get("instanceId").and_then(Value::as_str);
    if let Some(instance) = instance.and_then(|id| Uuid::try_parse(id).ok()) {
        // Lock order: the instance before the holdings record.
        let instances = context.collection("instance");
        fetch_shared(transaction, context.tenant, instances, instance).await?;
    }
    of_marc(context, transaction, &mut holdings).await?;
    refuse_unplaced(&holdings, &problems)?;
    let holdings = Value::Object(holdings);
    let (id, stored) = create_with(transaction, context, holdings).await?;
    let stored: Value = serde_json::from_slice(&stored).unwrap_or_default();
    let described = Described {
        kind: RecordKind::Holdings,
        id,
        hrid: text(&stored, "hrid"),
        hidden: is(&stored, "discoverySuppress"),
    };
    let record = (record, problems);
    store_generation(context, transaction, &change, record, described, None).await
}

/// Updates a holdings record by a record. Its items are updated too; properties that MARC does not
/// control stay.
///
/// # Errors
/// When there is no such record, it or its source record is not as expected, or the rules make no
/// holdings record of it.
#[boxed]
pub async fn update_holdings(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let id = change.entity_id.ok_or(Refusal::Unnamed("holdings"))?;
    let collection = context.collection("holdings_record");
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
    let old = old.ok_or(Refusal::NotFound {
        what: "Holdings",
        id,
    })?;
    refuse_version(&change, &old, id)?;
    let kind = RecordKind::Holdings;
    let current = held(context, transaction, kind, id, change.expected).await?;
    let hrid = text(&old, "hrid").to_owned();
    let record = prepared(&change);
    let (mapped, problems) = change.map(&numbered(&record, Some(&hrid)));
    let mut holdings = merged(&old, mapped, kept_of_holdings());
    change.set_over(&mut holdings);
    if !change.set.contains_key("instanceId") {
        let instance = match number_of_instance(&record) {
            Some(_) => json!(instance_of(context, transaction, &record).await?),
            None => old["instanceId"].clone(),
        };
        holdings.insert("instanceId".to_owned(), instance);
    }
    of_marc(context, transaction, &mut holdings).await?;
    refuse_unplaced(&holdings, &problems)?;
    let hidden = holdings.get("discoverySuppress") == Some(&json!(true));
    let (inventory, holdings) = (*context, Value::Object(holdings));
    let refuse = IfMissing::Refuse;
    replace_with(transaction, &inventory, id, holdings, refuse, unguarded).await?;
    let described = Described {
        kind,
        id,
        hrid: &hrid,
        hidden,
    };
    let record = (record, problems);
    store_generation(context, transaction, &change, record, described, current).await
}

/// The record without control numbers; a foreign number of a holdings record is dropped.
fn prepared(change: &Change) -> Record {
    let mut record = change.record.clone();
    take_control_number(&mut record);
    if change.entity_id.is_none() {
        record.fields.retain(|field| !is_own(field));
    }
    record
}

/// The record with a control number, which may be provisional: the default rules derive the holdings
/// type from the leader only if there is a 001, and a new record gets its HRID only afterwards.
fn numbered(record: &Record, number: Option<&str>) -> Record {
    let mut record = record.clone();
    set_control_number(&mut record, number.unwrap_or_default());
    record
}

fn number_of_instance(record: &Record) -> Option<&str> {
    record
        .control("004")
        .map(str::trim)
        .filter(|number| !number.is_empty())
}

async fn instance_of(
    context: &Context<'_>,
    transaction: &Transaction,
    record: &Record,
) -> Result<Uuid, Refusal> {
    let hrid = number_of_instance(record).ok_or(Refusal::Without004)?;
    let found = entities::instances_of_hrid(transaction, context.tables(), hrid).await?;
    match found.as_slice() {
        [id] => Ok(*id),
        _ => Err(Refusal::NoInstance {
            hrid: hrid.to_owned(),
            tenant: context.tenant.id().to_owned(),
        }),
    }
}

/// Marks the holdings record as controlled by MARC.
async fn of_marc(
    context: &Context<'_>,
    transaction: &Transaction,
    holdings: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    let tables = context.tables();
    let named = entities::id_named(transaction, tables, "holdings_records_source", "MARC").await?;
    let source = named.map_or_else(|| json!(MARC_SOURCE), |id| json!(id));
    holdings.insert("sourceId".to_owned(), source);
    Ok(())
}

fn refuse_unplaced(
    holdings: &Map<String, Value>,
    problems: &[octavo_mapping::Problem],
) -> Result<(), Refusal> {
    if holdings.contains_key("permanentLocationId") {
        return Ok(());
    }
    let reason = problems.first().map(|problem| problem.reason.as_str());
    let reason = reason.unwrap_or("852 $b holds no code of a location");
    Err(Refusal::Unmapped(format!(
        "Mapped Holdings is invalid: Field 'permanentLocationId' is a required field and can not \
         be null: {reason}"
    )))
}
