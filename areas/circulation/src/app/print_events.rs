//! Records printed slips: an event for each request, and print details in the requests.

use std::collections::BTreeSet;

use jiff::Timestamp;
use octavo_library::{RequestId, UserId};
use octavo_records::instant;
use octavo_records::store::{Hold, Locking, fetch_many, insert_many, replace_many};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Desk;
use super::operation_error::OperationError;
use crate::refusal::DeskRefusal;
use crate::settings::PrintEventLog;
use crate::store::print_events::counts;
use crate::store::settings::settings;

/// Maximal number of requests of one call.
pub const REQUESTS_MAX: usize = 5_000;

/// Slips that were printed.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The requests.
    pub requests: Vec<RequestId>,
    /// The printing user.
    pub requester_id: UserId,
    pub requester_name: String,
    /// The time.
    pub at: Timestamp,
}

/// Which requests must exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// None: missing ones are ignored (FOLIO's storage).
    Nothing,
    /// All, without duplicates, and the tenant's setting must be enabled.
    FeatureAndRequests,
}

/// Records printed slips. The requests are locked while their events are counted, so that a concurrent
/// call counts these events too.
pub async fn keep(
    desk: Desk<'_>,
    printed: &Printed,
    checked: Checked,
) -> Result<(), OperationError> {
    if checked == Checked::FeatureAndRequests {
        let set = settings(&desk.store.database, desk.tables()).await?;
        let refused = match set.print_event_log() {
            PrintEventLog::On => None,
            PrintEventLog::Off => Some(DeskRefusal::PrintLogOff),
            PrintEventLog::Undecided => Some(DeskRefusal::PrintLogUndecided),
        };
        if let Some(refusal) = refused {
            return Err(OperationError::Refused(refusal));
        }
    }
    let (tenant, requests) = (desk.tenant, desk.collection("request"));
    let distinct: BTreeSet<Uuid> = printed.requests.iter().map(|id| id.uuid()).collect();
    let ids: Vec<Uuid> = distinct.into_iter().collect();
    let transaction = desk.store.database.transaction().await?;
    let held = fetch_many(&transaction, tenant, requests, &ids, Hold::Exclusive).await?;
    if checked == Checked::FeatureAndRequests && held.len() != printed.requests.len() {
        return Err(OperationError::Refused(DeskRefusal::PrintedRequestUnknown));
    }
    let events = printed.requests.iter().map(|id| event(printed, *id));
    let collection = desk.collection("print_events");
    let (stamp, locking) = (&desk.stamp, Locking::Declared);
    insert_many(&transaction, tenant, collection, events.collect(), stamp).await?;
    let mut changed: Vec<(Uuid, Map<String, Value>)> = Vec::with_capacity(held.len());
    for (id, count) in counts(&transaction, desk.tables(), &ids).await? {
        if let Some(Value::Object(document)) = held.get(&id) {
            changed.push((id, with_print_details(document, printed, count)));
        }
    }
    replace_many(&transaction, tenant, requests, &changed, stamp, locking).await?;
    transaction.commit().await?;
    Ok(())
}

fn event(printed: &Printed, request: RequestId) -> Map<String, Value> {
    let mut event = Map::new();
    event.insert("requestId".to_owned(), json!(request));
    event.insert("requesterId".to_owned(), json!(printed.requester_id));
    event.insert("requesterName".to_owned(), json!(printed.requester_name));
    let at = instant::format(printed.at);
    event.insert("printEventDate".to_owned(), json!(at));
    event
}

/// The request with how often it was printed.
fn with_print_details(
    document: &Map<String, Value>,
    printed: &Printed,
    count: i64,
) -> Map<String, Value> {
    let mut document = document.clone();
    let details = json!({"printCount": count, "requesterId": printed.requester_id,
                         "isPrinted": true, "printEventDate": instant::format(printed.at)});
    document.insert("printDetails".to_owned(), details);
    document
}
