//! The handlers of this area.

pub mod authorities;
pub mod browse;
pub mod config;
pub mod facets;
pub mod fill;
pub mod instances;
pub mod jobs;
mod refusal;

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::store::SearchTables;

/// The search tables of the request's tenant.
fn place(call: &Call) -> SearchTables<'_> {
    SearchTables {
        store: call.store(),
        tenant: &call.tenant,
    }
}

fn ok(value: &Value) -> Response {
    pretty(StatusCode::OK, value)
}

/// Parses the body.
fn form<T: DeserializeOwned>(call: &Call) -> Result<T, ApiError> {
    let value = call.json()?;
    serde_json::from_value(value).map_err(|error| refusal::no_form(&error.to_string()))
}

/// A required parameter.
fn required(call: &Call, name: &'static str) -> Result<String, ApiError> {
    let value = call.parameter(name)?;
    value.ok_or_else(|| refusal::missing(name))
}

/// A whole number between two bounds.
fn bounded(
    call: &Call,
    name: &'static str,
    default: i64,
    bounds: (i64, i64),
) -> Result<i64, ApiError> {
    let Some(text) = call.parameter(name)? else {
        return Ok(default);
    };
    let number = text
        .parse::<i64>()
        .map_err(|_| refusal::no_number(name, &text))?;
    if number < bounds.0 {
        return Err(refusal::constraint(name, "greater", bounds.0));
    }
    if number > bounds.1 {
        return Err(refusal::constraint(name, "less", bounds.1));
    }
    Ok(number)
}

fn flag(call: &Call, name: &'static str, default: bool) -> Result<bool, ApiError> {
    match call.parameter(name)?.as_deref() {
        None | Some("") => Ok(default),
        Some("true") => Ok(true),
        Some("false") => Ok(false),
        Some(other) => Err(refusal::no_flag(name, other)),
    }
}
