//! The records of many pieces at once.

use octavo_boxed::boxed;
use octavo_records::store::{Locking, insert_many, replace_many};
use octavo_records::{Context, StoreError, new_id};
use serde_json::{Value, json};
use uuid::Uuid;

use super::checked;
use crate::rules::doc::{Doc, id as id_at, set};
use crate::store::lines::Held;
use crate::store::pieces::by_ids;

/// The table of pieces.
pub const TABLE: &str = "pieces";
/// Pieces of one request at most.
pub const PIECES_MAX: usize = 10_000;

/// Creates pieces as the storage does; returns them as they are stored.
///
/// # Errors
/// When one of them does not fit.
#[boxed]
pub async fn create_many(
    context: &Context<'_>,
    documents: Vec<Value>,
) -> Result<Vec<Doc>, StoreError> {
    let mut pieces = Vec::with_capacity(documents.len());
    for document in documents {
        let mut piece = checked(context, TABLE, document)?;
        if id_at(&piece, "id").is_none() {
            set(&mut piece, "id", json!(new_id()));
        }
        pieces.push(piece);
    }
    let ids: Vec<Uuid> = pieces
        .iter()
        .filter_map(|piece| id_at(piece, "id"))
        .collect();
    let transaction = context.store.database.transaction().await?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let collection = context.collection(TABLE);
    insert_many(&transaction, tenant, collection, pieces, stamp).await?;
    let mut stored = by_ids(&transaction, context.tables(), &ids, Held::No).await?;
    stored.sort_by_cached_key(|piece| {
        let id = id_at(piece, "id");
        ids.iter().position(|one| Some(*one) == id)
    });
    transaction.commit().await?;
    Ok(stored)
}

/// Replaces pieces as the storage does.
///
/// # Errors
/// When one of them is missing or does not fit.
#[boxed]
pub async fn change_many(context: &Context<'_>, documents: Vec<Value>) -> Result<(), StoreError> {
    let mut pieces = Vec::with_capacity(documents.len());
    for document in documents {
        let piece = checked(context, TABLE, document)?;
        let id = id_at(&piece, "id").ok_or(StoreError::NotFound)?;
        pieces.push((id, piece));
    }
    let transaction = context.store.database.transaction().await?;
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (collection, locking) = (context.collection(TABLE), Locking::Declared);
    replace_many(&transaction, tenant, collection, &pieces, stamp, locking).await?;
    transaction.commit().await?;
    Ok(())
}
