//! Replaces a request: changes it, or cancels it, which moves up the requests after it and may make its
//! item available. One transaction, three round trips.

use futures_util::try_join;
use octavo_library::{ItemId, ItemStatus, RequestId, id_in};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::replace;
use serde_json::{Map, Value};

use super::journal::By;
use super::log_requests::{barcode_of, item_of, log_request_changes};
use super::{Declined, Desk, queue, request_notices};
use crate::refusal::Refusal;
use crate::request_change::{
    ChangeFacts, ChangePlan, Related, RequestAct, RequestChanged, decide, item_status_after,
    status_of, summarize,
};
use crate::store::item::{HeldItem, hold_requested};
use crate::store::request::{HeldRequest, by_id, hold_title, user};
use crate::store::{open_loan, policy};

/// How often it is retried because the request got another item concurrently.
const ATTEMPTS_MAX: usize = 4;

/// The result.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The request was changed.
    Changed(Box<RequestChanged>),
    /// There is no request of this id and the document is valid: FOLIO then places it under this id.
    Unknown,
}

/// Replaces the request of an id.
pub async fn change_request(
    desk: Desk<'_>,
    id: RequestId,
    sent: &Map<String, Value>,
) -> Result<Outcome, Declined> {
    let mut attempts = 1;
    loop {
        match attempt(desk, id, sent).await {
            Err(Declined::Store(StoreError::Contended)) if attempts < ATTEMPTS_MAX => attempts += 1,
            outcome => return outcome,
        }
    }
}

async fn attempt(
    desk: Desk<'_>,
    id: RequestId,
    sent: &Map<String, Value>,
) -> Result<Outcome, Declined> {
    let status = status_of(sent).map_err(|message| Declined::Malformed { message })?;
    let tables = desk.tables();
    let transaction = desk.store.database.transaction().await?;
    let (requester, proxy) = (id_in(sent, "requesterId"), id_in(sent, "proxyUserId"));
    let reason = id_in(sent, "cancellationReasonId");
    // Pipelined in the order of locks: title, item, request.
    let ((), item, held, requester_document, proxy_document, proxy_acts, tenant) = try_join!(
        hold_title(&transaction, tables, id),
        hold_requested(&transaction, tables, id),
        by_id(&transaction, tables, id, reason),
        user(&transaction, tables, requester),
        user(&transaction, tables, proxy),
        open_loan::acts_for(&transaction, tables, requester, proxy, desk.stamp.at),
        policy::tenant_terms(&transaction, tables),
    )?;
    let config = desk.config(&transaction, &tenant).await?;
    let pickup = id_in(sent, "pickupServicePointId");
    let facts = ChangeFacts {
        id,
        stored: held.as_ref().map(|held| &held.document),
        titles: config.titles.enabled,
        proxy_acts,
        pickup: pickup.and_then(|id| config.service_points.get(&id)),
        reason_exists: reason.is_none() || held.as_ref().is_some_and(|held| held.reason.is_some()),
        zone: &tenant.zone,
    };
    let plan = decide(sent, status, &facts).map_err(Refusal::from)?;
    let (Some(held), Some(plan)) = (held, plan) else {
        return Ok(Outcome::Unknown);
    };
    same_item(&held, item.as_ref())?;
    let mut plan = well_formed(desk, plan)?;
    let related = Related {
        item: item.as_ref().map(|item| &item.document),
        instance: held.instance.as_ref(),
        requester: requester_document.as_ref(),
        proxy: proxy_document.as_ref(),
        config: &config,
    };
    summarize(&mut plan.document, related);
    let of_item = id_in(&held.document, "itemId");
    let queue = config.queue(of_item, id_in(&held.document, "instanceId"));
    let place = queue::place_of(&held.document).filter(|_| plan.leaves);
    let changed = changed(id, plan, &held);
    let told = std::slice::from_ref(&changed);
    try_join!(
        store(desk, &transaction, &changed),
        store_item(desk, &transaction, item.as_ref(), &held, &changed.after),
        log_request_changes(desk, &transaction, told, By::Staff),
        queue::close_up(desk, &transaction, queue, &changed.after, place),
    )?;
    match changed.act {
        RequestAct::Cancelled => {
            request_notices::cancelled(desk, &transaction, &tenant, config.titles, id).await?;
        }
        _ => request_notices::changed(desk, &transaction, &tenant, id).await?,
    }
    transaction.commit().await?;
    Ok(Outcome::Changed(Box::new(changed)))
}

/// Locked by now: if the request got another item concurrently, the wrong item is locked, and the
/// operation starts again.
fn same_item(held: &HeldRequest, item: Option<&HeldItem>) -> Result<(), StoreError> {
    match (id_in::<ItemId>(&held.document, "itemId"), item) {
        (Some(id), Some(item)) if id != item.item.id => Err(StoreError::Contended),
        (None, Some(_)) => Err(StoreError::Contended),
        _ => Ok(()),
    }
}

/// Checks the document against the shape of requests, with the storage's refusals.
fn well_formed(desk: Desk<'_>, plan: ChangePlan) -> Result<ChangePlan, StoreError> {
    let mut document = Value::Object(plan.document);
    let shape = &desk.collection("request").shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    match document {
        Value::Object(document) => Ok(ChangePlan { document, ..plan }),
        _ => Err(StoreError::fault("a request is an object")),
    }
}

fn changed(id: RequestId, plan: ChangePlan, held: &HeldRequest) -> RequestChanged {
    RequestChanged {
        act: match plan.cancelled {
            true => RequestAct::Cancelled,
            false => RequestAct::Edited,
        },
        id,
        user_barcode: barcode_of(&plan.document),
        item: item_of(&plan.document),
        reason: held.reason.clone(),
        before: held.document.clone(),
        after: plan.document,
    }
}

async fn store(
    desk: Desk<'_>,
    transaction: &Transaction,
    changed: &RequestChanged,
) -> Result<(), StoreError> {
    let collection = desk.collection("request");
    let (tenant, stamp, after) = (desk.tenant, &desk.stamp, &changed.after);
    replace(
        transaction,
        tenant,
        collection,
        changed.id.uuid(),
        after,
        stamp,
    )
    .await?;
    Ok(())
}

async fn store_item(
    desk: Desk<'_>,
    transaction: &Transaction,
    item: Option<&HeldItem>,
    held: &HeldRequest,
    request: &Map<String, Value>,
) -> Result<(), StoreError> {
    let Some(item) = item else { return Ok(()) };
    let before = item.item.status.name;
    match item_status_after(request, before, held.others_want_item) {
        Some(status) => set_status(desk, transaction, item, status).await,
        None => Ok(()),
    }
}

/// Sets the status of a locked item.
pub(super) async fn set_status(
    desk: Desk<'_>,
    transaction: &Transaction,
    item: &HeldItem,
    status: ItemStatus,
) -> Result<(), StoreError> {
    let mut document = item.document.clone();
    let change = item.item.change_status(status, desk.stamp.at);
    change.apply_to(&mut document);
    let (tenant, collection) = (desk.tenant, desk.collection("item"));
    let (id, stamp) = (item.item.id, &desk.stamp);
    replace(transaction, tenant, collection, id.uuid(), &document, stamp).await?;
    Ok(())
}
