//! What stands on an item that is held: its open loan with the borrower, and the requests for it.

use std::collections::HashMap;

use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::loan::HeldLoan;
use super::queue::HeldQueue;
use super::{Tables, read};
use crate::due_date::HoldShelf;
use crate::facts::{Item, Patron, QueuedRequest, RequestQueue};

/// What stands on an item; loan and requests are held until the transaction ends.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The open loan.
    pub loan: Option<HeldLoan>,
    /// Its borrower.
    pub borrower: Option<Patron>,
    /// The open requests for the item and for its title.
    pub queue: HeldQueue,
    /// The hold shelves of the service points where requesters pick up.
    pub hold_shelves: HashMap<Uuid, HoldShelf>,
}

/// Reads what stands on an item, in one statement. Hold the item before.
///
/// # Errors
/// When the database does not answer.
pub async fn of_item(
    executor: &impl Executor,
    tables: Tables<'_>,
    item: &Item,
) -> Result<Standing, StoreError> {
    let request = tables.table("request");
    let sql = format!(
        "WITH open_loan AS MATERIALIZED (SELECT jsonb FROM {} WHERE {} FOR NO KEY UPDATE),
         queue AS MATERIALIZED (SELECT jsonb FROM {request} WHERE id IN (
           SELECT id FROM {request} WHERE {} AND jsonb->>'status' LIKE 'Open%'
           UNION ALL SELECT id FROM {request} WHERE {} AND jsonb->>'status' LIKE 'Open%'
             AND jsonb->>'requestLevel' = 'Title')
           FOR NO KEY UPDATE)
         SELECT (SELECT jsonb FROM open_loan),
           (SELECT jsonb FROM {} WHERE id = (SELECT (jsonb->>'userId')::uuid FROM open_loan)),
           (SELECT jsonb_agg(jsonb) FROM queue),
           (SELECT jsonb_object_agg(id, jsonb) FROM {}
             WHERE id IN (SELECT (jsonb->>'pickupServicePointId')::uuid FROM queue))",
        tables.table("loan"),
        tables.equals("loan", "itemId", "$1::text"),
        tables.equals("request", "itemId", "$1::text"),
        tables.equals("request", "instanceId", "$2::text"),
        tables.table("users"),
        tables.table("service_point"),
    );
    let values = (item.id.to_string(), item.instance_id.to_string());
    let rows = executor.rows(&sql, &[&values.0, &values.1]).await?;
    let Some(row) = rows.first() else {
        return Ok(Standing::default());
    };
    let loan: Option<Value> = row.get(0);
    let borrower: Option<Value> = row.get(1);
    let hold_shelves: Option<Value> = row.get(3);
    Ok(Standing {
        loan: loan.map(HeldLoan::read).transpose()?,
        borrower: borrower.map(|user| read("user", user)).transpose()?,
        queue: queue(row.get(2))?,
        hold_shelves: hold_shelves
            .map(|points| read("service point", points))
            .transpose()?
            .unwrap_or_default(),
    })
}

fn queue(documents: Option<Value>) -> Result<HeldQueue, StoreError> {
    let Some(Value::Array(documents)) = documents else {
        return Ok(HeldQueue::default());
    };
    let mut requests: Vec<QueuedRequest> = Vec::with_capacity(documents.len());
    let mut by_id: HashMap<Uuid, Map<String, Value>> = HashMap::with_capacity(documents.len());
    for document in documents {
        let request: QueuedRequest = read("request", document.clone())?;
        if let Value::Object(document) = document {
            by_id.insert(request.id, document);
        }
        requests.push(request);
    }
    Ok(HeldQueue {
        queue: RequestQueue::new(requests),
        documents: by_id,
    })
}
