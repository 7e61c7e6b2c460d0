//! Storage of policies and slips with rules beyond their shapes.

use std::sync::Arc;

use axum::body::Bytes;
use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{Hooks, Write};
use octavo_platform::respond::{created, empty};
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::desk;
use crate::app::policies;
use crate::config_cache::ConfigCache;
use crate::record_rules::{tidied, what_is_missing, wrong_notices};
use crate::refusal::PolicyRefusal;

/// 201 with the request policy.
///
/// # Errors
/// 422 when it is invalid, or a list of service points is empty or names one that is not a pickup
/// location.
pub async fn create_request_policy(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let policy = request_policy(&call)?;
    let (id, stored) = policies::create_request_policy(desk(&call, &cache), &policy).await?;
    Ok(created(Bytes::from(stored), &id.to_string()))
}

/// 204; a missing one is created.
pub async fn replace_request_policy(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let id = call.id()?;
    let policy = request_policy(&call)?;
    policies::replace_request_policy(desk(&call, &cache), id, &policy).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn request_policy(call: &Call) -> Result<Value, ApiError> {
    let policy = shaped(call, "request_policy", call.record()?)?;
    Ok(tidied(policy).map_err(StoreError::Invalid)?)
}

/// Checks the combination of options in a patron notice policy, and that its name is unique.
pub const NOTICE_POLICIES: Hooks = Hooks {
    before: |call, write, policy| match write {
        Write::Create => Ok(()),
        Write::Replace(_) => {
            let shape = &call.collection("patron_notice_policy").shape;
            shape.check(policy).map_err(StoreError::Invalid)?;
            let wrong = wrong_notices(policy);
            match wrong.is_empty() {
                true => Ok(()),
                false => Err(StoreError::Invalid(wrong).into()),
            }
        }
    },
    wording: |refused| match refused.error {
        StoreError::Duplicate { .. } => {
            let sent = refused.call.record().unwrap_or_default();
            let name = sent["name"].as_str().unwrap_or_default().to_owned();
            PolicyRefusal::NameTaken { name }.answer()
        }
        _ => refused.as_stored(),
    },
    ..Hooks::NONE
};

/// 204 after deleting the patron notice policy.
///
/// # Errors
/// 400 when the circulation rules name it, 404 without it.
pub async fn delete_notice_policy(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let id = call.id()?;
    policies::delete_notice_policy(desk(&call, &cache), id).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 201 with the slip, active by default.
///
/// # Errors
/// 400 when name or template is empty.
pub async fn create_slip(call: Call) -> Result<Response, ApiError> {
    let slip = slip(&call)?;
    store_slip(&call, slip).await
}

/// 204; 201 when there was no such slip.
pub async fn replace_slip(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let mut slip = slip(&call)?;
    let collection = call.collection("staff_slips");
    let (store, stamp) = (call.store(), call.stamp());
    let stored = store.replace(&call.tenant, collection, id, slip.clone(), &stamp);
    match stored.await {
        Err(StoreError::NotFound) => {
            slip["id"] = json!(id);
            store_slip(&call, slip).await
        }
        outcome => {
            outcome?;
            Ok(empty(StatusCode::NO_CONTENT))
        }
    }
}

async fn store_slip(call: &Call, mut slip: Value) -> Result<Response, ApiError> {
    if slip["active"].is_null() {
        slip["active"] = json!(true);
    }
    let collection = call.collection("staff_slips");
    let (store, stamp) = (call.store(), call.stamp());
    let stored = store.create(&call.tenant, collection, slip, &stamp);
    let (id, stored) = stored.await?;
    Ok(created(stored, &id.to_string()))
}

fn slip(call: &Call) -> Result<Value, ApiError> {
    let slip = shaped(call, "staff_slips", call.record()?)?;
    match what_is_missing(&slip) {
        Some(sentences) => Err(ApiError::bad_request(sentences)),
        None => Ok(slip),
    }
}

/// A body that is a record of the table.
fn shaped(call: &Call, table: &str, mut body: Value) -> Result<Value, ApiError> {
    let shape = &call.collection(table).shape;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    Ok(body)
}

impl Answer for PolicyRefusal {
    fn answer(self) -> ApiError {
        match self {
            PolicyRefusal::InUse => ApiError::bad_request(self.to_string()),
            PolicyRefusal::PointUnavailable | PolicyRefusal::NameTaken { .. } => {
                ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![self.to_error()])
            }
        }
    }
}
