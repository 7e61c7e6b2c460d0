//! mod-di-converter-storage over HTTP: requests and responses, no decisions.

pub mod associations;
pub mod forms;
pub mod profiles;
pub mod protections;
mod refusal;
pub mod snapshots;

use octavo_library::ProfileId;
use octavo_platform::{ApiError, Call, incorrect};

use crate::kind::ProfileKind;

/// A parameter that is `true` or `false`; false without it.
fn flag(call: &Call, name: &str) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(other) => Err(incorrect(name, other, "must be true or false")),
    }
}

/// A parameter that has to name a kind of profile.
fn kind(call: &Call, name: &str) -> Result<ProfileKind, ApiError> {
    let Some(text) = call.parameter(name)? else {
        return Err(incorrect(name, "null", "must not be null"));
    };
    ProfileKind::named(&text).ok_or_else(|| {
        let text: String = text.chars().take(100).collect();
        let names: Vec<_> = ProfileKind::ALL.iter().map(|kind| kind.name()).collect();
        ApiError::bad_request(format!(
            "The specified type: {text} is wrong. It should be [{}]",
            names.join(", ")
        ))
    })
}

/// The id in the path, where it is not the last segment.
fn id(call: &Call, name: &str) -> Result<ProfileId, ApiError> {
    let text = call.segment(name);
    let id = (text.len() == 36).then(|| ProfileId::parse(text));
    id.flatten()
        .ok_or_else(|| incorrect(name, text, "must be a UUID"))
}
