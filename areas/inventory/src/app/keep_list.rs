//! Entries of reference lists with special rules about their source and id.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::expression::{as_folio_prints, index_name};
use octavo_records::store::{delete, fetch_locked, insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::{Context, Refusal, Wrong, checked, object, object_of};
use crate::rules::list_answers::{self, Act, ListRefusal, NOTHING};
use crate::rules::list_entry::{self, EntryRefusal};

/// Stores a new entry; returns its id and the stored JSON.
///
/// # Errors
/// When it is invalid, has a reserved source, or its name or code is taken.
#[boxed]
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
    let name = entry.get("name").and_then(Value::as_str);
    let name = name.unwrap_or_default().to_owned();
    let created = insert(database, context.tenant, collection, object(entry), stamp).await;
    created.map_err(|error| refusal_of(context, table, Act::Create, &name, error))
}

/// Replaces an entry, which is locked while the rules are checked.
///
/// # Errors
/// As [`create_entry`], and when there is none, or the library may not change it.
#[boxed]
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
    let old = held(&transaction, context, table, id, Act::Replace).await?;
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
    .map_err(|error| refusal_of(context, table, Act::Replace, "", error))?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes an entry.
///
/// # Errors
/// When there is none, the library may not delete it, or a record refers to it.
#[boxed]
pub async fn delete_entry(
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let old = held(&transaction, context, table, id, Act::Delete).await?;
    if let Some(refusal) = list_entry::on_delete(table, &old) {
        return Err(refused(refusal, &old));
    }
    delete(&transaction, context.tenant, context.collection(table), id)
        .await
        .map_err(|error| refusal_of(context, table, Act::Delete, "", error))?;
    transaction.commit().await?;
    Ok(())
}

async fn held(
    transaction: &Transaction,
    context: &Context<'_>,
    table: &'static str,
    id: Uuid,
    act: Act,
) -> Result<Value, Refusal> {
    let collection = context.collection(table);
    let found = fetch_locked(transaction, context.tenant, collection, id).await?;
    found.ok_or(Refusal::Missing(list_answers::missing(table, act)))
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

/// The refusal of the store with the list's message.
pub(super) fn refusal_of(
    context: &Context<'_>,
    table: &'static str,
    act: Act,
    name: &str,
    error: StoreError,
) -> Refusal {
    let from_database = match in_its_words(context, table, &error) {
        Some(sentence) => sentence,
        None => return error.into(),
    };
    match (list_answers::refusal_for(table, act), &error) {
        (ListRefusal::Store, _) => error.into(),
        (ListRefusal::Exists(sentence), StoreError::Duplicate { .. }) => {
            Refusal::property(sentence, "name", name)
        }
        (ListRefusal::NotUnique(sentence), StoreError::Duplicate { .. }) => {
            Refusal::Listed(vec![Wrong {
                code: "name.duplicate",
                message: sentence.to_owned(),
                about: vec![("fieldLabel".to_owned(), Some("name".to_owned()))],
            }])
        }
        (ListRefusal::Database | ListRefusal::NotUnique(_), _) => Refusal::Forbidden(from_database),
        (ListRefusal::Nothing | ListRefusal::Exists(_), _) => {
            Refusal::Forbidden(NOTHING.to_owned())
        }
        (ListRefusal::Fault, _) => Refusal::AsFault(NOTHING),
    }
}

/// FOLIO's database message and detail for a taken key or a broken reference, with FOLIO's names of
/// constraints.
fn in_its_words(context: &Context<'_>, table: &'static str, error: &StoreError) -> Option<String> {
    let collection = context.collection(table);
    match error {
        StoreError::Duplicate { field, value, .. } => {
            let index = collection
                .indexes
                .iter()
                .find(|index| as_folio_prints(index) == *field);
            let constraint = index.map_or_else(
                || format!("{table}_pkey"),
                |index| index_name(collection, index),
            );
            Some(format!(
                "duplicate key value violates unique constraint \"{constraint}\": \
                 Key ({field})=({value}) already exists."
            ))
        }
        StoreError::MissingReference { field, value, .. } => {
            let column = field.rsplit('.').next().unwrap_or(field);
            let reference = collection
                .references
                .iter()
                .find(|reference| reference.column() == column)?;
            let target = &reference.table;
            Some(format!(
                "insert or update on table \"{table}\" violates foreign key constraint \
                 \"{column}_{target}_fkey\": Key ({column})=({value}) is not present in table \
                 \"{target}\"."
            ))
        }
        StoreError::StillReferenced { message, table: by } => {
            let user = context.store.catalog.get(by)?;
            let reference = user.references.iter().find(|one| one.table == table)?;
            let column = reference.column();
            let id = message.split_once(".id = ")?.1.split(' ').next()?;
            Some(format!(
                "update or delete on table \"{table}\" violates foreign key constraint \
                 \"{column}_{table}_fkey\" on table \"{by}\": Key (id)=({id}) is still referenced \
                 from table \"{by}\"."
            ))
        }
        _ => None,
    }
}
