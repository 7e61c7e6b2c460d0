//! Closing the requests whose time is over; those behind them move up.

use std::collections::BTreeMap;

use octavo_records::store::{Locking, replace_many};
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Desk, journal};
use crate::facts::{LogEntry, LogLinks, RequestStatus};
use crate::queue_upkeep::{QueueOf, expired, renumbered};
use crate::store::expiry::{OpenRequest, hold_queues, queues_with_expired};
use crate::store::queue::give_up_positions;
use crate::store::settings::settings;

/// Requests that one transaction looks for, as in FOLIO.
const PORTION: i64 = 150;
/// Portions of one run; what is left is for the next.
const PORTIONS_MAX: usize = 40;

/// Closes what has expired; gives how many. Of several processes that do it at once each sees what
/// the others did.
///
/// # Errors
/// When the database does not answer; the portions before that are kept.
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
    let (tenant, collection) = (desk.tenant, desk.collection("request")?);
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
    let lines: Vec<LogEntry> = closed.iter().map(line).collect();
    let number = closed.len();
    let mut changed: Vec<(Uuid, Map<String, Value>)> = Vec::new();
    for (mut request, status) in closed {
        request.document.shift_remove("position");
        let name = json!(status.name());
        request.document.insert("status".to_owned(), name);
        changed.push((request.id, request.document));
    }
    changed.extend(open.into_values().flat_map(moved));
    let ids: Vec<Uuid> = changed.iter().map(|(id, _)| *id).collect();
    give_up_positions(&transaction, tables, &ids).await?;
    let (stamp, locking) = (&desk.stamp, Locking::Declared);
    replace_many(&transaction, tenant, collection, &changed, stamp, locking).await?;
    journal::note_as_system(desk, &transaction, &lines).await?;
    transaction.commit().await?;
    Ok(number)
}

/// The requests of one queue that get other places, with these.
pub(super) fn moved(queue: Vec<OpenRequest>) -> Vec<(Uuid, Map<String, Value>)> {
    let places = renumbered(queue.iter().map(|one| (one.id, &one.document)));
    let places: BTreeMap<Uuid, u64> = places.into_iter().collect();
    let moved = queue.into_iter().filter_map(|mut request| {
        let place = places.get(&request.id)?;
        request.document.insert("position".to_owned(), json!(place));
        Some((request.id, request.document))
    });
    moved.collect()
}

fn line((request, status): &(OpenRequest, RequestStatus)) -> LogEntry {
    let text = |name: &str| request.document.get(name).and_then(Value::as_str);
    let id = |name: &str| text(name).and_then(|one| Uuid::try_parse(one).ok());
    LogEntry {
        object: "Request",
        action: match status {
            RequestStatus::PickupExpired => "Pickup expired",
            _ => "Expired",
        },
        user_barcode: request.user_barcode.clone(),
        items: vec![request.item.clone()],
        service_point_id: id("pickupServicePointId"),
        description: format!(
            "Type: {}. New request status: {} (from: {}).",
            text("requestType").unwrap_or_default(),
            status.name(),
            text("status").unwrap_or_default()
        ),
        link_to_ids: LogLinks {
            user_id: id("requesterId"),
            request_id: Some(request.id),
            ..LogLinks::default()
        },
    }
}
