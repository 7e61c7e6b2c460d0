//! `…/transactions/batch-all-or-nothing`.

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{Answer, ApiError, Call};
use octavo_records::{OperationError, Shape, StoreError};
use serde_json::{Map, Value, json};

use super::typed;
use crate::app::transactions::apply;
use crate::http::refusal::listed;
use crate::rules::batch::{Batch, BatchRefusal};
use crate::store::accounts::object;

static BATCH: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/bodies/batch.shape"))
        .expect("invariant: the shape is well formed")
});

/// 204.
///
/// # Errors
/// The first refusal; nothing is written then.
pub async fn storage(call: Call) -> Result<Response, ApiError> {
    let batch = read(&call)?;
    let context = call.context();
    let transaction = call.store().database.transaction().await?;
    apply(context, &transaction, &batch)
        .await
        .map_err(answered)?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The answer to a failed batch: a version conflict has FOLIO's code here.
pub(super) fn answered<R: Answer>(declined: OperationError<R>) -> ApiError {
    match declined {
        OperationError::Store(error @ StoreError::VersionConflict { .. }) => {
            let message = format!("Conflict when updating a record in table transaction: {error}");
            let error = json!({"message": message, "code": "conflict", "parameters": []});
            listed(StatusCode::CONFLICT, &[error])
        }
        other => other.into(),
    }
}

/// The batch of a request. What FOLIO asks of it before all else is checked on the way: metadata of updates,
/// and ids.
pub(super) fn read(call: &Call) -> Result<Batch, ApiError> {
    let mut body = call.record()?;
    without_metadata(&body).map_or(Ok(()), |refusal| Err(refusal.answer()))?;
    BATCH.check(&mut body).map_err(StoreError::Invalid)?;
    let mut body = object(body);
    let patches = list(&mut body, "transactionPatches").len();
    let create = list(&mut body, "transactionsToCreate");
    let update = list(&mut body, "transactionsToUpdate");
    for (name, documents) in [("create", &create), ("update", &update)] {
        if documents.iter().any(|one| one.get("id").is_none()) {
            return Err(BatchRefusal::IdMissing(name).answer());
        }
    }
    let delete = Value::Array(list(&mut body, "idsOfTransactionsToDelete"));
    Ok(Batch {
        create: typed(Value::Array(create))?,
        update: typed(Value::Array(update))?,
        delete: typed(delete)?,
        patches,
    })
}

fn list(body: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    match body.remove(name) {
        Some(Value::Array(elements)) => elements,
        _ => Vec::new(),
    }
}

fn without_metadata(body: &Value) -> Option<BatchRefusal> {
    let updates = body.get("transactionsToUpdate")?.as_array()?;
    let bare = updates.iter().find(|one| !one["metadata"].is_object())?;
    let id = bare["id"].as_str().unwrap_or("null");
    Some(BatchRefusal::WithoutMetadata(
        id.chars().take(100).collect(),
    ))
}
