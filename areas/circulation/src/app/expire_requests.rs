//! Closes expired requests; those after them move up.

use std::collections::BTreeMap;

use futures_util::try_join;
use octavo_library::{RequestId, RequestStatus};
use octavo_records::store::{Locking, replace_many};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Desk;
use super::journal::By;
use super::log_requests::log_request_changes;
use crate::queue_upkeep::{QueueOf, expired, renumbered};
use crate::request_change::{RequestAct, RequestChanged};
use crate::store::expiry::{OpenRequest, hold_queues, queues_with_expired};
use crate::store::queue::put_in_places;
use crate::store::settings::settings;

/// Requests that one transaction looks for, as in FOLIO.
const PORTION: i64 = 150;
/// Portions of one run; the next run does the rest.
const PORTIONS_MAX: usize = 40;

/// Closes expired requests; returns how many. Safe to run in several processes at once.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn expire_requests(desk: Desk<'_>) -> Result<usize, StoreError> {
    let set = settings(&desk.store.database, desk.tables()).await?;
    let of = match set.title_level_requests().enabled {
        true => QueueOf::Title,
        false => QueueOf::Item,
    };
    let mut all = 0;
    for _ in 0..PORTIONS_MAX {
        let done = retried(|| portion(desk, of)).await?;
        all += done;
        if done == 0 {
            break;
        }
    }
    Ok(all)
}

async fn portion(desk: Desk<'_>, of: QueueOf) -> Result<usize, StoreError> {
    let (tenant, collection) = (desk.tenant, desk.collection("request"));
    let transaction = desk.store.database.transaction().await?;
    let (tables, now) = (desk.tables(), desk.stamp.at);
    let queues = queues_with_expired(&transaction, tables, of, now, PORTION).await?;
    if queues.is_empty() {
        transaction.rollback().await?;
        return Ok(0);
    }
    let held = hold_queues(&transaction, tables, of, &queues).await?;
    let mut closed = Vec::new();
    let mut open: BTreeMap<String, Vec<OpenRequest>> = BTreeMap::new();
    for request in held {
        match expired(&request.document, now) {
            Some(status) => closed.push((request, status)),
            None => open.entry(request.queue.clone()).or_default().push(request),
        }
    }
    let places: Vec<(RequestId, i64)> = open.values().flat_map(|queue| places(queue)).collect();
    let closed: Vec<RequestChanged> = closed.into_iter().map(expired_now).collect();
    let number = closed.len();
    let changed: Vec<(Uuid, Map<String, Value>)> =
        (closed.iter().map(|one| (one.id.uuid(), one.after.clone()))).collect();
    let (stamp, locking) = (&desk.stamp, Locking::Declared);
    let updated = stamp.updated();
    try_join!(
        replace_many(&transaction, tenant, collection, &changed, stamp, locking),
        put_in_places(&transaction, tables, &places, &updated),
        log_request_changes(desk, &transaction, &closed, By::System),
    )?;
    transaction.commit().await?;
    Ok(number)
}

/// The requests of one queue that get new positions.
pub(super) fn places(queue: &[OpenRequest]) -> Vec<(RequestId, i64)> {
    renumbered(queue.iter().map(|one| (one.id, &one.document)))
}

fn expired_now((request, status): (OpenRequest, RequestStatus)) -> RequestChanged {
    let mut after = request.document.clone();
    after.shift_remove("position");
    after.insert("status".to_owned(), json!(status.name()));
    RequestChanged {
        act: RequestAct::Expired,
        id: request.id,
        before: request.document,
        after,
        user_barcode: request.user_barcode,
        item: request.item,
        reason: None,
    }
}
