//! Uploads many settings: existing ones (by scope, key and owner) get the new value, the others are
//! created. All or none.

use std::collections::BTreeMap;

use octavo_records::{Collection, Store, StoreError, Tenant};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::setting_form::{self, NoSetting, SettingKey};
use crate::store::settings::upsert;

/// Maximal number of settings of an upload.
pub const ENTRIES_MAX: usize = 10_000;

/// The settings of an upload, without duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Upload {
    entries: BTreeMap<SettingKey, Map<String, Value>>,
    /// The number of duplicates.
    repeated: usize,
}

/// Why an upload is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoUpload {
    NoList,
    /// It has more than [`ENTRIES_MAX`] settings.
    TooMany,
    /// One of them has an id; the server assigns ids.
    HasId,
    NoSetting(NoSetting),
}

impl NoUpload {
    /// FOLIO's message, where FOLIO has one.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            NoUpload::NoList => "The body must be a JSON array of entries".to_owned(),
            NoUpload::TooMany => {
                format!("An upload takes at most {ENTRIES_MAX} entries; send the rest in another")
            }
            NoUpload::HasId => "No id must supplied for upload".to_owned(),
            NoUpload::NoSetting(error) => error.message(),
        }
    }
}

/// How many settings were created and changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Uploaded {
    /// Made.
    pub inserted: usize,
    /// Changed.
    pub updated: usize,
}

impl Upload {
    /// Reads a body. The last of duplicate settings wins.
    ///
    /// # Errors
    /// What is wrong with the body.
    pub fn read(body: Value) -> Result<Upload, NoUpload> {
        let Value::Array(sent) = body else {
            return Err(NoUpload::NoList);
        };
        if sent.len() > ENTRIES_MAX {
            return Err(NoUpload::TooMany);
        }
        let mut upload = Upload::default();
        for entry in sent {
            let Value::Object(mut entry) = entry else {
                return Err(NoUpload::NoSetting(NoSetting::NoObject));
            };
            if entry.remove("id").is_some_and(|id| !id.is_null()) {
                return Err(NoUpload::HasId);
            }
            let key = setting_form::key(&entry).map_err(NoUpload::NoSetting)?;
            upload.repeated += usize::from(upload.entries.insert(key, entry).is_some());
        }
        Ok(upload)
    }

    /// The keys of its settings.
    pub fn keys(&self) -> impl Iterator<Item = &SettingKey> {
        self.entries.keys()
    }
}

/// Stores an upload in one transaction.
///
/// # Errors
/// When a setting does not fit.
pub async fn upload(
    store: &Store,
    tenant: &Tenant,
    collection: &Collection,
    upload: Upload,
) -> Result<Uploaded, StoreError> {
    let (mut of_tenant, mut of_users) = (Vec::new(), Vec::new());
    for (key, mut entry) in upload.entries {
        let id = Uuid::new_v4();
        entry.insert("id".to_owned(), Value::String(id.to_string()));
        let mut entry = Value::Object(entry);
        collection
            .shape
            .check(&mut entry)
            .map_err(StoreError::Invalid)?;
        match key.owner {
            None => of_tenant.push((id, entry)),
            Some(_) => of_users.push((id, entry)),
        }
    }
    let all = of_tenant.len() + of_users.len() + upload.repeated;
    let transaction = store.database.transaction().await?;
    // Always in this order, and each sorted by key, so that two uploads cannot deadlock.
    let inserted = upsert(&transaction, tenant, collection, "global", &of_tenant).await?
        + upsert(&transaction, tenant, collection, "users", &of_users).await?;
    transaction.commit().await?;
    Ok(Uploaded {
        inserted,
        updated: all - inserted,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_of_the_same_setting_counts() {
        let upload = Upload::read(json!([
            {"scope": "s", "key": "k", "value": 1},
            {"scope": "s", "key": "l", "value": 1, "id": null},
            {"scope": "s", "key": "k", "value": 2},
        ]))
        .expect("it is one");
        assert_eq!(upload.repeated, 1);
        let values: Vec<&Value> = upload.entries.values().map(|one| &one["value"]).collect();
        assert_eq!(values, [&json!(2), &json!(1)]);
    }

    #[test]
    fn what_is_no_upload_is_refused() {
        for (body, refusal) in [
            (json!({"scope": "s"}), NoUpload::NoList),
            (json!([7]), NoUpload::NoSetting(NoSetting::NoObject)),
            (
                json!([{"key": "k"}]),
                NoUpload::NoSetting(NoSetting::Missing("scope")),
            ),
            (
                json!([{"id": "1", "scope": "s", "key": "k"}]),
                NoUpload::HasId,
            ),
            (json!(vec![7; ENTRIES_MAX + 1]), NoUpload::TooMany),
        ] {
            assert_eq!(Upload::read(body), Err(refusal));
        }
    }
}
