//! Requests and responses of finance, no decisions.

pub mod batch;
pub mod budgets;
pub mod exchange;
pub mod finance_data;
pub mod fiscal_years;
pub mod funds;
pub mod groups;
pub mod ledgers;
pub mod lists;
pub mod records;
pub mod refusal;
pub mod rollovers;
pub mod storage;
pub mod transactions;
pub mod views;

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::refusal::Refusal;
use crate::store::accounts::object;

/// The properties of a body that fits its shape.
fn checked(call: &Call, shape: &Shape) -> Result<Map<String, Value>, ApiError> {
    let mut body = call.record()?;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    Ok(object(body))
}

/// A checked document as a type of the area.
fn typed<T: DeserializeOwned>(document: Value) -> Result<T, ApiError> {
    serde_json::from_value(document).map_err(|error| ApiError::invalid(error.to_string(), "", ""))
}

/// The record of a PUT, with the id of its path.
fn replacement(call: &Call, shape: &Shape) -> Result<(Uuid, Map<String, Value>), ApiError> {
    let id = call.id()?;
    let mut document = checked(call, shape)?;
    settle_id(id, &mut document)?;
    Ok((id, document))
}

/// The id in the body, where there is one, must be that of the path.
fn settle_id(id: Uuid, document: &mut Map<String, Value>) -> Result<(), ApiError> {
    let sent = document.get("id").and_then(Value::as_str);
    if sent.is_some_and(|sent| Uuid::try_parse(sent) != Ok(id)) {
        return Err(Refusal::IdMismatch.answer());
    }
    document.insert("id".to_owned(), Value::String(id.to_string()));
    Ok(())
}

/// A parameter that is a UUID.
fn id_parameter(call: &Call, name: &str) -> Result<Option<Uuid>, ApiError> {
    let Some(text) = call.parameter(name)? else {
        return Ok(None);
    };
    match Uuid::try_parse(&text) {
        Ok(id) if text.len() == 36 => Ok(Some(id)),
        _ => Err(octavo_platform::incorrect(name, &text, "must be a UUID")),
    }
}

fn ok(body: Bytes) -> Response {
    json_bytes(StatusCode::OK, body)
}
