//! Self-registrations of people who are not users yet.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::{insert, replace};
use serde_json::Value;
use uuid::Uuid;

use super::{Refusal, UserContext, object};
use crate::rules::staging;
use crate::store::staging::by_identifier;

/// Stores a registration under a new identifier; returns its JSON.
#[boxed]
pub async fn register(context: &UserContext<'_>, document: Value) -> Result<Bytes, Refusal> {
    let collection = context.collection("staging_users");
    let mut registration = checked(context, document)?;
    staging::complete(&mut registration, Uuid::new_v4());
    let database = &context.store.database;
    let stamp = &context.stamp;
    let (_, stored) = insert(database, context.tenant, collection, registration, stamp).await?;
    Ok(stored)
}

/// Updates a registration; returns its JSON.
///
/// # Errors
/// When there is none of this identifier, it does not fit.
#[boxed]
pub async fn change_registration(
    context: &UserContext<'_>,
    identifier: &str,
    document: Value,
) -> Result<Bytes, Refusal> {
    let given = checked(context, document)?;
    let transaction = context.store.database.transaction().await?;
    let found = by_identifier(&transaction, context.tenant, identifier).await?;
    let (id, stored) = found.ok_or_else(|| Refusal::NotFound {
        kind: "staging user",
        id: identifier.to_owned(),
    })?;
    let updated = staging::updated(&object(stored), &Value::Object(given));
    let collection = context.collection("staging_users");
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let replaced = replace(&transaction, tenant, collection, id, &updated, stamp).await?;
    transaction.commit().await?;
    Ok(replaced.new)
}

fn checked(
    context: &UserContext<'_>,
    mut document: Value,
) -> Result<serde_json::Map<String, Value>, Refusal> {
    let shape = &context.collection("staging_users").shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    Ok(object(document))
}
