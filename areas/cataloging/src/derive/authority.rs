//! A MARC authority record and the authority that is derived from it.

use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{Collection, StoreError};
use serde_json::{Map, Value, json};

use super::bib::{refuse_version, text};
use super::own_fields::is_own;
use super::source::{Described, held, object, store_generation};
use super::{Change, Derived, Refusal};
use crate::app::Context;

/// Creates an authority and its source record. Its control number stays as it came.
///
/// # Errors
/// When the product has no authorities, or the rules make none of the record.
pub async fn create_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let collection = authorities(context)?;
    let mut record = change.record.clone();
    record.fields.retain(|field| !is_own(field));
    let (mut mapped, problems) = change.map(&record);
    for property in ["_version", "metadata", "id"] {
        mapped.shift_remove(property);
    }
    if let Some(id) = change.entity_id {
        mapped.insert("id".to_owned(), json!(id));
    }
    let authority = checked(&change, collection, mapped)?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (id, _) = insert(transaction, tenant, collection, authority, stamp).await?;
    let number = control_number(&record);
    let described = Described {
        kind: RecordKind::Authority,
        id,
        hrid: &number,
        hidden: false,
    };
    let record = (record, problems);
    store_generation(context, transaction, &change, record, described, None).await
}

/// Makes a record the current one of an authority that exists.
///
/// # Errors
/// When there is no such authority, it or its record is not as expected, or the rules make none of the
/// record.
pub async fn update_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let collection = authorities(context)?;
    let id = change.entity_id.ok_or(Refusal::Unnamed("authority"))?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let old = fetch_locked(transaction, tenant, collection, id).await?;
    let old = old.ok_or(Refusal::NotFound {
        what: "Authority",
        id,
    })?;
    refuse_version(&change, &old, id)?;
    let kind = RecordKind::Authority;
    let current = held(context, transaction, kind, id, change.expected).await?;
    let record = change.record.clone();
    let (mut mapped, problems) = change.map(&record);
    for property in ["id", "_version", "metadata"] {
        match old.get(property) {
            Some(value) => mapped.insert(property.to_owned(), value.clone()),
            None => mapped.shift_remove(property),
        };
    }
    let authority = checked(&change, collection, mapped)?;
    replace(transaction, tenant, collection, id, &authority, stamp).await?;
    let number = control_number(&record);
    let described = Described {
        kind,
        id,
        hrid: &number,
        hidden: false,
    };
    let record = (record, problems);
    store_generation(context, transaction, &change, record, described, current).await
}

fn authorities<'a>(context: &Context<'a>) -> Result<&'a Collection, Refusal> {
    let collection = context.store.catalog.get("authority");
    collection
        .map(AsRef::as_ref)
        .ok_or(Refusal::NoAuthorities)
}

fn checked(
    change: &Change,
    collection: &Collection,
    mut authority: Map<String, Value>,
) -> Result<Map<String, Value>, Refusal> {
    authority.insert("source".to_owned(), json!("MARC"));
    change.set_over(&mut authority);
    let mut authority = Value::Object(authority);
    if text(&authority, "naturalId").is_empty() {
        return Err(Refusal::Unmapped(
            "Mapped Authority is invalid: Field 'naturalId' is a required field and can not be null"
                .to_owned(),
        ));
    }
    collection
        .shape
        .check(&mut authority)
        .map_err(StoreError::Invalid)?;
    Ok(object(authority))
}

fn control_number(record: &Record) -> String {
    let number = record.control("001").map(str::trim);
    number.unwrap_or_default().to_owned()
}
