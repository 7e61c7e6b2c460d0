//! The open requests for an item.

use std::collections::HashMap;

use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use crate::facts::RequestQueue;

/// The queue with the stored documents of its requests, held.
#[derive(Debug, Clone, Default)]
pub struct HeldQueue {
    /// The queue.
    pub queue: RequestQueue,
    /// The documents by id.
    pub documents: HashMap<Uuid, Map<String, Value>>,
}

/// Takes their positions from requests: positions are unique in a queue, so those that change are
/// given up before they are taken anew.
///
/// # Errors
/// When the database does not answer.
pub async fn give_up_positions(
    executor: &impl Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb - 'position' WHERE id = ANY($1)",
        tables.table("request")
    );
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}
