//! `/accounts` and `/feefineactions`: accounts and actions as records.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call, of_record};
use octavo_records::{StoreError, Violation};
use serde_json::Value;

use super::refused;
use crate::account_followers::Follower;
use crate::app::account_record;
use crate::app::record_rules::{check_account, check_action};
use crate::store::accounts;

const TABLE: &str = "accounts";

/// Accounts are shown with the holdings and the instance of their item.
pub const HOOKS: Hooks = Hooks {
    page: Some(accounts::page),
    one: Some(accounts::page),
    ..Hooks::NONE
};

/// The actions on accounts. Replacing one writes no event, as in FOLIO.
pub const ACTIONS: Hooks = Hooks {
    body: |call, _| call.json(),
    before: |_, _, action| check_action(action).map_err(refused),
    ..Hooks::NONE
};

/// 201 with the account.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    check_account(&document).map_err(refused)?;
    check_id(&call, &document)?;
    let (id, stored) = account_record::create(call.context(), document).await?;
    Ok(created(stored, &id.to_string()))
}

/// 204.
pub async fn replace(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.record()?;
    check_account(&document).map_err(refused)?;
    check_id(&call, &document)?;
    let changed = account_record::change(call.context(), follower.as_ref(), id, document).await;
    changed.map_err(|error| of_record(error, call.collection(TABLE).missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let removed = account_record::remove(call.context(), call.id()?).await;
    removed.map_err(|error| of_record(error, call.collection(TABLE).missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Accounts require an id from the client, unlike all other records of FOLIO. The error is reported
/// together with others.
fn check_id(call: &Call, document: &Value) -> Result<(), ApiError> {
    if !document["id"].is_null() || !document.is_object() {
        return Ok(());
    }
    let mut copy = document.clone();
    let checked = call.collection(TABLE).shape.check(&mut copy);
    let mut violations = checked.err().unwrap_or_default();
    violations.insert(
        0,
        Violation {
            message: "must not be null".to_owned(),
            code: "jakarta.validation.constraints.NotNull.message",
            path: "id".to_owned(),
            value: "null".to_owned(),
        },
    );
    Err(StoreError::Invalid(violations).into())
}

/// 201 with the action.
pub async fn create_action(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    check_action(&document).map_err(refused)?;
    let stored = account_record::create_action(call.context(), follower.as_ref(), document).await;
    let (id, stored) = stored?;
    Ok(created(stored, &id.to_string()))
}
