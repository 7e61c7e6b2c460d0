//! Which fields a tenant's settings protect.

use octavo_marc::{ControlField, DataField, Field};
use serde_json::Value;

/// A protected field in FOLIO's field protection settings: `*` matches any value, an empty indicator a
/// blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    /// The tag, or `*`.
    pub field: String,
    /// The first indicator.
    pub indicator1: String,
    /// The second indicator.
    pub indicator2: String,
    /// The code of a subfield that the field must have.
    pub subfield: String,
    /// The data that the control field or the subfield must have.
    pub data: String,
}

const ANY: &str = "*";

impl Protection {
    /// The protection of a setting.
    #[must_use]
    pub fn of(setting: &Value) -> Protection {
        let text = |property: &str| setting[property].as_str().unwrap_or_default().to_owned();
        Protection {
            field: text("field"),
            indicator1: text("indicator1"),
            indicator2: text("indicator2"),
            subfield: text("subfield"),
            data: text("data"),
        }
    }

    fn protects_control(&self, field: &ControlField) -> bool {
        let blank = [&self.indicator1, &self.indicator2, &self.subfield]
            .iter()
            .all(|part| part.trim().is_empty());
        let named = field.tag == self.field.as_str() || blank && self.field == ANY;
        named && (self.data == ANY || self.data == field.value)
    }

    fn protects_data(&self, field: &DataField) -> bool {
        let named = self.field == ANY || field.tag == self.field.as_str();
        let [first, second] = field.indicators;
        named
            && matches_indicator(&self.indicator1, first)
            && matches_indicator(&self.indicator2, second)
            && self.matches_subfield(field)
    }

    /// A setting for any subfield checks all of them, one for a code only the first with this code, as
    /// in FOLIO.
    fn matches_subfield(&self, field: &DataField) -> bool {
        let matches = |value: &str| self.data == ANY || self.data == value;
        match self.subfield.chars().next() {
            None => false,
            Some('*') => field
                .subfields
                .iter()
                .any(|subfield| matches(&subfield.value)),
            Some(code) => field.get(code).is_some_and(matches),
        }
    }
}

fn matches_indicator(setting: &str, indicator: char) -> bool {
    match setting.chars().next() {
        Some('*') => true,
        Some(wanted) => wanted == indicator || wanted == '\\' && indicator == ' ',
        None => indicator == ' ',
    }
}

/// Whether one of the settings protects this field.
#[must_use]
pub fn is_protected(field: &Field, protections: &[Protection]) -> bool {
    protections.iter().any(|protection| match field {
        Field::Control(control) => protection.protects_control(control),
        Field::Data(data) => protection.protects_data(data),
    })
}
