//! Renames date types; a library may change nothing else of them.

use octavo_boxed::boxed;
use octavo_records::store::{fetch_locked, replace};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Context, Refusal, object_of};
use crate::rules::form::unrecognized;

/// Renames a date type.
///
/// # Errors
/// When there is none, or the form has no name or something else.
#[boxed]
pub async fn rename_date_type(
    context: &Context<'_>,
    id: Uuid,
    form: &Value,
) -> Result<(), Refusal> {
    let name = name(form)?;
    let collection = context.collection("instance_date_type");
    let transaction = context.store.database.transaction().await?;
    let old = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let mut date_type = object_of(id, old.ok_or(super::refusal::NOT_FOUND)?);
    date_type.insert("name".to_owned(), json!(name));
    replace(
        &transaction,
        context.tenant,
        collection,
        id,
        &date_type,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}

fn name(form: &Value) -> Result<&str, Refusal> {
    let Value::Object(properties) = form else {
        return Err(Refusal::property("must be of type object", "", ""));
    };
    if let Some((sentence, other)) = unrecognized(properties, &["name"]) {
        return Err(Refusal::property(sentence, other, ""));
    }
    match properties.get("name") {
        Some(Value::String(name)) if !name.trim().is_empty() => Ok(name),
        Some(Value::String(_)) | Some(Value::Null) | None => {
            Err(Refusal::property("must not be null", "name", "null"))
        }
        Some(_) => Err(Refusal::property("must be of type string", "name", "")),
    }
}
