//! mod-permissions over HTTP: requests and responses, no decisions.

pub mod holders;
pub mod permissions;
mod refusal;

use octavo_platform::{ApiError, Call, Paging};
use octavo_records::{Shape, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::{Change, Grantor};
use crate::store::Holder;

/// The context of a change on the caller's authority.
fn change(call: &Call) -> Change<'_> {
    Change {
        context: call.writer_context(),
        giver: match &call.identity {
            Some(identity) => Grantor::Holds(identity.grants.clone()),
            None if call.view.authenticates => Grantor::Nobody,
            None => Grantor::Anyone,
        },
    }
}

/// `start` and `length`, or `offset` and `limit`: FOLIO accepts both pairs, and the one with a value
/// other than the default wins.
fn paging(call: &Call) -> Result<Paging, ApiError> {
    const LENGTH: i64 = 10;
    const START: i64 = 1;
    let mut paging = call.paging()?;
    let length = call.number("length", LENGTH, 1)?;
    let start = call.number("start", START, 1)?;
    if length != LENGTH {
        paging.limit = length;
    }
    if start != START {
        paging.offset = start - 1;
    }
    Ok(paging)
}

/// Whether a parameter is `true`; any other value counts as false.
fn says_true(call: &Call, name: &str) -> Result<bool, ApiError> {
    Ok(call.parameter(name)?.as_deref() == Some("true"))
}

/// The permission user that the path means, and its name in FOLIO's messages.
fn holder(call: &Call) -> Result<(Holder, String), ApiError> {
    let id = call.segment("id");
    let shown: String = id.chars().take(100).collect();
    let parsed = Uuid::try_parse(id);
    match call.parameter("indexField")?.as_deref() {
        None | Some("id") => {
            let parsed = parsed.map_err(|_| not_a_uuid(id))?;
            Ok((Holder::Id(parsed), format!("id {shown}")))
        }
        Some("userId") => {
            let user = parsed.map_or_else(|_| id.to_owned(), |id| id.to_string());
            Ok((Holder::User(user), format!("userId {shown}")))
        }
        Some(other) => {
            let other: String = other.chars().take(100).collect();
            Err(ApiError::bad_request(format!(
                "Invalid value '{other}' for indexField"
            )))
        }
    }
}

/// The path's id, parsed as FOLIO's storage does.
fn id(call: &Call) -> Result<Uuid, ApiError> {
    let id = call.segment("id");
    Uuid::try_parse(id).map_err(|_| not_a_uuid(id))
}

fn not_a_uuid(text: &str) -> ApiError {
    let shown: String = text.chars().take(100).collect();
    ApiError::bad_request(format!("invalid input syntax for type uuid: \"{shown}\""))
}

/// A body that fits a shape.
fn checked(shape: &Shape, mut body: Value) -> Result<Map<String, Value>, ApiError> {
    shape
        .check(&mut body)
        .map_err(|violations| ApiError::from(StoreError::Invalid(violations)))?;
    match body {
        Value::Object(document) => Ok(document),
        _ => Err(ApiError::bad_request("The body is not a JSON object")),
    }
}
