//! Parameters of paths and queries.

use jiff::civil::Date;
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

use super::refusal::{in_form, unparsable};
use crate::rules::read;

pub(super) fn path_id(call: &Call, name: &str) -> Result<Uuid, ApiError> {
    let text = call.segment(name);
    read::uuid(text).ok_or_else(|| incorrect(name, text, "a UUID"))
}

/// The UUIDs of a parameter that may be given more than once, or separated by commas.
pub(super) fn ids(call: &Call, name: &str) -> Result<Vec<Uuid>, ApiError> {
    let mut ids = Vec::new();
    for value in call.parameters(name).map_err(in_form)? {
        for text in value.split(',').filter(|text| !text.is_empty()) {
            let id = read::uuid(text).ok_or_else(|| incorrect(name, text, "a UUID"))?;
            ids.push(id);
        }
    }
    ids.sort();
    ids.dedup();
    Ok(ids)
}

/// A date, if it is given.
pub(super) fn date(call: &Call, name: &str) -> Result<Option<Date>, ApiError> {
    let given = call.parameter(name).map_err(in_form)?;
    let Some(text) = given.filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let date = read::date(&text);
    date.map(Some)
        .ok_or_else(|| incorrect(name, &text, "a date like 2026-01-31"))
}

/// A date that must be given.
pub(super) fn required_date(call: &Call, name: &str) -> Result<Date, ApiError> {
    date(call, name)?.ok_or_else(|| missing(name))
}

/// A flag that must be given.
pub(super) fn required_flag(call: &Call, name: &str) -> Result<bool, ApiError> {
    let given = call.parameter(name).map_err(in_form)?;
    let text = given.ok_or_else(|| missing(name))?;
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(incorrect(name, &text, "true or false")),
    }
}

/// 400 for a parameter that does not exist.
pub(super) fn missing(name: &str) -> ApiError {
    unparsable(&format!("the parameter '{name}' must be given"))
}

/// 400 for a parameter that cannot be read.
pub(super) fn incorrect(name: &str, value: &str, expected: &str) -> ApiError {
    let shown: String = value.chars().take(100).collect();
    unparsable(&format!(
        "'{name}' parameter is incorrect. parameter value {{{shown}}} is not valid: must be \
         {expected}"
    ))
}
