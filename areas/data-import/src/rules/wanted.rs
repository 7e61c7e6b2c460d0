//! The wanted values of a match: from the incoming record, or static ones of the profile.

use jiff::civil::Date;
use serde_json::Value;

use super::expression::TODAY;
use super::match_profile::invalid;

/// Wanted values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MatchValue {
    /// One of these values.
    Values(Vec<String>),
    /// A date in this inclusive range.
    Days(Date, Date),
}

impl MatchValue {
    /// Whether there are no values.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, MatchValue::Values(values) if values.is_empty())
    }
}

/// The static value of a profile.
pub(super) fn static_value(details: &Value, today: &str) -> Result<MatchValue, String> {
    let text = |name: &str| {
        let text = match &details[name] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        match text.as_str() {
            TODAY => today.to_owned(),
            _ => text,
        }
    };
    let date = |name: &str| {
        let text = text(name);
        day(&text).ok_or_else(|| invalid(&format!("{name} \"{text}\" is no day like 2026-01-31")))
    };
    let value = match details["staticValueType"].as_str() {
        Some("EXACT_DATE") => {
            let day = date("exactDate")?;
            return Ok(MatchValue::Days(day, day));
        }
        Some("DATE_RANGE") => return Ok(MatchValue::Days(date("fromDate")?, date("toDate")?)),
        Some("NUMBER") => text("number"),
        None | Some("TEXT") => text("text"),
        Some(other) => {
            let why = format!("the staticValueType {other} is not known");
            return Err(invalid(&why));
        }
    };
    if value.is_empty() {
        return Err(invalid("there is no static value"));
    }
    Ok(MatchValue::Values(vec![value]))
}

/// The date at the beginning of a value.
pub(super) fn day(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::match_profile::Detail;
    use super::*;

    fn one(value: &str) -> MatchValue {
        MatchValue::Values(vec![value.to_owned()])
    }

    fn of_static(details: Value) -> Result<MatchValue, String> {
        static_value(&details, "2026-01-31")
    }

    #[test]
    fn static_values_are_looked_for_as_they_are() {
        let text = json!({"staticValueType": "TEXT", "text": "in1"});
        assert_eq!(of_static(text), Ok(one("in1")));
        let number = json!({"staticValueType": "NUMBER", "number": 7});
        assert_eq!(of_static(number), Ok(one("7")));
        let day = |text: &str| text.parse::<Date>().unwrap();
        let exact = json!({"staticValueType": "EXACT_DATE", "exactDate": "###TODAY###"});
        let today = day("2026-01-31");
        assert_eq!(of_static(exact), Ok(MatchValue::Days(today, today)));
        let range = json!({"staticValueType": "DATE_RANGE", "fromDate": "2026-01-01",
            "toDate": "2026-01-31T00:00:00.000+00:00"});
        let range = of_static(range).unwrap();
        assert_eq!(range, MatchValue::Days(day("2026-01-01"), today));
        let detail = json!({});
        let in_range = |text: &str| Detail(&detail).fits(&[text.to_owned()], &range);
        assert!(in_range("2026-01-31") && in_range("2026-01-01T23:00:00.000Z"));
        assert!(!in_range("2026-02-01") && !in_range("last week"));
    }

    #[test]
    fn what_is_no_value_says_so() {
        for wrong in [
            json!({"staticValueType": "TEXT", "text": ""}),
            json!({"staticValueType": "EXACT_DATE", "exactDate": "yesterday"}),
            json!({"staticValueType": "DATE_RANGE", "fromDate": "2026-01-01"}),
            json!({"staticValueType": "COLOUR"}),
        ] {
            assert!(of_static(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
