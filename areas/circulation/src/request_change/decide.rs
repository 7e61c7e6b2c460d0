//! Decides on replacing a request.

use jiff::tz::TimeZone;
use octavo_library::{ItemStatus, RequestId, RequestStatus, wire_time};
use serde_json::{Map, Value};

use crate::refusal::UpkeepRefusal;

type Document = Map<String, Value>;

/// Properties of views, and parameters of placing: neither is stored.
const NOT_STORED: [&str; 7] = [
    "item",
    "requester",
    "proxy",
    "loan",
    "pickupServicePoint",
    "deliveryAddress",
    "requestProcessingParameters",
];

/// Properties that a replacement does not change: items are assigned at the desk or by moving, positions
/// by reordering the queue.
const KEPT: [&str; 6] = [
    "requestLevel",
    "requestType",
    "instanceId",
    "holdingsRecordId",
    "itemId",
    "position",
];

/// All statuses, in the order of FOLIO's message.
const STATUSES: [RequestStatus; 8] = [
    RequestStatus::NotYetFilled,
    RequestStatus::AwaitingPickup,
    RequestStatus::InTransit,
    RequestStatus::AwaitingDelivery,
    RequestStatus::Filled,
    RequestStatus::Cancelled,
    RequestStatus::Unfilled,
    RequestStatus::PickupExpired,
];

/// The facts of a change.
#[derive(Debug, Clone)]
pub struct ChangeFacts<'a> {
    /// The request's id.
    pub id: RequestId,
    /// The stored request, if it exists.
    pub stored: Option<&'a Document>,
    /// Whether title level requests are enabled.
    pub titles: bool,
    /// Whether the sent proxy acts for the sent requester.
    pub proxy_acts: bool,
    /// The sent service point.
    pub pickup: Option<&'a Value>,
    /// Whether the sent cancellation reason exists, or none is sent.
    pub reason_exists: bool,
    /// The tenant's time zone.
    pub zone: &'a TimeZone,
}

/// The changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangePlan {
    /// The document to store, without the summaries of what it refers to.
    pub document: Document,
    /// Whether the request leaves its queue.
    pub leaves: bool,
    /// Whether it is cancelled.
    pub cancelled: bool,
}

/// The status of a stored or sent document; "not yet filled" when absent.
///
/// # Errors
/// FOLIO's message for an unknown status.
pub fn status_of(document: &Document) -> Result<RequestStatus, String> {
    let Some(given) = document.get("status") else {
        return Ok(RequestStatus::NotYetFilled);
    };
    let given = given.as_str().unwrap_or_default();
    let mut known = STATUSES.into_iter();
    known
        .find(|status| status.name().eq_ignore_ascii_case(given))
        .ok_or_else(|| {
            let names = STATUSES.map(|status| format!("\"{}\"", status.name()));
            let names = names.join(", ");
            format!("Request status must be one of the following: {names}")
        })
}

/// The stored form of a well-formed sent request.
#[must_use]
pub fn stripped(
    id: RequestId,
    mut sent: Document,
    status: RequestStatus,
    zone: &TimeZone,
) -> Document {
    for name in NOT_STORED {
        sent.shift_remove(name);
    }
    if let Some(Value::Object(printed)) = sent.get_mut("printDetails") {
        printed.shift_remove("lastPrintRequester");
    }
    sent.insert("id".into(), id.to_string().into());
    sent.insert("status".into(), status.name().into());
    if let Some(end) = end_of_day(&sent, zone) {
        sent.insert("requestExpirationDate".into(), end.into());
    }
    sent
}

/// Requests expire at the end of a day, in the tenant's time zone.
fn end_of_day(sent: &Document, zone: &TimeZone) -> Option<String> {
    let given = wire_time::parse(sent.get("requestExpirationDate")?.as_str()?)?;
    let day = given.to_zoned(zone.clone()).date();
    let end = day.at(23, 59, 59, 0).to_zoned(zone.clone()).ok()?;
    Some(wire_time::format(end.timestamp()))
}

/// Decides a change; `None` if the request does not exist and is to be placed.
///
/// # Errors
/// The first refusal, in FOLIO's order.
pub fn decide(
    sent: &Document,
    status: RequestStatus,
    facts: &ChangeFacts<'_>,
) -> Result<Option<ChangePlan>, UpkeepRefusal> {
    check_form(sent, facts)?;
    check_proxy(sent, facts)?;
    check_pickup(sent, facts)?;
    let Some(stored) = facts.stored else {
        return Ok(None);
    };
    let comment = |document: &Document| text(document, "patronComments");
    if comment(sent) != comment(stored) {
        return Err(UpkeepRefusal::PatronCommentsChanged {
            existing: comment(stored),
        });
    }
    let before = status_of(stored).unwrap_or(RequestStatus::NotYetFilled);
    if !before.is_open() {
        return Err(UpkeepRefusal::AlreadyClosed { id: facts.id });
    }
    if status == RequestStatus::Cancelled && !facts.reason_exists {
        return Err(UpkeepRefusal::CancellationReasonUnknown);
    }
    let mut document = stripped(facts.id, sent.clone(), status, facts.zone);
    for name in KEPT {
        keep(&mut document, stored, name);
    }
    // A client that sends a version read before the item was assigned does not unassign it.
    if status == RequestStatus::NotYetFilled && before != status {
        document.insert("status".into(), before.name().into());
        keep(&mut document, stored, "holdShelfExpirationDate");
    }
    let leaves = !status.is_open();
    if leaves {
        document.shift_remove("position");
    }
    Ok(Some(ChangePlan {
        document,
        leaves,
        cancelled: status == RequestStatus::Cancelled,
    }))
}

fn keep(document: &mut Document, stored: &Document, name: &str) {
    match stored.get(name) {
        Some(value) => document.insert(name.into(), value.clone()),
        None => document.shift_remove(name),
    };
}

fn check_form(sent: &Document, facts: &ChangeFacts<'_>) -> Result<(), UpkeepRefusal> {
    let level = text(sent, "requestLevel");
    let is = |name: &str| {
        level
            .as_deref()
            .is_some_and(|level| level.eq_ignore_ascii_case(name))
    };
    let titles = facts.titles;
    let allowed = is("Item") || (titles && is("Title"));
    if !allowed {
        return Err(UpkeepRefusal::LevelNotAllowed { level, titles });
    }
    let preference = text(sent, "fulfillmentPreference");
    if !matches!(preference.as_deref(), Some("Hold Shelf" | "Delivery")) {
        return Err(UpkeepRefusal::FulfillmentNotAllowed { preference });
    }
    let (instance, item) = (text(sent, "instanceId"), text(sent, "itemId"));
    if blank(&instance) {
        return Err(UpkeepRefusal::WithoutInstance { id: instance });
    }
    if is("Item") && blank(&item) {
        return Err(UpkeepRefusal::WithoutItem { id: item });
    }
    let holdings = text(sent, "holdingsRecordId");
    if !blank(&item) && blank(&holdings) {
        return Err(UpkeepRefusal::WithoutHoldings { id: holdings });
    }
    if blank(&text(sent, "requestDate")) {
        return Err(UpkeepRefusal::WithoutRequestDate);
    }
    Ok(())
}

fn check_proxy(sent: &Document, facts: &ChangeFacts<'_>) -> Result<(), UpkeepRefusal> {
    let Some(id) = text(sent, "proxyUserId") else {
        return Ok(());
    };
    if Some(&id) == text(sent, "requesterId").as_ref() {
        return Err(UpkeepRefusal::OwnProxy { id });
    }
    match facts.proxy_acts {
        true => Ok(()),
        false => Err(UpkeepRefusal::ProxyNotValid { id }),
    }
}

fn check_pickup(sent: &Document, facts: &ChangeFacts<'_>) -> Result<(), UpkeepRefusal> {
    let Some(id) = text(sent, "pickupServicePointId") else {
        return match text(sent, "fulfillmentPreference").as_deref() {
            Some("Hold Shelf") => Err(UpkeepRefusal::WithoutPickupPoint { id: facts.id }),
            _ => Ok(()),
        };
    };
    let Some(point) = facts.pickup else {
        return Err(UpkeepRefusal::PickupPointNotFound { id });
    };
    match point["pickupLocation"].as_bool() {
        Some(true) => Ok(()),
        _ => Err(UpkeepRefusal::NotAPickupLocation { id }),
    }
}

fn text(document: &Document, name: &str) -> Option<String> {
    let text = document.get(name).and_then(Value::as_str);
    text.map(str::to_owned)
}

fn blank(text: &Option<String>) -> bool {
    text.as_deref().is_none_or(|text| text.trim().is_empty())
}

/// The item's new status after the change of its request: available when nobody pages it any more, paged
/// when it should have been.
#[must_use]
pub fn item_status_after(
    request: &Document,
    item_status: ItemStatus,
    others_want_it: bool,
) -> Option<ItemStatus> {
    let open = status_of(request).is_ok_and(RequestStatus::is_open);
    let page = request.get("requestType").and_then(Value::as_str) == Some("Page");
    match item_status {
        ItemStatus::Paged if !open && !others_want_it => Some(ItemStatus::Available),
        ItemStatus::Available if open && page => Some(ItemStatus::Paged),
        _ => None,
    }
}
