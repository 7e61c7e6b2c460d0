//! Places a request: reads everything while its title and item are locked, decides by a pure function,
//! and writes in the same transaction. Of two requests for one item or title the second waits, then
//! queues after the first.
//!
//! Three round trips: title, item, people and settings; the ends of the queues, the item's loan, the
//! requester's open requests; writes with the request's view and COMMIT. A recall takes one more for the
//! loan, and so does a title level page or recall for the chosen item.
//!
//! Notices to borrower or requester are queued before the view.

use std::collections::HashSet;

use futures_util::try_join;
use octavo_library::{DatedStatus, RequestId};
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::store::{insert, replace};
use octavo_records::{Collection, StoreError, retried};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::journal::note;
use super::place_facts::{Read, gather};
use super::recall::shorten;
use super::{Declined, Desk, request_notices};
use crate::circulation_log::{RequestLine, request_created};
use crate::facts::LogItem;
use crate::placing::{ItemRecord, Parts, PlacePlan, PlaceRequest, decide, stored};
use crate::store::item::HeldItem;
use crate::store::view;

/// Places a request; returns it as FOLIO shows it. `permissions` are those of the operator that override
/// blocks.
///
/// # Errors
/// All refusals together. A repeated request is refused because its requester waits already, or because
/// the id is taken.
pub async fn place(
    desk: Desk<'_>,
    request: &PlaceRequest,
    permissions: &HashSet<String>,
) -> Result<Value, Declined> {
    retried(|| async {
        let placed = attempt(desk, request, permissions).await;
        placed.map_err(place_taken)
    })
    .await
}

async fn attempt(
    desk: Desk<'_>,
    request: &PlaceRequest,
    permissions: &HashSet<String>,
) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, request, permissions).await?;
    let deciding = trace::span("decide");
    let plan = decide(&read.request, &read.form, &read.facts, desk.stamp.at);
    drop(deciding);
    let plan = plan.map_err(Declined::Refused)?;
    carry_out(desk, &transaction, &plan, &read).await
}

/// The property in the name of the unique index on positions in queues.
const QUEUE_KEY: &str = "itemId";

/// The position was taken by a record that a client has stored without the locks of this operation:
/// retry with the longer queue.
pub(super) fn place_taken(declined: Declined) -> Declined {
    match declined {
        Declined::Store(StoreError::Duplicate { field, .. }) if field == QUEUE_KEY => {
            StoreError::Contended.into()
        }
        other => other,
    }
}

async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &PlacePlan,
    read: &Read,
) -> Result<Value, Declined> {
    let Read {
        request, config, ..
    } = read;
    let parts = Parts {
        item: read.item.as_ref().map(record_of),
        instance: read.instance.as_ref().unwrap_or(&Value::Null),
        requester: read.people.requester_document.as_ref(),
        proxy: read.people.proxy_document.as_ref(),
        config,
    };
    let mut record = stored(request, &read.form, plan.position, parts, &read.facts.zone);
    let new = RequestId::from(Uuid::new_v4());
    record.entry("id").or_insert_with(|| new.to_string().into());
    let collection = desk.collection("request");
    let record = checked(collection, record)?;
    let id = request.id("id").unwrap_or(new);
    let line = request_created(line_of(id, plan, read), plan.overridden, &record);
    // Lock order: the loan before the request.
    if let Some(loan) = read.loan.as_ref().filter(|_| plan.recalls) {
        shorten(desk, transaction, &read.terms, loan).await?;
    }
    let written = async {
        try_join!(
            change_item(desk, transaction, read.item.as_ref(), plan.item_status),
            insert(transaction, desk.tenant, collection, record, &desk.stamp),
            note(desk, transaction, &line),
        )
    };
    let shown = view::last_request(transaction, desk.tables(), id.uuid());
    let shown = if request_notices::sends_placing_notices(config) {
        // Notices read the written records, so they come before the end of the transaction.
        written.await?;
        request_notices::placed(desk, transaction, &read.terms, config.titles, id).await?;
        shown.await?
    } else {
        let (_, shown) = try_join!(written, shown)?;
        shown
    };
    Ok(shown.ok_or(StoreError::NotFound)?)
}

fn line_of(id: RequestId, plan: &PlacePlan, read: &Read) -> RequestLine {
    let request = &read.request;
    let item = match &read.item {
        Some(held) => LogItem::of(&held.item, read.facts.loan.map(|loan| loan.id)),
        None => LogItem {
            instance_id: request.id("instanceId"),
            ..LogItem::default()
        },
    };
    let requester = read.facts.requester.as_ref();
    RequestLine {
        id,
        kind: plan.kind,
        requester_id: request.id("requesterId"),
        user_barcode: requester.and_then(|one| one.barcode.clone()),
        pickup_service_point_id: request.id("pickupServicePointId"),
        item,
    }
}

/// An item as in the record of its request.
pub(super) fn record_of(held: &HeldItem) -> ItemRecord<'_> {
    ItemRecord {
        id: held.item.id,
        holdings_record_id: held.item.holdings_record_id,
        document: &held.document,
    }
}

/// The record, checked against the shape of requests.
pub(super) fn checked(
    collection: &Collection,
    record: Map<String, Value>,
) -> Result<Map<String, Value>, StoreError> {
    let mut record = Value::Object(record);
    let checked = collection.shape.check(&mut record);
    checked.map_err(StoreError::Invalid)?;
    match record {
        Value::Object(record) => Ok(record),
        _ => Err(StoreError::fault("a request is an object")),
    }
}

/// Stores the new status of an item, if it changes.
pub(super) async fn change_item(
    desk: Desk<'_>,
    transaction: &Transaction,
    held: Option<&HeldItem>,
    status: Option<DatedStatus>,
) -> Result<(), StoreError> {
    let Some((held, status)) = held.zip(status) else {
        return Ok(());
    };
    let mut document = held.document.clone();
    status.apply_to(&mut document);
    let (items, id) = (desk.collection("item"), held.item.id);
    replace(
        transaction,
        desk.tenant,
        items,
        id.uuid(),
        &document,
        &desk.stamp,
    )
    .await?;
    Ok(())
}
