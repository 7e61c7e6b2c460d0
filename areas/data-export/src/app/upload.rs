//! Uploads of declared files. Portions are stored one by one; an interrupted upload can be repeated.

use bytes::{Bytes, BytesMut};
use octavo_library::{FileDefinitionId, UploadAttemptId};
use octavo_platform::{ApiError, Upload};
use octavo_postgres::{DatabaseError, Transaction};
use octavo_records::StoreError;
use octavo_records::store::{fetch_locked, replace};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Context;
use crate::collections::DEFINITIONS;
use crate::store::uploads;

/// FOLIO's limit of a file, in kilobytes.
pub const FILE_KB_MAX: i64 = 500_000;
/// Size of a portion, which is one row.
const PORTION_BYTES: usize = 512 * 1024;

/// Why an upload is refused.
#[derive(Debug)]
pub enum NotTaken {
    /// There is no such file definition.
    Unknown,
    /// It is uploaded already.
    Taken,
    /// It is larger than files may be.
    TooLarge,
    /// The upload was interrupted, or too slow.
    Broken(ApiError),
    /// The store's reason.
    Store(StoreError),
}

impl From<StoreError> for NotTaken {
    fn from(error: StoreError) -> NotTaken {
        NotTaken::Store(error)
    }
}

impl From<DatabaseError> for NotTaken {
    #[track_caller]
    fn from(error: DatabaseError) -> NotTaken {
        NotTaken::Store(error.into())
    }
}

/// Receives the file of a definition; returns the new definition.
///
/// # Errors
/// When there is no definition, it is uploaded already, or the upload is incomplete.
pub async fn take(
    context: &Context<'_>,
    id: FileDefinitionId,
    coming: &Upload,
) -> Result<Value, NotTaken> {
    let transaction = context.store.database.transaction().await?;
    announced(context, &transaction, id).await?;
    // No transaction stays open while the file arrives; `complete` checks the definition again.
    transaction.rollback().await?;
    let attempt = UploadAttemptId::from(Uuid::new_v4());
    let outcome = match keep(context, id, attempt, coming).await {
        Ok(()) => complete(context, id, attempt).await,
        Err(reason) => Err(reason),
    };
    if outcome.is_err() {
        uploads::remove(&context.store.database, context.tenant, id, attempt).await?;
    }
    outcome
}

/// A definition whose file is not uploaded yet, locked until the transaction ends.
async fn announced(
    context: &Context<'_>,
    transaction: &Transaction,
    id: FileDefinitionId,
) -> Result<Map<String, Value>, NotTaken> {
    let collection = context.collection(DEFINITIONS);
    match fetch_locked(transaction, context.tenant, collection, id.uuid()).await? {
        Some(Value::Object(document)) if document.get("status") == Some(&json!("NEW")) => {
            Ok(document)
        }
        Some(_) => Err(NotTaken::Taken),
        None => Err(NotTaken::Unknown),
    }
}

async fn keep(
    context: &Context<'_>,
    id: FileDefinitionId,
    attempt: UploadAttemptId,
    coming: &Upload,
) -> Result<(), NotTaken> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let (mut number, mut length) = (1, 0);
    let mut waiting = BytesMut::with_capacity(PORTION_BYTES);
    loop {
        let piece: Option<Bytes> = coming.next().await.map_err(NotTaken::Broken)?;
        let is_last = piece.is_none();
        let piece = piece.unwrap_or_default();
        length += piece.len() as i64;
        if length > FILE_KB_MAX * 1_024 {
            return Err(NotTaken::TooLarge);
        }
        waiting.extend_from_slice(&piece);
        while waiting.len() >= PORTION_BYTES || (is_last && !waiting.is_empty()) {
            let portion = waiting.split_to(waiting.len().min(PORTION_BYTES));
            uploads::add(database, tenant, id, attempt, number, &portion).await?;
            number += 1;
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Marks the upload as the file, unless another upload was faster.
async fn complete(
    context: &Context<'_>,
    id: FileDefinitionId,
    attempt: UploadAttemptId,
) -> Result<Value, NotTaken> {
    let (tenant, collection) = (context.tenant, context.collection(DEFINITIONS));
    let transaction = context.store.database.transaction().await?;
    let mut document = announced(context, &transaction, id).await?;
    uploads::finish(&transaction, tenant, id, attempt).await?;
    document.insert("status".to_owned(), json!("COMPLETED"));
    let path = format!("data-export/uploads/{id}");
    document.insert("sourcePath".to_owned(), json!(path));
    let stamp = &context.stamp;
    replace(
        &transaction,
        tenant,
        collection,
        id.uuid(),
        &document,
        stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(Value::Object(document))
}
