//! Entries of reference lists that have rules of their own: who made them, and what their id is.

use bytes::Bytes;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{delete, fetch_locked, insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal, Wrong, checked, object, object_of};
use crate::rules::list_entry::{self, EntryRefusal};

/// Stores a new entry; gives its id and the stored JSON.
///
/// # Errors
/// When it does not fit, claims to be another's, or its name or code is taken.
pub async fn create_entry(
    context: &Context<'_>,
    table: &'static str,
    document: Value,
) -> Result<(Uuid, Bytes), Refusal> {
    let collection = context.collection(table);
    let entry = checked(collection, document)?;
    if let Some(refusal) = list_entry::on_create(table, &entry) {
        return Err(refused(refusal, &entry));
    }
    let (database, stamp) = (&context.store.database, &context.stamp);
    let created = insert(database, context.tenant, collection, object(entry), stamp).await;
    created.map_err(|error| about_name(table, error))
}

/// Replaces an entry, which is held while it is decided whether it may be.
///
/// # Errors
/// As [`create_entry`], and when there is none, or it is not the library's to change.
pub async fn replace_entry(
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
    mut document: Value,
) -> Result<(), Refusal> {
    let collection = context.collection(table);
    collection.settle_id(id, &mut document);
    let entry = checked(collection, document)?;
    let transaction = context.store.database.transaction().await?;
    let old = held(&transaction, context, table, id).await?;
    if let Some(refusal) = list_entry::on_replace(table, id, &entry, &old) {
        return Err(refused(refusal, &entry));
    }
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(
        &transaction,
        tenant,
        collection,
        id,
        &object_of(id, entry),
        stamp,
    )
    .await
    .map_err(|error| about_name(table, error))?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes an entry.
///
/// # Errors
/// When there is none, it is not the library's to delete, or a record refers to it.
pub async fn delete_entry(
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let old = held(&transaction, context, table, id).await?;
    if let Some(refusal) = list_entry::on_delete(table, &old) {
        return Err(refused(refusal, &old));
    }
    delete(&transaction, context.tenant, context.collection(table), id).await?;
    transaction.commit().await?;
    Ok(())
}

async fn held(
    transaction: &Transaction,
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
) -> Result<Value, Refusal> {
    let collection = context.collection(table);
    let found = fetch_locked(transaction, context.tenant, collection, id).await?;
    found.ok_or(Refusal::Missing(list_entry::missing(table)))
}

fn refused(refusal: EntryRefusal, entry: &Value) -> Refusal {
    let text = |property: &str| {
        entry
            .get(property)
            .and_then(Value::as_str)
            .unwrap_or("null")
    };
    match refusal {
        EntryRefusal::Source(sentence) => Refusal::property(sentence, "source", text("source")),
        EntryRefusal::Plain(sentence) => Refusal::Forbidden(sentence.to_owned()),
        EntryRefusal::OtherId(name, sentence) => Refusal::Illegal(Wrong {
            code: "-1",
            message: sentence.to_owned(),
            about: vec![(name.to_owned(), Some(text("id").to_owned()))],
        }),
    }
}

/// FOLIO has an error of its own for a holdings type whose name is taken.
fn about_name(table: &str, error: StoreError) -> Refusal {
    match error {
        StoreError::Duplicate { .. } if table == "holdings_type" => Refusal::Listed(vec![Wrong {
            code: "name.duplicate",
            message: "Cannot create/update entity; name is not unique".to_owned(),
            about: vec![("fieldLabel".to_owned(), Some("name".to_owned()))],
        }]),
        other => other.into(),
    }
}
