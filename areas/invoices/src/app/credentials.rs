//! The credentials of an export configuration: one name and password, which nothing else shows or logs.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{delete, insert, replace as replace_record};
use octavo_records::{Context, OperationError, Refusal, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::checked;
use super::upload::trust_anew;
use crate::rules::document::{self, Document};
use crate::store::exports::credentials_of;

const TABLE: &str = "export_config_credentials";

/// The credentials name another configuration than the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mismatch;

impl Refusal for Mismatch {}

type Declined = OperationError<Mismatch>;

/// The stored credentials of a configuration.
///
/// # Errors
/// When there are none.
#[boxed]
pub async fn read(context: &Context<'_>, configuration: Uuid) -> Result<Document, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let found = credentials_of(&transaction, context.tables(), configuration).await?;
    transaction.rollback().await?;
    found
        .map(|(_, document)| document)
        .ok_or(StoreError::NotFound)
}

/// Stores the credentials of a configuration.
///
/// # Errors
/// When they name another configuration, it does not exist or has credentials.
#[boxed]
pub async fn create(
    context: &Context<'_>,
    configuration: Uuid,
    sent: Value,
) -> Result<(Uuid, Bytes), Declined> {
    let document = own(context, configuration, sent)?;
    let database = &context.store.database;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    Ok(insert(database, tenant, context.collection(TABLE), document, stamp).await?)
}

/// Replaces the credentials of a configuration. A missing password stays as it is: it is never shown, so that
/// a client that changes the name does not have it.
///
/// # Errors
/// When they name another configuration, or there are none.
#[boxed]
pub async fn replace(
    context: &Context<'_>,
    configuration: Uuid,
    sent: Value,
) -> Result<(), Declined> {
    let mut document = own(context, configuration, sent)?;
    let transaction = context.store.database.transaction().await?;
    let found = credentials_of(&transaction, context.tables(), configuration).await?;
    let (id, held) = found.ok_or(StoreError::NotFound)?;
    document.insert("id".to_owned(), json!(id));
    if !document.contains_key("password") {
        document::set(&mut document, "password", held.get("password").cloned());
    }
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace_record(&transaction, tenant, collection, id, &document, stamp).await?;
    trust_anew(context, &transaction, configuration).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes the credentials of a configuration.
///
/// # Errors
/// When there are none.
#[boxed]
pub async fn remove(context: &Context<'_>, configuration: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let found = credentials_of(&transaction, context.tables(), configuration).await?;
    let (id, _) = found.ok_or(StoreError::NotFound)?;
    delete(&transaction, context.tenant, context.collection(TABLE), id).await?;
    trust_anew(context, &transaction, configuration).await?;
    transaction.commit().await?;
    Ok(())
}

fn own(context: &Context<'_>, configuration: Uuid, sent: Value) -> Result<Document, Declined> {
    let document = checked(context, TABLE, sent)?;
    match document::id(&document, "exportConfigId") == Some(configuration) {
        true => Ok(document),
        false => Err(Mismatch.into()),
    }
}
