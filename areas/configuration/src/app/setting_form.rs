//! A setting as a client sends it: checks that precede all others.

use serde_json::{Map, Value};
use uuid::Uuid;

/// The key of a setting, which also decides who may read and write it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SettingKey {
    pub scope: String,
    /// Its key within the scope.
    pub key: String,
    /// The owner; `None` for a setting of the tenant.
    pub owner: Option<Uuid>,
}

/// Why a document is not a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSetting {
    NoObject,
    /// A property is missing.
    Missing(&'static str),
    /// A property is not a text.
    NoText(&'static str),
    /// A property is not a UUID.
    NoId(&'static str),
}

impl NoSetting {
    /// FOLIO's message, where FOLIO has one.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            NoSetting::NoObject => "Entry must be a JSON object".to_owned(),
            NoSetting::Missing("id") => "Entry must have an id".to_owned(),
            NoSetting::Missing(name) => format!("Entry must have a {name}"),
            NoSetting::NoText(name) => format!("{name} of an entry must be a text"),
            NoSetting::NoId(name) => format!("{name} of an entry must be a UUID"),
        }
    }
}

/// The id of a setting, if it has one.
///
/// # Errors
/// When it is not a UUID.
pub fn id(setting: &Map<String, Value>) -> Result<Option<Uuid>, NoSetting> {
    uuid(setting, "id")
}

/// The key of a setting.
///
/// # Errors
/// Names the property that is missing or has another type.
pub fn key(setting: &Map<String, Value>) -> Result<SettingKey, NoSetting> {
    Ok(SettingKey {
        scope: text(setting, "scope")?,
        key: text(setting, "key")?,
        owner: uuid(setting, "userId")?,
    })
}

fn text(setting: &Map<String, Value>, name: &'static str) -> Result<String, NoSetting> {
    match setting.get(name) {
        None | Some(Value::Null) => Err(NoSetting::Missing(name)),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(NoSetting::NoText(name)),
    }
}

fn uuid(setting: &Map<String, Value>, name: &'static str) -> Result<Option<Uuid>, NoSetting> {
    match setting.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.len() == 36 => Uuid::try_parse(text)
            .map(Some)
            .map_err(|_| NoSetting::NoId(name)),
        Some(_) => Err(NoSetting::NoId(name)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(setting: Value) -> Result<SettingKey, String> {
        let Value::Object(setting) = setting else {
            return Err("no object".to_owned());
        };
        key(&setting).map_err(|error| error.message())
    }

    #[test]
    fn what_is_missing_is_named() {
        let refused = |setting| read(setting).expect_err("it is refused");
        assert_eq!(refused(json!({"key": "k"})), "Entry must have a scope");
        assert_eq!(
            refused(json!({"scope": "s", "key": null})),
            "Entry must have a key"
        );
        assert_eq!(
            refused(json!({"scope": 1, "key": "k"})),
            "scope of an entry must be a text"
        );
        let owner = json!({"scope": "s", "key": "k", "userId": "me"});
        assert_eq!(refused(owner), "userId of an entry must be a UUID");
        assert_eq!(id(&Map::new()), Ok(None));
        assert!(read(json!({"scope": "", "key": ""})).is_ok());
    }
}
