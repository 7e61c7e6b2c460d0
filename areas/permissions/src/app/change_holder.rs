//! Permission users: created, replaced, deleted, and permissions assigned and removed. Concurrent
//! changes of one user wait for each other, so that no assignment is lost.

use std::collections::HashMap;

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{delete as delete_record, insert, replace as replace_record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Change, missing, names};
use crate::refusal::{Failure, Refusal};
use crate::rules::assigning::Defined;
use crate::store::Holder;
use crate::store::holders::{hold, hold_definitions};

const TABLE: &str = "permissions_users";

/// Creates a permission user from a checked document with an id; returns the stored document.
///
/// # Errors
/// When it would get what is not defined or what the operating user may not give, or the user has
/// permissions already.
#[boxed]
pub async fn create(
    change: &Change<'_>,
    mut document: Map<String, Value>,
) -> Result<Bytes, Failure> {
    let wanted = names(&document, "permissions");
    document.insert("permissions".to_owned(), json!(wanted));
    let holder = text(&document, "id");
    let transaction = change.store.database.transaction().await?;
    let defined = hold_definitions(&transaction, change.tenant, &wanted).await?;
    admit(change, &wanted, &defined, holder)?;
    change.may_give_all_of(&transaction, &wanted).await?;
    let (_, stored) = insert(
        &transaction,
        change.tenant,
        change.collection(TABLE),
        document,
        &change.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(stored)
}

/// Replaces a permission user by a checked document; returns the document as it is now.
///
/// # Errors
/// As [`create`], when there is none, and when it would hold a placeholder.
#[boxed]
pub async fn replace(
    change: &Change<'_>,
    id: Uuid,
    mut document: Map<String, Value>,
) -> Result<Map<String, Value>, Failure> {
    let wanted = names(&document, "permissions");
    document.insert("permissions".to_owned(), json!(wanted));
    document.insert("id".to_owned(), json!(id));
    document.remove("metadata");
    let transaction = change.store.database.transaction().await?;
    // Pipelined in the order of locks: definitions before permission users.
    let key = Holder::Id(id);
    let (defined, held) = tokio::try_join!(
        hold_definitions(&transaction, change.tenant, &wanted),
        hold(&transaction, change.tenant, &key),
    )?;
    if defined.iter().any(|one| one.dummy) {
        return Err(Refusal::Dummies.into());
    }
    let held = held.ok_or(Refusal::NoUser)?;
    let added = missing(&wanted, &names(&held, "permissions"));
    admit(change, &added, &defined, id.to_string())?;
    change.may_give_all_of(&transaction, &added).await?;
    store(change, &transaction, id, &document).await?;
    transaction.commit().await?;
    Ok(document)
}

/// Deletes a permission user.
#[boxed]
pub async fn delete(change: &Change<'_>, id: Uuid) -> Result<(), Failure> {
    let collection = change.collection(TABLE);
    match delete_record(&change.store.database, change.tenant, collection, id).await {
        Err(StoreError::NotFound) => Err(Refusal::NoUser.into()),
        other => Ok(other?),
    }
}

/// Assigns a permission to a permission user.
///
/// # Errors
/// When there is no such user or permission, the user has it, or the operating user may not give it.
#[boxed]
pub async fn give(change: &Change<'_>, holder: &Holder, permission: &str) -> Result<(), Failure> {
    let wanted = [permission.to_owned()];
    let transaction = change.store.database.transaction().await?;
    let (defined, held) = tokio::try_join!(
        hold_definitions(&transaction, change.tenant, &wanted),
        hold(&transaction, change.tenant, holder),
    )?;
    let mut held = held.ok_or(Refusal::NoUser)?;
    let mut all = names(&held, "permissions");
    if all.contains(&wanted[0]) {
        let (permission, holder) = (permission.to_owned(), text(&held, "id"));
        return Err(Refusal::Has { permission, holder }.into());
    }
    match defined.first() {
        None => return Err(Refusal::Undefined(permission.to_owned()).into()),
        Some(one) if one.dummy => return Err(Refusal::Dummy(permission.to_owned()).into()),
        Some(one) => change.may_give(std::iter::once(one))?,
    }
    change.may_give_all_of(&transaction, &wanted).await?;
    all.extend(wanted);
    held.insert("permissions".to_owned(), json!(all));
    finish(change, transaction, held).await
}

/// Removes a permission from a permission user.
///
/// # Errors
/// When there is no such user, or the user does not have it.
#[boxed]
pub async fn take(change: &Change<'_>, holder: &Holder, permission: &str) -> Result<(), Failure> {
    let transaction = change.store.database.transaction().await?;
    let held = hold(&transaction, change.tenant, holder).await?;
    let mut held = held.ok_or(Refusal::NoUser)?;
    let mut all = names(&held, "permissions");
    let before = all.len();
    all.retain(|name| name != permission);
    if all.len() == before {
        return Err(Refusal::HasNot(permission.to_owned()).into());
    }
    held.insert("permissions".to_owned(), json!(all));
    finish(change, transaction, held).await
}

/// Checks whether these permissions may be assigned.
fn admit(
    change: &Change<'_>,
    added: &[String],
    defined: &[Defined],
    holder: String,
) -> Result<(), Refusal> {
    // In the client's order, which decides which refusal is reported.
    let by_name: HashMap<&String, &Defined> = defined.iter().map(|one| (&one.name, one)).collect();
    change.may_give(added.iter().filter_map(|name| by_name.get(name).copied()))?;
    let unknown = added.iter().filter(|name| !by_name.contains_key(name));
    let names: Vec<String> = unknown.cloned().collect();
    match names.is_empty() {
        true => Ok(()),
        false => Err(Refusal::UnknownToUser { names, holder }),
    }
}

async fn finish(
    change: &Change<'_>,
    transaction: Transaction,
    document: Map<String, Value>,
) -> Result<(), Failure> {
    let id = Uuid::try_parse(&text(&document, "id")).map_err(|error| StoreError::fault(error))?;
    store(change, &transaction, id, &document).await?;
    Ok(transaction.commit().await?)
}

async fn store(
    change: &Change<'_>,
    transaction: &Transaction,
    id: Uuid,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let collection = change.collection(TABLE);
    let stamp = &change.stamp;
    replace_record(transaction, change.tenant, collection, id, document, stamp).await?;
    Ok(())
}

fn text(document: &Map<String, Value>, property: &str) -> String {
    let text = document.get(property).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}
