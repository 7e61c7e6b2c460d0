//! Human-readable ids: a prefix and a running number.

use serde::Deserialize;
use serde_json::Value;

use super::filled;

/// The digits of a number that keeps its leading zeroes.
const DIGITS: usize = 11;

/// The settings of human-readable ids (FOLIO's `hrid-settings`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HridSettings {
    /// For instances.
    pub instances: HridSetting,
    /// For holdings.
    pub holdings: HridSetting,
    /// For items.
    pub items: HridSetting,
    /// Whether numbers are filled up with zeroes.
    #[serde(default = "yes")]
    pub common_retain_leading_zeroes: bool,
}

/// The setting of one record type.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HridSetting {
    /// What stands before the number.
    #[serde(default)]
    pub prefix: String,
    /// Where numbering starts, from 1 to 99,999,999,999.
    pub start_number: i64,
}

fn yes() -> bool {
    true
}

/// The id with this number: `in00000000001`, or `in1` without leading zeroes.
#[must_use]
pub fn format(prefix: &str, number: i64, retain_leading_zeroes: bool) -> String {
    if retain_leading_zeroes {
        format!("{prefix}{number:0DIGITS$}")
    } else {
        format!("{prefix}{number}")
    }
}

/// Whether the server gives the record its id: it does when the client left it out or blank.
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
    fn numbers_are_filled_up_unless_told_otherwise() {
        assert_eq!(format("in", 1, true), "in00000000001");
        assert_eq!(format("it", 99_999_999_999, true), "it99999999999");
        assert_eq!(format("", 42, true), "00000000042");
        assert_eq!(format("ho", 42, false), "ho42");
    }

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
