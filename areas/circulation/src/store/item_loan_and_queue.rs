//! The open loan with its borrower, and the request queue, of a locked item.

use std::collections::HashMap;

use octavo_library::{Patron, PatronGroupId, RequestId};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::loan::HeldLoan;
use super::queue::{HeldQueue, within};
use super::{Tables, read};
use crate::facts::{Item, QueuedRequest, RequestQueue};
use crate::queue_upkeep::QueueOf;

/// Open loan and queue of an item; loan and the requests read are locked until the transaction ends.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The open loan.
    pub loan: Option<HeldLoan>,
    pub borrower: Option<Patron>,
    /// The borrower's record as stored.
    pub borrower_document: Option<Value>,
    /// The loan's remaining amount.
    pub remaining: Option<Value>,
    /// The open requests for the item and its title that an operation can depend on.
    pub queue: HeldQueue,
}

/// Reads open loan and queue in one statement. Lock the item first.
///
/// Of a long queue only the requests that an operation can depend on are read in full: the first two of
/// each kind. A kind is what decisions distinguish: level, type, status, whether it is for this item,
/// for another or for none yet, and for title level requests the requester's group, which the rules may
/// refuse. While title level requests are disabled, existing ones are ignored.
pub async fn of_item(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: &Item,
    titles: bool,
) -> Result<Standing, StoreError> {
    let (request, users) = (tables.table("request"), tables.table("users"));
    let sql = format!(
        "WITH open_loan AS MATERIALIZED (SELECT jsonb FROM {} WHERE {} FOR NO KEY UPDATE),
         asking AS MATERIALIZED (SELECT id, jsonb->>'requestLevel' AS level,
             jsonb->>'requestType' AS type, jsonb->>'status' AS status,
             jsonb->>'itemId' = $1 AS of_it, (jsonb->>'position')::bigint AS place,
             CASE WHEN jsonb->>'requestLevel' = 'Title'
               THEN (jsonb->>'requesterId')::uuid END AS requester
           FROM {request} WHERE id IN (SELECT id FROM {request} WHERE {}
             UNION ALL SELECT id FROM {request} WHERE {} AND jsonb->>'requestLevel' = 'Title'
               AND $3)),
         queued AS MATERIALIZED (SELECT asking.id, asker.jsonb->>'patronGroup' AS patron_group,
             row_number() OVER (PARTITION BY level, type, status, of_it,
               asker.jsonb->>'patronGroup' ORDER BY coalesce(place, 0)) AS nth
           FROM asking LEFT JOIN {users} AS asker ON asker.id = requester),
         queue AS MATERIALIZED (SELECT jsonb FROM {request}
           WHERE id IN (SELECT id FROM queued WHERE nth <= 2) ORDER BY id FOR NO KEY UPDATE)
         SELECT (SELECT jsonb FROM open_loan) AS loan,
           (SELECT jsonb FROM {users} WHERE id = (SELECT (jsonb->>'userId')::uuid FROM open_loan))
             AS borrower,
           (SELECT jsonb_agg(jsonb) FROM queue) AS queue,
           (SELECT to_jsonb(coalesce(sum((jsonb->>'remaining')::numeric), 0)) FROM {}
             WHERE {} AND jsonb->'status'->>'name' = 'Open') AS remaining,
           (SELECT count(*) FROM queued) AS queued,
           (SELECT jsonb_object_agg(id, patron_group) FROM queued
             WHERE nth <= 2 AND patron_group IS NOT NULL) AS patron_groups",
        tables.table("loan"),
        tables.equals("loan", "itemId", "$1::text"),
        within(tables, QueueOf::Item, "$1::text"),
        within(tables, QueueOf::Title, "$2::text"),
        tables.table("accounts"),
        tables.equals("accounts", "loanId", "(SELECT jsonb->>'id' FROM open_loan)"),
    );
    let values = (item.id.to_string(), item.instance_id.to_string());
    let rows = executor
        .rows(&sql, &[&values.0, &values.1, &titles])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(Standing::default());
    };
    let loan: Option<Value> = row.get("loan");
    let borrower: Option<Value> = row.get("borrower");
    Ok(Standing {
        loan: loan.map(HeldLoan::read).transpose()?,
        borrower: borrower
            .clone()
            .map(|user| read("user", user))
            .transpose()?,
        borrower_document: borrower,
        remaining: row.get("remaining"),
        queue: queue(
            row.get("queue"),
            row.get("queued"),
            row.get("patron_groups"),
        )?,
    })
}

fn queue(
    documents: Option<Value>,
    size: i64,
    groups: Option<Value>,
) -> Result<HeldQueue, StoreError> {
    let groups = groups.unwrap_or_default();
    let Some(Value::Array(documents)) = documents else {
        return Ok(HeldQueue::default());
    };
    let mut requests: Vec<QueuedRequest> = Vec::with_capacity(documents.len());
    let mut by_id: HashMap<RequestId, Map<String, Value>> = HashMap::with_capacity(documents.len());
    for document in documents {
        let mut request: QueuedRequest = read("request", document.clone())?;
        let group = groups.get(request.id.to_string()).and_then(Value::as_str);
        request.patron_group = group.and_then(PatronGroupId::parse);
        if let Value::Object(document) = document {
            by_id.insert(request.id, document);
        }
        requests.push(request);
    }
    Ok(HeldQueue {
        queue: RequestQueue::new(requests).of_size(usize::try_from(size).unwrap_or(0)),
        documents: by_id,
    })
}
