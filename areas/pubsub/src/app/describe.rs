//! Describes event types, and forgets them.

use octavo_boxed::boxed;
use octavo_records::Context;
use serde_json::Value;

use super::Outcome;
use crate::rules::Refusal;
use crate::rules::descriptor::{complete, is_same, is_temporary};
use crate::store::{event_types, registered};

/// Describes a type: the same once more changes nothing, and one that stands in is replaced.
///
/// # Errors
/// When the type has another descriptor.
#[boxed]
pub async fn describe(context: &Context<'_>, name: &str, sent: &Value) -> Outcome<Value> {
    let descriptor = complete(sent);
    let tables = context.tables();
    let transaction = context.store.database.transaction().await?;
    if !event_types::add(&transaction, tables, name, &descriptor).await? {
        let stored = event_types::one(&transaction, tables, name).await?;
        let stored = stored.unwrap_or_default();
        if is_temporary(&stored) {
            event_types::replace(&transaction, tables, name, &descriptor).await?;
        } else if !is_same(&stored, &descriptor) {
            let event_type = name.to_owned();
            return Err(Refusal::OtherContent { event_type, stored }.into());
        }
    }
    transaction.commit().await?;
    Ok(descriptor)
}

/// Describes a type anew.
///
/// # Errors
/// When there is none.
#[boxed]
pub async fn redescribe(context: &Context<'_>, name: &str, sent: &Value) -> Outcome<Value> {
    let descriptor = complete(sent);
    let database = &context.store.database;
    match event_types::replace(database, context.tables(), name, &descriptor).await? {
        true => Ok(descriptor),
        false => Err(Refusal::NotUpdated(name.to_owned()).into()),
    }
}

/// Forgets a type.
///
/// # Errors
/// When there is none, or modules are registered for it.
#[boxed]
pub async fn forget(context: &Context<'_>, name: &str) -> Outcome<()> {
    let tables = context.tables();
    let transaction = context.store.database.transaction().await?;
    let modules = registered::ids_of_type(&transaction, tables, name).await?;
    if !modules.is_empty() {
        let event_type = name.to_owned();
        return Err(Refusal::InUse {
            event_type,
            modules,
        }
        .into());
    }
    if !event_types::delete(&transaction, tables, name).await? {
        return Err(Refusal::NotDeleted(name.to_owned()).into());
    }
    transaction.commit().await?;
    Ok(())
}
