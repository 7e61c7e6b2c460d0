//! Changing a setting of histories.

use octavo_boxed::boxed;
use octavo_records::{OperationError, Refusal};
use serde_json::Value;

use super::Context;
use crate::rules::setting::fault_of;
use crate::store::settings;

/// Why a setting is not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The body is about another setting than the path.
    OtherSetting,
    /// The value is not of its type, in FOLIO's words.
    Value(&'static str),
    /// The setting has another type, the one given.
    Kind(String),
    /// There is no such setting.
    Unknown { key: String, group: String },
}

impl Refusal for Refused {}

/// Sets the value that a checked body has.
///
/// # Errors
/// As [`Refused`].
#[boxed]
pub async fn change_setting(
    context: &Context<'_>,
    (group, key): (&str, &str),
    body: &Value,
) -> Result<(), OperationError<Refused>> {
    if body["groupId"] != group || body["key"] != key {
        return Err(Refused::OtherSetting.into());
    }
    let kind = body["type"].as_str().unwrap_or_default();
    if let Some(fault) = fault_of(kind, &body["value"]) {
        return Err(Refused::Value(fault).into());
    }
    let (database, tables) = (&context.store.database, context.tables());
    let id = format!("{group}.{key}");
    let stored = settings::kind_of(database, tables, &id).await?;
    match stored {
        None => Err(Refused::Unknown {
            key: key.to_owned(),
            group: group.to_owned(),
        }
        .into()),
        Some(stored) if stored != kind => Err(Refused::Kind(stored).into()),
        Some(_) => {
            let told = (&body["value"], body["description"].as_str());
            settings::set(database, tables, &id, told, context.stamp.user_id).await?;
            Ok(())
        }
    }
}
