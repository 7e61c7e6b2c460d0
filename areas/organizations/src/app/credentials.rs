//! The credentials of an interface: one name and password, which nothing else shows or logs.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{delete, insert, replace as replace_record};
use octavo_records::{Context, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Declined, Refusal};
use crate::store;

const TABLE: &str = "interface_credentials";

/// The stored credentials of an interface.
///
/// # Errors
/// When there are none.
#[boxed]
pub async fn read(context: &Context<'_>, interface: Uuid) -> Result<Bytes, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let id = store::credentials_of(&transaction, context.tables(), interface).await?;
    transaction.rollback().await?;
    let id = id.ok_or(StoreError::NotFound)?;
    let collection = context.collection(TABLE);
    let found = context.store.read(context.tenant, collection, id).await?;
    found.ok_or(StoreError::NotFound)
}

/// Stores the credentials of an interface.
///
/// # Errors
/// When they name another interface, the interface does not exist or has credentials.
#[boxed]
pub async fn create(
    context: &Context<'_>,
    interface: Uuid,
    document: Value,
) -> Result<(Uuid, Bytes), Declined> {
    let document = checked(context, interface, document)?;
    let database = &context.store.database;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    Ok(insert(database, tenant, context.collection(TABLE), document, stamp).await?)
}

/// Replaces the credentials of an interface.
///
/// # Errors
/// When they name another interface, or there are none.
#[boxed]
pub async fn replace(
    context: &Context<'_>,
    interface: Uuid,
    document: Value,
) -> Result<(), Declined> {
    let mut document = checked(context, interface, document)?;
    let transaction = context.store.database.transaction().await?;
    let id = store::credentials_of(&transaction, context.tables(), interface).await?;
    let id = id.ok_or(StoreError::NotFound)?;
    document.insert("id".to_owned(), json!(id));
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace_record(&transaction, tenant, collection, id, &document, stamp).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes the credentials of an interface.
///
/// # Errors
/// When there are none.
#[boxed]
pub async fn remove(context: &Context<'_>, interface: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let id = store::credentials_of(&transaction, context.tables(), interface).await?;
    let id = id.ok_or(StoreError::NotFound)?;
    delete(&transaction, context.tenant, context.collection(TABLE), id).await?;
    transaction.commit().await?;
    Ok(())
}

fn checked(
    context: &Context<'_>,
    interface: Uuid,
    mut document: Value,
) -> Result<Map<String, Value>, Declined> {
    let shape = context.collection(TABLE).shape.check(&mut document);
    shape.map_err(StoreError::Invalid)?;
    let named = document["interfaceId"].as_str().map(Uuid::try_parse);
    if named != Some(Ok(interface)) {
        return Err(Refusal::CredentialsMismatch.into());
    }
    match document {
        Value::Object(document) => Ok(document),
        _ => Err(StoreError::fault("checked credentials are no object").into()),
    }
}
