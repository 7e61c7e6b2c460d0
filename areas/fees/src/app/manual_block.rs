//! Manual blocks written by staff. Each change is told to circulation in its transaction, which publishes it.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::store::{Hold, delete, fetch_many, insert, replace};
use octavo_records::{Context, StoreError};
use serde_json::{Value, json};
use uuid::Uuid;

use super::account_record::checked;
use crate::account_followers::{BlockAct, Follower};

const TABLE: &str = "manualblocks";

/// Stores a new block; returns its id and what is stored.
///
/// # Errors
/// When it does not fit, or its id is taken.
#[boxed]
pub async fn create(
    context: Context<'_>,
    follower: &dyn Follower,
    block: Value,
) -> Result<(Uuid, Bytes), StoreError> {
    let (tenant, blocks) = (context.tenant, context.collection(TABLE));
    let (_, document) = checked(blocks, block, None)?;
    let transaction = context.store.database.transaction().await?;
    let (id, stored) = insert(&transaction, tenant, blocks, document, &context.stamp).await?;
    let block = read(&stored)?;
    follower
        .blocked(context, &transaction, BlockAct::Created, block)
        .await?;
    transaction.commit().await?;
    Ok((id, stored))
}

/// Replaces a block.
///
/// # Errors
/// When it does not fit, or there is none.
#[boxed]
pub async fn change(
    context: Context<'_>,
    follower: &dyn Follower,
    id: Uuid,
    mut block: Value,
) -> Result<(), StoreError> {
    let (tenant, blocks) = (context.tenant, context.collection(TABLE));
    blocks.settle_id(id, &mut block);
    let (_, document) = checked(blocks, block, Some(id))?;
    let transaction = context.store.database.transaction().await?;
    let replaced = replace(&transaction, tenant, blocks, id, &document, &context.stamp).await?;
    let block = read(&replaced.new)?;
    follower
        .blocked(context, &transaction, BlockAct::Modified, block)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes a block.
///
/// # Errors
/// When there is none.
#[boxed]
pub async fn remove(
    context: Context<'_>,
    follower: &dyn Follower,
    id: Uuid,
) -> Result<(), StoreError> {
    let (tenant, blocks) = (context.tenant, context.collection(TABLE));
    let transaction = context.store.database.transaction().await?;
    let mut found = fetch_many(&transaction, tenant, blocks, &[id], Hold::Exclusive).await?;
    let mut block = found.remove(&id).ok_or(StoreError::NotFound)?;
    delete(&transaction, tenant, blocks, id).await?;
    if let Some(user_id) = context.stamp.user_id {
        block["metadata"]["updatedByUserId"] = json!(user_id);
    }
    follower
        .blocked(context, &transaction, BlockAct::Deleted, block)
        .await?;
    transaction.commit().await?;
    Ok(())
}

fn read(stored: &[u8]) -> Result<Value, StoreError> {
    serde_json::from_slice(stored).map_err(StoreError::from)
}
