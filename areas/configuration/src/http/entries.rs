//! `/configurations/entries`

use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::{ApiError, Call, Operation};
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use crate::app::entry_form::complete;

/// Entries get default values, and duplicates are refused in a special form.
pub const HOOKS: Hooks = Hooks {
    arrived: |call, _| check_language(call),
    before: |_, _, entry| {
        complete(entry);
        Ok(())
    },
    wording,
    ..Hooks::NONE
};

/// `lang` has no effect, but must be a valid language code.
pub(super) fn check_language(call: &Call) -> Result<(), ApiError> {
    let Some(language) = call.parameter("lang")? else {
        return Ok(());
    };
    if language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Ok(());
    }
    let expected = "must match \"[a-zA-Z]{2}\"";
    Err(octavo_platform::incorrect("lang", &language, expected))
}

fn wording(refused: Refused<'_>) -> ApiError {
    match refused {
        Refused {
            operation: Operation::Create,
            error: StoreError::Duplicate { field, .. },
            call,
            ..
        } if field != "id" => taken(call.record().map(|entry| named(&entry)).unwrap_or_default()),
        other => other.as_stored(),
    }
}

/// The unique properties that an entry has.
fn named(entry: &Value) -> Map<String, Value> {
    ["module", "configName", "code", "userId"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), entry.get(name)?.clone())))
        .filter(|(_, value)| !value.is_null())
        .collect()
}

/// 422 in mod-configuration's special form for duplicates.
fn taken(named: Map<String, Value>) -> ApiError {
    let mut error = json!({
        "message": "Cannot have more than one tenant or user record with the same module, config \
                    name and code",
        "parameters": [],
    });
    if let Some(error) = error.as_object_mut() {
        error.extend(named);
    }
    ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, json!({"errors": [error]}))
}
