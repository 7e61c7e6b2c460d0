//! Human-readable ids: a prefix and a running number.

use serde::Deserialize;
use serde_json::Value;

use super::filled;

/// The highest number.
const NUMBER_MAX: i64 = 99_999_999_999;

/// The settings of human-readable ids (FOLIO's `hrid-settings`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HridSettings {
    pub instances: HridSetting,
    pub holdings: HridSetting,
    pub items: HridSetting,
    /// Whether numbers are padded with zeroes.
    #[serde(default = "yes")]
    pub common_retain_leading_zeroes: bool,
}

/// The setting of one record type.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HridSetting {
    /// The prefix of the number.
    #[serde(default)]
    pub prefix: String,
    /// Where numbering starts, from 1 to 99,999,999,999.
    pub start_number: i64,
}

/// An invalid setting, with FOLIO's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongSetting {
    /// The sentence.
    pub message: String,
    /// The dotted path of the property.
    pub property: String,
    pub value: String,
}

impl HridSettings {
    /// The first setting that is not allowed: a prefix has up to ten letters, digits, dots and
    /// hyphens, and a number up to eleven digits.
    #[must_use]
    pub fn refuse(&self) -> Option<WrongSetting> {
        let settings = [
            ("instances", &self.instances),
            ("holdings", &self.holdings),
            ("items", &self.items),
        ];
        settings.iter().find_map(|(name, setting)| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
            if setting.prefix.len() > 10 || !setting.prefix.chars().all(allowed) {
                return Some(WrongSetting {
                    message: "must match \"^[0-9a-zA-Z.-]{0,10}$\"".to_owned(),
                    property: format!("{name}.prefix"),
                    value: setting.prefix.chars().take(100).collect(),
                });
            }
            let message = match setting.start_number {
                ..=0 => "must be greater than or equal to 1",
                1..=NUMBER_MAX => return None,
                _ => "must be less than or equal to 99999999999",
            };
            Some(WrongSetting {
                message: message.to_owned(),
                property: format!("{name}.startNumber"),
                value: setting.start_number.to_string(),
            })
        })
    }
}

fn yes() -> bool {
    true
}

/// Whether the server assigns the HRID: when it is absent or blank.
#[must_use]
pub fn is_missing(record: &Value) -> bool {
    filled(record, "hrid").is_none()
}

/// FOLIO's refusal of an update that changes the id, or nothing if it stays.
#[must_use]
pub fn refuse_change(new: &Value, old: &Value) -> Option<String> {
    let hrid = |record: &Value| {
        record
            .get("hrid")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let (new, old) = (hrid(new), hrid(old));
    (new != old).then(|| {
        let shown = |hrid: Option<String>| hrid.unwrap_or_else(|| "null".to_owned());
        format!(
            "The hrid field cannot be changed: new={}, old={}",
            shown(new),
            shown(old)
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_read_from_the_record() {
        let record = json!({
            "instances": {"prefix": "in", "startNumber": 1},
            "holdings": {"startNumber": 7},
            "items": {"prefix": "it", "startNumber": 1},
        });
        let settings: HridSettings = serde_json::from_value(record).expect("settings");
        assert!(settings.common_retain_leading_zeroes);
        assert_eq!(
            settings.holdings,
            HridSetting {
                prefix: String::new(),
                start_number: 7
            }
        );
    }

    #[test]
    fn prefixes_are_short_and_numbers_positive() {
        let refused = |prefix: &str, start_number: i64| {
            let setting = HridSetting {
                prefix: prefix.to_owned(),
                start_number,
            };
            let settings = HridSettings {
                instances: HridSetting {
                    prefix: "in".to_owned(),
                    start_number: 1,
                },
                holdings: setting.clone(),
                items: setting,
                common_retain_leading_zeroes: true,
            };
            settings.refuse().map(|wrong| wrong.property)
        };
        assert_eq!(refused("A-1.b", NUMBER_MAX), None);
        assert_eq!(refused("", 1), None);
        assert_eq!(refused("ho_", 1).as_deref(), Some("holdings.prefix"));
        assert_eq!(
            refused("12345678901", 1).as_deref(),
            Some("holdings.prefix")
        );
        assert_eq!(refused("ho", 0).as_deref(), Some("holdings.startNumber"));
        assert_eq!(
            refused("ho", NUMBER_MAX + 1).as_deref(),
            Some("holdings.startNumber")
        );
    }

    #[test]
    fn an_id_stays_once_given() {
        let old = json!({"hrid": "it1"});
        assert_eq!(refuse_change(&json!({"hrid": "it1"}), &old), None);
        assert_eq!(
            refuse_change(&json!({}), &old).as_deref(),
            Some("The hrid field cannot be changed: new=null, old=it1")
        );
        assert!(is_missing(&json!({"hrid": "  "})));
        assert!(!is_missing(&old));
    }
}
