//! `/accounts` and `/feefineactions`: records that clients read and write whole.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::{page_of, run};
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call, Operation, of_record};
use octavo_records::{StoreError, Violation};
use serde_json::Value;

use super::{collection, place, refused};
use crate::account_followers::Follower;
use crate::app::account_record;
use crate::app::record_rules::{check_account, check_action};
use crate::store::accounts;

const TABLE: &str = "accounts";

/// A page of accounts, each with the holdings and the instance of its item.
///
/// # Errors
/// 400 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let accounts = collection(&call, TABLE);
    if call.parameter("facets")?.is_some() {
        return run(Operation::List, accounts, call.clone()).await;
    }
    let paging = call.paging()?;
    let plan = call
        .store()
        .plan(&call.tenant, accounts, paging.query.as_deref())?;
    let tables = place(&call).tables();
    let sql = accounts::page(tables, &plan, paging.limit, paging.offset);
    Ok(page_of(&call, accounts, &plan, sql, paging.search()).await?)
}

/// An account with the holdings and the instance of its item.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let place = place(&call);
    let found = accounts::shown(&place.store.database, place.tables(), id.into()).await?;
    let missing = collection(&call, TABLE).missing.read;
    let account = found.ok_or_else(|| of_record(StoreError::NotFound, missing))?;
    Ok(json_bytes(StatusCode::OK, account))
}

/// 201 with the account.
///
/// # Errors
/// 422 when it does not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    check_account(&document).map_err(refused)?;
    check_id(&call, &document)?;
    let (id, stored) = account_record::create(place(&call), document).await?;
    Ok(created(stored, &id.to_string()))
}

/// 204.
///
/// # Errors
/// 404 when there is none, 422 when it does not fit.
pub async fn replace(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.record()?;
    check_account(&document).map_err(refused)?;
    check_id(&call, &document)?;
    let changed = account_record::change(place(&call), follower.as_ref(), id, document).await;
    changed.map_err(|error| of_record(error, collection(&call, TABLE).missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let removed = account_record::remove(place(&call), call.id()?).await;
    removed.map_err(|error| of_record(error, collection(&call, TABLE).missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Accounts have the id that their writer gives them, here and nowhere else in FOLIO. What else is wrong is
/// told with it.
fn check_id(call: &Call, document: &Value) -> Result<(), ApiError> {
    if !document["id"].is_null() || !document.is_object() {
        return Ok(());
    }
    let mut copy = document.clone();
    let checked = collection(call, TABLE).shape.check(&mut copy);
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
///
/// # Errors
/// 422 when it does not fit.
pub async fn create_action(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    check_action(&document).map_err(refused)?;
    let stored = account_record::create_action(place(&call), follower.as_ref(), document).await;
    let (id, stored) = stored?;
    Ok(created(stored, &id.to_string()))
}

/// 204; nobody hears of it, as in FOLIO.
///
/// # Errors
/// 404 when there is none, 422 when it does not fit.
pub async fn replace_action(call: Call) -> Result<Response, ApiError> {
    super::replace(&call, "feefineactions", check_action).await
}
