//! Source files: created, changed, deleted, and the next HRID of a local one.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{delete, fetch, fetch_locked, insert, replace};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::authorities::id_of;
use super::{Context, Refusal};
use crate::collections::SOURCE_FILE;
use crate::rules::source_file::{self, Wrong};
use crate::store::source_files as store;

/// FOLIO's name of the kind.
const KIND: &str = "Authority Source File";
/// Maximal length of a code at the beginning of a natural id.
const CODE_CHARS_MAX: usize = 25;

impl From<Wrong> for Refusal {
    fn from(wrong: Wrong) -> Refusal {
        Refusal::Invalid {
            message: wrong.message,
            parameters: wrong.parameters,
        }
    }
}

/// A source file found by a prefix of natural ids.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceFile {
    pub id: Uuid,
    /// The code that the natural id begins with.
    pub code: String,
    /// The stored document.
    pub document: Value,
}

/// The file whose code is all the letters that a natural id begins with: `n79021425` is of the file
/// with the code `n`, `no2001` of the one with `no`.
#[boxed]
pub async fn source_file_by_prefix(
    context: &Context<'_>,
    executor: &dyn Executor,
    natural_id: &str,
) -> Result<Option<SourceFile>, StoreError> {
    let letters: String = natural_id
        .chars()
        .take_while(|one| one.is_alphabetic())
        .take(CODE_CHARS_MAX)
        .collect();
    if letters.is_empty() {
        return Ok(None);
    }
    let found = store::of_codes(executor, context.tenant, &[&letters]).await?;
    Ok(found.map(|(id, code, document)| SourceFile { id, code, document }))
}

/// Creates a local file; returns its id and the stored JSON.
///
/// # Errors
/// When it is invalid, or its name, address or code is taken.
#[boxed]
pub async fn create(
    context: &Context<'_>,
    form: &Map<String, Value>,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection(SOURCE_FILE);
    let mut file = Value::Object(source_file::local(form)?);
    collection
        .shape
        .check(&mut file)
        .map_err(StoreError::Invalid)?;
    let transaction = context.store.database.transaction().await?;
    // Before the check: two clients could otherwise both find a name or code free.
    store::hold_all(&transaction, context.tenant).await?;
    free(context, &transaction, &file, None).await?;
    let (id, _) = stored(context, &transaction, file.clone()).await?;
    let start = file["hridManagement"]["startNumber"].as_i64().unwrap_or(1);
    store::number_from(&transaction, context.tenant, id, start).await?;
    let stored = fetch(&transaction, context.tenant, collection, id).await?;
    transaction.commit().await?;
    let stored = stored.ok_or(StoreError::NotFound)?;
    Ok((id, Bytes::from(stored.to_string())))
}

async fn stored(
    context: &Context<'_>,
    transaction: &Transaction,
    file: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let Value::Object(file) = file else {
        return Err(StoreError::NotFound.into());
    };
    let collection = context.collection(SOURCE_FILE);
    let stored = insert(
        transaction,
        context.tenant,
        collection,
        file,
        &context.stamp,
    )
    .await?;
    Ok(stored)
}

/// Refuses taken names, addresses and codes.
async fn free(
    context: &Context<'_>,
    transaction: &Transaction,
    file: &Value,
    except: Option<Uuid>,
) -> Result<(), Refusal> {
    let codes = file.as_object().map(source_file::codes).unwrap_or_default();
    let taken = store::taken(transaction, context.tenant, file, &codes, except).await?;
    let (message, code) = if taken.id {
        (
            "Authority Source File with the given 'id' already exists.",
            "111",
        )
    } else if taken.name {
        (
            "Authority source file with the given 'name' already exists.",
            "104",
        )
    } else if taken.base_url {
        (
            "Authority source file with the given 'baseUrl' already exists.",
            "105",
        )
    } else if taken.code {
        (
            "Authority source file with the given 'code' already exists.",
            "106",
        )
    } else {
        return Ok(());
    };
    Err(Refusal::Taken { message, code })
}

/// Changes a file.
///
/// # Errors
/// When there is none, of a version conflict, or of an invalid change.
#[boxed]
pub async fn patch(
    context: &Context<'_>,
    id: Uuid,
    patch: &Map<String, Value>,
) -> Result<(), Refusal> {
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(SOURCE_FILE);
    let transaction = context.store.database.transaction().await?;
    store::hold_all(&transaction, tenant).await?;
    let old = fetch_locked(&transaction, tenant, collection, id).await?;
    let Some(Value::Object(old)) = old else {
        return Err(Refusal::not_found(KIND, id));
    };
    let is_used = store::is_used(&transaction, tenant, id).await?;
    source_file::may_patch(&old, patch, is_used)?;
    let (stored, sent) = (source_file::version(&old), source_file::version(patch));
    if sent < stored {
        return Err(Refusal::Changed { id, stored, sent });
    }
    let mut new = Value::Object(source_file::patched(&old, patch)?);
    collection
        .shape
        .check(&mut new)
        .map_err(StoreError::Invalid)?;
    free(context, &transaction, &new, Some(id)).await?;
    let start = |file: &Value| file["hridManagement"]["startNumber"].as_i64();
    let before = Value::Object(old);
    if let Some(from) = start(&new)
        && start(&before).is_some_and(|number| number != from)
    {
        store::number_from(&transaction, tenant, id, from).await?;
    }
    let Value::Object(document) = &new else {
        return Err(StoreError::NotFound.into());
    };
    replace(&transaction, tenant, collection, id, document, stamp).await?;
    if is_used && new["baseUrl"] != before["baseUrl"] {
        store::emit_address_change(&transaction, tenant, id, &before, &new).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes a file without authorities.
///
/// # Errors
/// When there is none, it is FOLIO's or it is used.
#[boxed]
pub async fn remove(context: &Context<'_>, id: Uuid) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let collection = context.collection(SOURCE_FILE);
    let transaction = context.store.database.transaction().await?;
    store::hold_all(&transaction, tenant).await?;
    let file = fetch_locked(&transaction, tenant, collection, id).await?;
    let Some(Value::Object(file)) = file else {
        return Err(Refusal::not_found(KIND, id));
    };
    let used = || Refusal::Invalid {
        message: "Unable to delete. Authority source file has referenced authorities".to_owned(),
        parameters: Vec::new(),
    };
    match store::uses(&transaction, tenant, id).await? {
        (true, _) => return Err(used()),
        (_, true) => return Err(ARCHIVED),
        _ => {}
    }
    if source_file::is_folio(&file) {
        let message = "Cannot delete Authority source file with source 'folio'";
        return Err(Refusal::invalid(message, "source", "FOLIO"));
    }
    delete(&transaction, tenant, collection, id)
        .await
        .map_err(|error| match error {
            // A concurrent request has added an authority.
            StoreError::StillReferenced { .. } => used(),
            other => other.into(),
        })?;
    transaction.commit().await?;
    Ok(())
}

/// FOLIO's message about a file with archived authorities.
const ARCHIVED: Refusal = Refusal::Taken {
    message: "Cannot complete operation on the entity due to it's relation with Authority Archive/Authority.",
    code: "113",
};

/// The next natural id of a local file.
///
/// # Errors
/// When there is no such file, or it has no HRIDs.
#[boxed]
pub async fn next_hrid(context: &Context<'_>, id: Uuid) -> Result<Value, Refusal> {
    let database = &context.store.database;
    let collection = context.collection(SOURCE_FILE);
    let file = fetch(database, context.tenant, collection, id).await?;
    let Some(Value::Object(file)) = file else {
        return Err(Refusal::not_found(KIND, id));
    };
    let codes = source_file::codes(&file);
    let [code] = codes.as_slice() else {
        return Err(Refusal::NoNumbers(id));
    };
    let number = store::next_number(database, context.tenant, id).await?;
    let number = number.ok_or(Refusal::NoNumbers(id))?;
    debug_assert!(id_of(&file, "id") == Some(id), "a record carries its id");
    Ok(json!({"id": id, "hrid": format!("{code}{number}")}))
}
