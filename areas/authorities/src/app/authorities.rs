//! Stores, replaces and deletes authorities inside the caller's transaction. Changes of headings are
//! recorded for the report, and queued for propagation to linked records.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{Replaced, delete, fetch_locked, insert, replace};
use octavo_source_records::app::IdType;
use octavo_source_records::app::mark_deleted::mark_deleted;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::propagation::line_up;
use super::{Context, Refusal};
use crate::collections::AUTHORITY;
use crate::rules::{change, headings};
use crate::store;

/// Whether the version is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// The document's `_version` must not be older than the stored one.
    Version,
    /// Not checked: the caller has locked and checked it.
    Not,
}

/// FOLIO's name of the kind.
pub(crate) const KIND: &str = "Authority";
/// Characters of a subject heading code: it is the one of 008/11.
const SUBJECT_HEADINGS_CHARS: usize = 1;

/// Stores a new authority whose MARC record, if it has one, the caller stores; returns its id and the
/// stored JSON.
///
/// # Errors
/// When it does not fit, its id is taken or its source file does not exist.
#[boxed]
pub async fn store_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    document: Map<String, Value>,
) -> Result<(Uuid, Bytes), Refusal> {
    let mut document = formed(context, document)?;
    document.insert("_version".to_owned(), json!(0));
    let authorities = context.collection(AUTHORITY);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    // A deleted authority occupies its id until it is purged from the archive.
    if let Some(id) = id_of(&document, "id")
        && store::authorities::is_archived(transaction, tenant, id).await?
    {
        return Err(ID_TAKEN);
    }
    insert(transaction, tenant, authorities, document, stamp)
        .await
        .map_err(of_store)
}

/// Replaces an authority; returns the new and the old document. Queues the propagation to linked
/// records.
///
/// # Errors
/// When there is none, of a version conflict, or as [`store_authority`].
#[boxed]
pub async fn replace_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    document: Map<String, Value>,
    checked: Checked,
) -> Result<Replaced, Refusal> {
    let mut document = formed(context, document)?;
    let authorities = context.collection(AUTHORITY);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let old = fetch_locked(transaction, tenant, authorities, id).await?;
    let Some(Value::Object(old)) = old else {
        return Err(Refusal::not_found(KIND, id));
    };
    if let Some(file) = id_of(&document, "sourceFileId")
        && !store::source_files::exists(transaction, tenant, file).await?
    {
        return Err(Refusal::not_found("Authority Source File", file));
    }
    let version =
        |record: &Map<String, Value>| record.get("_version").and_then(Value::as_i64).unwrap_or(0);
    let (stored, sent) = (version(&old), version(&document));
    if checked == Checked::Version && sent < stored {
        return Err(Refusal::Changed { id, stored, sent });
    }
    document.insert("_version".to_owned(), json!(stored + 1));
    document.insert("id".to_owned(), json!(id));
    let replaced = replace(transaction, tenant, authorities, id, &document, stamp)
        .await
        .map_err(of_store)?;
    if let Some(change) = change::between(&old, &document) {
        store::stats::add(transaction, tenant, id.into(), &change, stamp).await?;
        let unlinks = change.unlinks();
        line_up(context, transaction, id.into(), unlinks).await?;
    }
    Ok(replaced)
}

/// Deletes an authority: moves it to the archive, marks its MARC record as deleted, and queues the
/// unlinking of linked records.
#[boxed]
pub async fn delete_authority(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let authorities = context.collection(AUTHORITY);
    store::authorities::archive(transaction, tenant, id, &context.stamp).await?;
    delete(transaction, tenant, authorities, id)
        .await
        .map_err(|error| match error {
            StoreError::NotFound => Refusal::not_found(KIND, id),
            other => other.into(),
        })?;
    store::stats::forget(transaction, tenant, id.into()).await?;
    line_up(context, transaction, id.into(), true).await?;
    // Source records come last in the order of locks.
    mark_deleted(context, transaction, IdType::Authority, id).await?;
    Ok(())
}

/// The document to store: checked against its shape, with one heading, and without looked-up properties.
fn formed(
    context: &Context<'_>,
    document: Map<String, Value>,
) -> Result<Map<String, Value>, Refusal> {
    let mut document = Value::Object(document);
    let shape = &context.collection(AUTHORITY).shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    let Value::Object(mut document) = document else {
        return Ok(Map::new());
    };
    headings::keep_one(&mut document);
    match document.get("subjectHeadings").and_then(Value::as_str) {
        Some("") => {
            document.shift_remove("subjectHeadings");
        }
        Some(code) => {
            let code: String = code.chars().take(SUBJECT_HEADINGS_CHARS).collect();
            document.insert("subjectHeadings".to_owned(), json!(code));
        }
        None => {}
    }
    for (list, name) in [("identifiers", "identifierType"), ("notes", "noteType")] {
        let parts = document.get_mut(list).and_then(Value::as_array_mut);
        for part in parts.into_iter().flatten() {
            if let Value::Object(part) = part {
                part.shift_remove(name);
            }
        }
    }
    Ok(document)
}

pub(crate) fn id_of(document: &Map<String, Value>, property: &str) -> Option<Uuid> {
    Uuid::try_parse(document.get(property)?.as_str()?).ok()
}

const ID_TAKEN: Refusal = Refusal::Taken {
    message: "Authority with the given 'id' already exists.",
    code: "109",
};

fn of_store(error: StoreError) -> Refusal {
    match error {
        StoreError::Duplicate { .. } => ID_TAKEN,
        StoreError::MissingReference { .. } => Refusal::NoSuchSourceFile,
        other => other.into(),
    }
}
