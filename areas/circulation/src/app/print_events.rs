//! Keeping that slips were printed: an event for each request, and the requests tell it too.

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

/// Requests that may be told as printed at once.
pub const REQUESTS_MAX: usize = 5_000;

/// Slips that were printed.
#[derive(Debug, Clone)]
pub struct Printed {
    /// For which requests.
    pub requests: Vec<RequestId>,
    /// By whom.
    pub requester_id: UserId,
    pub requester_name: String,
    /// When.
    pub at: Timestamp,
}

/// Which requests must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// None: those that are not there are passed over (FOLIO's storage).
    Nothing,
    /// All, each named once, and the tenant must want printing to be kept.
    FeatureAndRequests,
}

/// Keeps what was printed. The requests are held while they are counted, so that of two at once the
/// second counts the first one's events.
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
