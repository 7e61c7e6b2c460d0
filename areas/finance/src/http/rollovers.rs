//! `/finance/ledger-rollovers` and `/finance-storage/ledger-rollovers`.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty_text};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::store::fetch;

use super::checked;
use crate::app::rollover::{Rollovers, begin, remove as removed};

const TABLE: &str = "ledger_fiscal_year_rollover";

/// 201 with the rollover, which is done in the background.
pub async fn create(
    work: Arc<Rollovers>,
    prefix: &'static str,
    call: Call,
) -> Result<Response, ApiError> {
    let collection = call.collection(TABLE);
    let document = checked(&call, &collection.shape)?;
    let transaction = call.store().database.transaction().await?;
    let id = begin(call.context(), &transaction, document).await?;
    let made = fetch(&transaction, &call.tenant, collection, id).await?;
    transaction.commit().await?;
    call.begin_work(work);
    let made = made.ok_or(StoreError::NotFound)?;
    Ok(created(pretty_text(&made).into(), &format!("{prefix}{id}")))
}

/// 204: a rollover goes with its progress, errors and budgets.
pub async fn remove(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let transaction = call.store().database.transaction().await?;
    removed(call.context(), &transaction, id).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Does what other processes have left.
pub async fn run(work: Arc<Rollovers>, call: Call) -> Result<Response, ApiError> {
    call.begin_work(work);
    Ok(empty(StatusCode::NO_CONTENT))
}
