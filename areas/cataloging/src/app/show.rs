//! Reads the record of an instance, a holdings record or an authority in the editor's form.

use octavo_boxed::boxed;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_records::StoreError;
use octavo_source_records::app::{Current, IdType, current_records};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Context;
use super::links::show_links;
use crate::derive::own_fields::is_own;
use crate::overlay::{Protection, is_protected};
use crate::quick_marc::{format_of, write_fields, write_leader};
use crate::store::entities;

/// The current source record of this instance, holdings record or authority.
#[boxed]
pub async fn current_of(
    context: &Context<'_>,
    external: Uuid,
) -> Result<Option<Current>, StoreError> {
    let database = &context.store.database;
    let (sources, ids) = (*context, [external]);
    let found = current_records(&sources, database, IdType::External, &ids, true).await?;
    Ok(found.into_iter().max_by_key(Current::generation))
}

/// The kind of a stored source record.
#[must_use]
pub fn kind_of_source(document: &Map<String, Value>) -> Option<RecordKind> {
    match document.get("recordType")?.as_str()? {
        "MARC_BIB" => Some(RecordKind::Bib),
        "MARC_HOLDING" => Some(RecordKind::Holdings),
        "MARC_AUTHORITY" => Some(RecordKind::Authority),
        _ => None,
    }
}

/// The MARC of a stored source record; `None` if it could not be parsed.
#[must_use]
pub fn marc_of(document: &Map<String, Value>) -> Option<Record> {
    let content = document.get("parsedRecord")?.get("content")?;
    match content {
        Value::String(text) => Record::from_json(&serde_json::from_str(text).ok()?).ok(),
        content => Record::from_json(content).ok(),
    }
}

/// The record in the editor's form; `None` when there is none, or it could not be parsed.
#[boxed]
pub async fn shown(context: &Context<'_>, external: Uuid) -> Result<Option<Value>, StoreError> {
    let Some(current) = current_of(context, external).await? else {
        return Ok(None);
    };
    let document = &current.document;
    let (Some(kind), Some(record)) = (kind_of_source(document), marc_of(document)) else {
        return Ok(None);
    };
    let mut fields = write_fields(&record, kind);
    protect(context, &record, &mut fields).await?;
    if kind == RecordKind::Bib {
        show_links(context, external.into(), &mut fields).await?;
    }
    let names = match kind {
        RecordKind::Bib => "instanceHrid",
        RecordKind::Holdings => "holdingsHrid",
        RecordKind::Authority => "authorityHrid",
    };
    let mut view = json!({
        "leader": write_leader(&record.leader),
        "fields": fields,
        "suppressDiscovery": document["additionalInfo"]["suppressDiscovery"] == true,
        "marcFormat": format_of(kind),
        "parsedRecordId": current.id,
        "parsedRecordDtoId": current.matched_id().unwrap_or(current.id.into()),
        "externalId": external,
        "updateInfo": update_info(context, document).await?,
    });
    if let Some(hrid) = document
        .get("externalIdsHolder")
        .and_then(|ids| ids.get(names))
    {
        view["externalHrid"] = hrid.clone();
    }
    Ok(Some(view))
}

/// Marks the fields that are protected from imports.
async fn protect(
    context: &Context<'_>,
    record: &Record,
    fields: &mut [Value],
) -> Result<(), StoreError> {
    let settings = entities::field_protections(&context.store.database, context.tables()).await?;
    let protections: Vec<Protection> = settings.iter().map(Protection::of).collect();
    for (field, shown) in record.fields.iter().zip(fields) {
        let always = field.tag() == "001" || is_own(field);
        shown["isProtected"] = json!(always || is_protected(field, &protections));
    }
    Ok(())
}

async fn update_info(
    context: &Context<'_>,
    document: &Map<String, Value>,
) -> Result<Value, StoreError> {
    let metadata = document.get("metadata");
    let text = |property: &str| metadata?.get(property)?.as_str();
    let mut info = json!({"recordState": "ACTUAL"});
    if let Some(date) = text("updatedDate") {
        info["updateDate"] = json!(date);
    }
    let user = text("updatedByUserId").and_then(|id| Uuid::try_parse(id).ok());
    if let Some(id) = user {
        let found = entities::user(&context.store.database, context.tables(), id).await?;
        if let Some(user) = found {
            info["updatedBy"] = user_info(id, &user);
        }
    }
    Ok(info)
}

fn user_info(id: Uuid, user: &Value) -> Value {
    let mut info = json!({ "userId": id });
    let personal = &user["personal"];
    for (property, value) in [
        ("username", &user["username"]),
        ("lastName", &personal["lastName"]),
        ("firstName", &personal["firstName"]),
        ("middleName", &personal["middleName"]),
    ] {
        if value.is_string() {
            info[property] = value.clone();
        }
    }
    info
}
