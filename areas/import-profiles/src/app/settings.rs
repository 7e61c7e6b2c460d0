//! Changes and deletes protected fields, except FOLIO's defaults.

use octavo_boxed::boxed;
use octavo_records::retried;
use octavo_records::store::{delete, fetch_locked, replace};
use octavo_records::{Stamp, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Context, Refusal};

/// The table of protected fields.
pub const PROTECTIONS: &str = "marc_field_protection_settings";

/// The change of a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    Replace(Map<String, Value>),
    Delete,
}

/// Changes a setting; returns the new one.
///
/// # Errors
/// When it does not exist, or is one of FOLIO's defaults.
#[boxed]
pub async fn change(
    context: Context<'_>,
    id: Uuid,
    change: &Change,
) -> Result<Option<Value>, Refusal> {
    let Context { tenant, stamp, .. } = context;
    retried(|| async {
        let transaction = context.store.database.transaction().await?;
        let collection = context.collection(PROTECTIONS);
        let stored = fetch_locked(&transaction, tenant, collection, id).await?;
        let stored = stored.ok_or_else(|| {
            Refusal::NotFound(format!(
                "MARC field protection with id '{id}' was not found"
            ))
        })?;
        if stored["source"] == "SYSTEM" {
            let done = match change {
                Change::Replace(_) => "updated",
                Change::Delete => "deleted",
            };
            return Err(Refusal::Improper(format!(
                "MARC field protection setting with source SYSTEM cannot be {done}"
            )));
        }
        let now = match change {
            Change::Replace(setting) => {
                let stamp: &Stamp = &stamp;
                let replaced =
                    replace(&transaction, tenant, collection, id, setting, stamp).await?;
                let now = serde_json::from_slice(&replaced.new);
                Some(now.map_err(|error| StoreError::json(error))?)
            }
            Change::Delete => {
                delete(&transaction, tenant, collection, id).await?;
                None
            }
        };
        transaction.commit().await?;
        Ok(now)
    })
    .await
}
