//! A MARC authority record and the authority that is derived from it.

use octavo_authorities::app::{Checked, replace_authority, store_authority};
use octavo_boxed::boxed;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::fetch_locked;
use serde_json::{Map, Value, json};

use super::bib::{refuse_version, text};
use super::own_fields::is_own;
use super::source::{Described, held, store_generation};
use super::{Change, Derived, Refusal};
use octavo_records::Context;

/// Creates an authority and its source record. Its control number is kept.
///
/// # Errors
/// When the rules make no authority of the record, or its id is taken.
#[boxed]
pub async fn create_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let mut record = change.record.clone();
    record.fields.retain(|field| !is_own(field));
    let (mut mapped, problems) = change.map(&record);
    for property in ["_version", "metadata", "id"] {
        mapped.shift_remove(property);
    }
    if let Some(id) = change.entity_id {
        mapped.insert("id".to_owned(), json!(id));
    }
    let authority = of_marc(&change, mapped)?;
    let (id, _) = store_authority(context, transaction, authority).await?;
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

/// Updates an authority by a record. Linked records are queued for propagation.
///
/// # Errors
/// When there is no such authority, it or its record is not as expected, or the rules map the record to
/// none.
#[boxed]
pub async fn update_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    change: Change,
) -> Result<Derived, Refusal> {
    let id = change.entity_id.ok_or(Refusal::Unnamed("authority"))?;
    let collection = context.collection("authority");
    let old = fetch_locked(transaction, context.tenant, collection, id).await?;
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
    let authority = of_marc(&change, mapped)?;
    let sources = *context;
    replace_authority(&sources, transaction, id, authority, Checked::Not).await?;
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

fn of_marc(
    change: &Change,
    mut authority: Map<String, Value>,
) -> Result<Map<String, Value>, Refusal> {
    authority.insert("source".to_owned(), json!("MARC"));
    change.set_over(&mut authority);
    let authority = Value::Object(authority);
    if text(&authority, "naturalId").is_empty() {
        return Err(Refusal::Unmapped(
            "Mapped Authority is invalid: Field 'naturalId' is a required field and can not be null"
                .to_owned(),
        ));
    }
    Ok(super::source::object(authority))
}

fn control_number(record: &Record) -> String {
    let number = record.control("001").map(str::trim);
    number.unwrap_or_default().to_owned()
}
