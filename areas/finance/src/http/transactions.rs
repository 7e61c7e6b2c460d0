//! `/finance/transactions`, allocations, transfers, encumbrances that are released.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, pretty_text};
use octavo_platform::{ApiError, Call};
use octavo_records::store::fetch;
use octavo_records::{StoreError, new_id};
use serde_json::{Value, json};

use super::batch::{answered, read};
use super::{checked, typed};
use crate::app::move_money::{apply_sent, set_status};
use crate::records::{EncumbranceStatus, FundTransaction, Kind};
use crate::refusal::Refusal;
use crate::rules::batch::Batch;

/// 204.
///
/// # Errors
/// The first refusal; nothing is written then.
pub async fn batch(call: Call) -> Result<Response, ApiError> {
    let batch = read(&call)?;
    let transaction = call.store().database.transaction().await?;
    apply_sent(call.context(), &transaction, &batch)
        .await
        .map_err(answered)?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

async fn single(call: Call, kind: Kind) -> Result<Response, ApiError> {
    let collection = call.collection("transaction");
    let mut document = checked(&call, &collection.shape)?;
    document.entry("id").or_insert_with(|| json!(new_id()));
    let sent: FundTransaction = typed(Value::Object(document))?;
    if sent.kind != kind {
        return Err(Refusal::InvalidTransactionType.into());
    }
    let id = sent.id;
    let transaction = call.store().database.transaction().await?;
    let batch = Batch::creating(vec![sent]);
    apply_sent(call.context(), &transaction, &batch)
        .await
        .map_err(answered)?;
    let stored = fetch(&transaction, &call.tenant, collection, id).await?;
    transaction.commit().await?;
    let stored = stored.ok_or(StoreError::NotFound)?;
    let location = format!("/finance/transactions/{id}");
    Ok(created(pretty_text(&stored).into(), &location))
}

/// 201 with the allocation.
pub async fn allocate(call: Call) -> Result<Response, ApiError> {
    single(call, Kind::Allocation).await
}

/// 201 with the transfer.
pub async fn transfer(call: Call) -> Result<Response, ApiError> {
    single(call, Kind::Transfer).await
}

async fn changed(call: Call, status: EncumbranceStatus) -> Result<Response, ApiError> {
    let id = call.id()?;
    let transaction = call.store().database.transaction().await?;
    set_status(call.context(), &transaction, id, status)
        .await
        .map_err(answered)?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204: the encumbrance is released.
pub async fn release(call: Call) -> Result<Response, ApiError> {
    changed(call, EncumbranceStatus::Released).await
}

/// 204: the encumbrance commits money again.
pub async fn unrelease(call: Call) -> Result<Response, ApiError> {
    changed(call, EncumbranceStatus::Unreleased).await
}
