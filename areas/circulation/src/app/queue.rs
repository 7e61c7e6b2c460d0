//! Carrying out what a decision says about the request queue.

use std::collections::HashMap;

use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Desk;
use crate::facts::PositionChange;
use crate::store::queue::give_up_positions;

/// Stores the changed requests. Positions are unique in a queue, so those that change are first
/// given up and then taken anew.
///
/// # Errors
/// When the database does not answer.
pub async fn store_changes(
    desk: Desk<'_>,
    transaction: &Transaction,
    mut documents: HashMap<Uuid, Map<String, Value>>,
    changed: Option<Uuid>,
    positions: &[PositionChange],
) -> Result<(), StoreError> {
    let collection = desk.collection("request")?;
    for change in positions {
        if let Some(document) = documents.get_mut(&change.request_id) {
            change.apply_to(document);
        }
    }
    let moving: Vec<Uuid> = positions.iter().map(|change| change.request_id).collect();
    if !moving.is_empty() {
        give_up_positions(transaction, desk.tables(), &moving).await?;
    }
    let rest = moving.iter().copied().filter(|id| Some(*id) != changed);
    for id in changed.into_iter().chain(rest) {
        if let Some(document) = documents.get(&id) {
            replace(
                transaction,
                desk.tenant,
                collection,
                id,
                document,
                &desk.stamp,
            )
            .await?;
        }
    }
    Ok(())
}
