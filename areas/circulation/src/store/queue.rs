//! The open requests for an item.

use std::collections::HashMap;

use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Tables, read};
use crate::facts::{Item, QueuedRequest, RequestQueue};

/// The queue with the stored documents of its requests, held.
#[derive(Debug, Clone, Default)]
pub struct HeldQueue {
    /// The queue.
    pub queue: RequestQueue,
    /// The documents by id.
    pub documents: HashMap<Uuid, Map<String, Value>>,
}

/// Reads the open requests for an item and those for its title.
///
/// # Errors
/// When the database does not answer.
pub async fn of_item(
    executor: &impl Executor,
    tables: Tables<'_>,
    item: &Item,
) -> Result<HeldQueue, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {0} WHERE id IN (
           SELECT id FROM {0} WHERE {1} AND jsonb->>'status' LIKE 'Open%'
           UNION SELECT id FROM {0} WHERE {2} AND jsonb->>'status' LIKE 'Open%'
             AND jsonb->>'requestLevel' = 'Title')
         FOR NO KEY UPDATE",
        tables.table("request"),
        tables.equals("request", "itemId", "$1::text"),
        tables.equals("request", "instanceId", "$2::text"),
    );
    let rows = executor
        .rows(&sql, &[&item.id.to_string(), &item.instance_id.to_string()])
        .await?;
    let mut requests: Vec<QueuedRequest> = Vec::with_capacity(rows.len());
    let mut documents = HashMap::with_capacity(rows.len());
    for row in &rows {
        let document: Value = row.get(1);
        requests.push(read("request", document.clone())?);
        if let Value::Object(document) = document {
            documents.insert(row.get(0), document);
        }
    }
    Ok(HeldQueue {
        queue: RequestQueue::new(requests),
        documents,
    })
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
