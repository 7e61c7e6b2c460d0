//! The settings of mod-users. The encryption key in the setting about pictures cannot be changed, since
//! stored pictures could not be decrypted any more.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use octavo_records::store::{fetch_locked, replace};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{UserContext, object};
use crate::store::pictures;

/// Megabytes that a picture may be allowed at most.
const MEGABYTES_MAX: f64 = 10.0;

/// Why a setting is not changed.
#[derive(Debug)]
pub enum SettingRefusal {
    /// No setting has this id.
    NotFound,
    /// The document's id differs from the path's.
    OtherId(String),
    /// The encryption key of pictures would change.
    KeyChanged,
    /// Pictures would be allowed to be larger than a request.
    TooLarge,
    /// The store refused it, or failed.
    Store(StoreError),
}

impl From<StoreError> for SettingRefusal {
    fn from(error: StoreError) -> SettingRefusal {
        SettingRefusal::Store(error)
    }
}

impl From<octavo_postgres::DatabaseError> for SettingRefusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> SettingRefusal {
        SettingRefusal::Store(error.into())
    }
}

/// Replaces the setting of this id.
#[boxed]
pub async fn change(
    context: &UserContext<'_>,
    id: Uuid,
    mut document: Value,
) -> Result<(), SettingRefusal> {
    let collection = context.collection("user_settings");
    let checked = collection.shape.check(&mut document);
    checked.map_err(StoreError::Invalid)?;
    let mut setting = object(document);
    let transaction = context.store.database.transaction().await?;
    let old = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let old = old.ok_or(SettingRefusal::NotFound)?;
    if let Some(other) = setting.get("id").and_then(Value::as_str)
        && Uuid::try_parse(other) != Ok(id)
    {
        return Err(SettingRefusal::OtherId(other.to_owned()));
    }
    if setting.get("key") == Some(&json!(pictures::SETTING)) {
        check_pictures(&setting["value"], &old["value"])?;
    }
    setting.insert("id".to_owned(), json!(id));
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(&transaction, tenant, collection, id, &setting, stamp).await?;
    transaction.commit().await?;
    Ok(())
}

fn check_pictures(new: &Value, old: &Value) -> Result<(), SettingRefusal> {
    if new["encryptionKey"].is_null() || new["encryptionKey"] != old["encryptionKey"] {
        return Err(SettingRefusal::KeyChanged);
    }
    if new["maxFileSize"]
        .as_f64()
        .is_some_and(|size| size > MEGABYTES_MAX)
    {
        return Err(SettingRefusal::TooLarge);
    }
    Ok(())
}

/// Changes the setting about pictures in the form of `/users/configurations/entry`.
#[boxed]
pub async fn change_pictures(
    context: &UserContext<'_>,
    id: Uuid,
    given: &Map<String, Value>,
) -> Result<(), SettingRefusal> {
    let collection = context.collection("user_settings");
    let transaction = context.store.database.transaction().await?;
    let old = fetch_locked(&transaction, context.tenant, collection, id).await?;
    let old = old.filter(|old| old["key"] == pictures::SETTING);
    let mut setting = object(old.ok_or(SettingRefusal::NotFound)?);
    let mut value = Map::new();
    for name in ["enabled", "enabledObjectStorage"] {
        let given = given.get(name).cloned().unwrap_or(Value::Bool(false));
        value.insert(name.to_owned(), given);
    }
    for name in ["encryptionKey", "maxFileSize"] {
        if let Some(given) = given.get(name) {
            value.insert(name.to_owned(), given.clone());
        }
    }
    let value = Value::Object(value);
    check_pictures(&value, &setting["value"])?;
    setting.insert("value".to_owned(), value);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    replace(&transaction, tenant, collection, id, &setting, stamp).await?;
    transaction.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_pictures_stays() {
        let old = json!({"encryptionKey": "a"});
        let given = |key: Value, size: Value| json!({"encryptionKey": key, "maxFileSize": size});
        let check = |new: Value| check_pictures(&new, &old);
        assert!(check(given(json!("a"), json!(10))).is_ok());
        let refused = check(given(json!("b"), json!(1)));
        assert!(matches!(refused, Err(SettingRefusal::KeyChanged)));
        let refused = check(given(Value::Null, json!(1)));
        assert!(matches!(refused, Err(SettingRefusal::KeyChanged)));
        let refused = check(given(json!("a"), json!(10.5)));
        assert!(matches!(refused, Err(SettingRefusal::TooLarge)));
    }
}
