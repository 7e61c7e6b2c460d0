//! The parameters of mod-remote-storage's lists, and the ids in its paths.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

use super::refusal::{in_form, no_date, unreadable};
use crate::store::mappings::Window;

/// Rows of a page without a limit.
const LIMIT_DEFAULT: i64 = 10;

pub(super) fn window(call: &Call) -> Result<Window, ApiError> {
    let window = || {
        Ok(Window {
            limit: call.number("limit", LIMIT_DEFAULT, 0)?,
            offset: call.number("offset", 0, 0)?,
        })
    };
    window().map_err(in_form)
}

/// An id in the query string; none where it is absent or empty.
pub(super) fn id(call: &Call, name: &str) -> Result<Option<Uuid>, ApiError> {
    let given = call.parameter(name).map_err(in_form)?;
    match given.filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => parsed(name, &text).map(Some),
    }
}

/// An id in the path.
pub(super) fn segment(call: &Call, name: &str) -> Result<Uuid, ApiError> {
    parsed(name, call.segment(name))
}

fn parsed(name: &str, text: &str) -> Result<Uuid, ApiError> {
    match Uuid::try_parse(text) {
        Ok(id) if text.len() == 36 => Ok(id),
        _ => {
            let shown: String = text.chars().take(100).collect();
            Err(unreadable(&format!("{name}: Invalid UUID string: {shown}")))
        }
    }
}

/// `true` or `false`.
pub(super) fn flag(call: &Call, name: &str) -> Result<Option<bool>, ApiError> {
    let given = call.parameter(name).map_err(in_form)?;
    match given.as_deref() {
        None | Some("") => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => Err(unreadable(&format!("{name}: must be true or false"))),
    }
}

/// A date-time without an offset, which is UTC.
pub(super) fn created(call: &Call) -> Result<Option<Timestamp>, ApiError> {
    let given = call.parameter("createdDate").map_err(in_form)?;
    let Some(text) = given.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let at = local(&text).and_then(|at| at.to_zoned(TimeZone::UTC).ok());
    let shown: String = text.chars().take(100).collect();
    let wrong = || no_date(&format!("Text '{shown}' could not be parsed"));
    at.map(|at| Some(at.timestamp())).ok_or_else(wrong)
}

fn local(text: &str) -> Option<DateTime> {
    // An offset or a zone would be accepted and ignored, and a date alone is no date-time.
    let (date, time) = text.split_once('T')?;
    let is_plain = !time.contains(['Z', 'z', '+', '-', '[']);
    is_plain.then(|| format!("{date}T{time}").parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_date_times_are_dates() {
        for (text, is_date) in [
            ("2025-03-04T09:30:00", true),
            ("2025-03-04T09:30:00.123", true),
            ("2025-03-04T09:30", true),
            ("2025-03-04", false),
            ("2025-03-04T09:30:00Z", false),
            ("2025-03-04T09:30:00+01:00", false),
            ("2025-13-04T09:30:00", false),
            ("yesterday", false),
        ] {
            assert_eq!(local(text).is_some(), is_date, "{text}");
        }
    }
}
