//! Routes of the storage interfaces that are more than records: funds and ledgers whose status reaches
//! their budgets, budgets that go with their allocations.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call, incorrect};
use serde_json::{Value, json};

use super::checked;
use super::records::without_colon;
use crate::app::delete_budget::delete_budget;
use crate::app::status::{replace_fund, replace_ledger};
use crate::records::Sums;
use crate::store::numbers;

/// Adds what is computed from a budget's sums, and zero for missing sums.
pub(super) fn with_sums(document: &mut Value) {
    if let Some(document) = document.as_object_mut() {
        // An amount that is no number is refused by the shape.
        let readable = |name: &str| document.get(name).is_none_or(Value::is_number);
        if Sums::NAMES.into_iter().all(readable) {
            Sums::read(document).write(document);
        }
    }
}

/// 204: a fund, whose new status reaches its current budgets.
pub async fn put_fund(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let mut document = checked(&call, &call.collection("fund").shape)?;
    without_colon(&Value::Object(document.clone()))?;
    document.insert("id".to_owned(), json!(id));
    let transaction = call.store().database.transaction().await?;
    replace_fund(call.context(), &transaction, id, &document).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204: a ledger, whose new status reaches its funds and their current budgets.
pub async fn put_ledger(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let mut document = checked(&call, &call.collection("ledger").shape)?;
    document.insert("id".to_owned(), json!(id));
    let transaction = call.store().database.transaction().await?;
    replace_ledger(call.context(), &transaction, id, &document).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204: a budget goes with its one-sided allocations.
pub async fn remove_budget(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let transaction = call.store().database.transaction().await?;
    delete_budget(call.context(), &transaction, id).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The kinds of jobs that are numbered.
const JOBS: &str = "FundUpdateLogs";

/// 200 with the next number of a kind of job.
pub async fn job_number(call: Call) -> Result<Response, ApiError> {
    let kind = call.parameter("type")?.unwrap_or_default();
    if kind != JOBS {
        return Err(incorrect("type", &kind, "must be FundUpdateLogs"));
    }
    let number = numbers::next(&call.writer().database, call.tables(), &kind).await?;
    let body = json!({"type": kind, "sequenceNumber": number.to_string()});
    Ok(pretty(StatusCode::OK, &body))
}
