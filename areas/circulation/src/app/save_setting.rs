//! Stores a setting of circulation: an existing name gets the new value.

use octavo_records::store::{insert, replace};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value};

use super::Desk;
use crate::store::settings::held_by_name;

const TABLE: &str = "circulation_settings";

/// Stores a checked setting, or updates the one of its name. Returns the setting with the sent id, as in
/// FOLIO.
///
/// # Errors
/// When the id belongs to another setting.
pub async fn save_setting(
    desk: Desk<'_>,
    setting: &Map<String, Value>,
) -> Result<Map<String, Value>, StoreError> {
    retried(|| attempt(desk, setting)).await?;
    Ok(setting.clone())
}

async fn attempt(desk: Desk<'_>, setting: &Map<String, Value>) -> Result<(), StoreError> {
    let (tenant, collection) = (desk.tenant, desk.collection(TABLE));
    let transaction = desk.store.database.transaction().await?;
    let name = setting.get("name").and_then(Value::as_str);
    let held = held_by_name(&transaction, desk.tables(), name.unwrap_or_default()).await?;
    match held {
        Some((id, mut stored)) => {
            let value = setting.get("value").cloned().unwrap_or_default();
            stored.insert("value".to_owned(), value);
            replace(&transaction, tenant, collection, id, &stored, &desk.stamp).await?;
        }
        None => {
            let new = setting.clone();
            match insert(&transaction, tenant, collection, new, &desk.stamp).await {
                // A concurrent request stored this name: the retry finds it.
                Err(StoreError::Duplicate { field, .. }) if field.contains("'name'") => {
                    return Err(StoreError::Contended);
                }
                outcome => outcome?,
            };
        }
    }
    transaction.commit().await?;
    Ok(())
}
