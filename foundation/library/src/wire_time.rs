//! Serde for instants in the form in which the record store writes and reads them. Use with
//! `#[serde(with = "wire_time")]` or `wire_time::optional`.

use jiff::Timestamp;
pub use octavo_records::instant::{format, parse};
use serde::{Deserialize, Deserializer, Serializer, de};
use serde_json::Value;

/// Formats an instant with `Z`. FOLIO stores with it the dates of a loan that its storage treats as
/// plain strings.
#[must_use]
pub fn format_z(at: Timestamp) -> String {
    format(at).replace("+00:00", "Z")
}

/// A stored date with `Z`, the form that FOLIO's mod-circulation writes into slips, notices and
/// reports. Any other value stays as it is.
#[must_use]
pub fn to_wire(stored: &Value) -> Value {
    match stored.as_str().and_then(parse) {
        Some(at) => format_z(at).into(),
        None => stored.clone(),
    }
}

/// Serde: writes an instant with `Z`.
pub fn format_with_z<S: Serializer>(instant: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format_z(*instant))
}

/// Serde: writes an instant.
pub fn serialize<S: Serializer>(instant: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format(*instant))
}

/// Serde: reads an instant.
///
/// # Errors
/// When the value is no string or the string no date.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| de::Error::custom(format_args!("not a date-time: {text}")))
}

/// The same for instants that may be missing, `null` or blank.
pub mod optional {
    use super::{Deserialize, Deserializer, Serializer, Timestamp, de};

    /// Serde: writes an instant or `null`.
    pub fn serialize<S: Serializer>(
        instant: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match instant {
            Some(instant) => super::serialize(instant, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Serde: reads an instant; `null` and blank text become `None`.
    ///
    /// # Errors
    /// When the text is neither blank nor a date.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        let instant = super::parse(&text);
        instant
            .map(Some)
            .ok_or_else(|| de::Error::custom(format_args!("not a date-time: {text}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_are_read_and_one_is_written() {
        let table = [
            (
                "2024-01-02T03:04:05.678+00:00",
                "2024-01-02T03:04:05.678+00:00",
            ),
            ("2024-01-02T03:04:05.678Z", "2024-01-02T03:04:05.678+00:00"),
            ("2024-01-02T03:04:05Z", "2024-01-02T03:04:05.000+00:00"),
            (
                "2024-01-02T03:04:05.678+0000",
                "2024-01-02T03:04:05.678+00:00",
            ),
            ("2024-01-02T03:04:05+02:00", "2024-01-02T01:04:05.000+00:00"),
            ("2024-01-02T03:04:05-05", "2024-01-02T08:04:05.000+00:00"),
            ("2024-01-02T03:04:05", "2024-01-02T03:04:05.000+00:00"),
            ("2024-01-02", "2024-01-02T00:00:00.000+00:00"),
            (" 2024-01-02 ", "2024-01-02T00:00:00.000+00:00"),
            (
                "2024-01-02T03:04:05.678999Z",
                "2024-01-02T03:04:05.678+00:00",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(parse(text).map(format).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in [
            "",
            "tomorrow",
            "2024-02-30",
            "2024-13-01",
            "2024-01-02T25:00:00Z",
            "12",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
