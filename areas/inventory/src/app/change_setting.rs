//! Settings of inventory.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::instant;
use octavo_records::store::{emit, replace};
use serde_json::{Value, json};

use super::{Context, Refusal, object};
use crate::rules::setting;
use crate::store::settings;

/// The topic of FOLIO's events about settings.
const TOPIC: &str = "inventory.setting";

/// A setting as it is stored.
#[boxed]
pub async fn read_setting(context: &Context<'_>, key: &str) -> Result<Bytes, Refusal> {
    let found = settings::read(&context.store.database, context.tables(), key).await?;
    found.ok_or_else(|| missing(key))
}

/// Changes the value of a setting.
///
/// # Errors
/// When there is none, or the value is not of its type.
#[boxed]
pub async fn change_setting(
    context: &Context<'_>,
    key: &str,
    value: &Value,
) -> Result<(), Refusal> {
    let collection = context.collection("inventory_setting");
    let transaction = context.store.database.transaction().await?;
    let found = settings::lock(&transaction, context.tables(), key).await?;
    let (id, old) = found.ok_or_else(|| missing(key))?;
    let kind = old.get("type").and_then(Value::as_str).unwrap_or_default();
    let text = setting::stored_value(kind, value)
        .map_err(|sentence| Refusal::Forbidden(sentence.to_owned()))?;
    let mut new = object(old);
    new.insert("value".to_owned(), json!(text));
    let now = instant::format(context.stamp.at);
    new.insert("updatedDate".to_owned(), json!(now));
    if let Some(user) = context.stamp.user_id {
        new.insert("updatedByUserId".to_owned(), json!(user));
    }
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(&transaction, tenant, collection, id, &new, stamp).await?;
    let told = json!({"id": id, "key": key, "value": text, "tenantId": tenant.id()});
    emit(&transaction, tenant, TOPIC, id, "UPDATE", &told).await?;
    transaction.commit().await?;
    Ok(())
}

fn missing(key: &str) -> Refusal {
    let shown: String = key.chars().take(100).collect();
    Refusal::MissingNamed(format!("Setting not found: {shown}"))
}
