//! Moves a request to another item of its title: it leaves one queue, which closes up, and is appended
//! to the other. Lock order: title and items, then the request.
//!
//! Six round trips: the request; title, items, people and settings; queues and loan; the change of
//! queues; new positions and log lines; the request's view and COMMIT. A recall takes one more for the
//! loan.

use std::sync::Arc;

use futures_util::try_join;
use octavo_library::{ItemId, RequestId};
use octavo_postgres::Transaction;
use octavo_records::store::replace;
use octavo_records::{StoreError, retried};
use serde_json::{Map, Value};

use super::journal::note;
use super::place::{change_item, checked, place_taken, record_of};
use super::place_facts::{at_hand_of, borrower, held, last_position, open_loan, policy_of};
use super::recall::shorten;
use super::{Declined, Desk, queue, request_notices};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::{RequestLine, request_moved};
use crate::facts::{LogEntry, LogItem, QueuedRequest};
use crate::placing::{ItemLoan, MoveFacts, MovePlan, MoveRequest, decide_move, may_move, moved};
use crate::refusal::PlacingRefusal;
use crate::store::item::HeldItem;
use crate::store::loan::LoanAtHand;
use crate::store::placing::{self, PlacingQuestion};
use crate::store::policy::{TenantTerms, tenant_terms};
use crate::store::{read, view};

/// Moves a request; returns it as FOLIO shows it.
///
/// # Errors
/// When there is no such request, or a refusal.
pub async fn move_request(
    desk: Desk<'_>,
    id: RequestId,
    to: MoveRequest,
) -> Result<Value, Declined> {
    retried(|| async {
        let moved = attempt(desk, id, to).await;
        moved.map_err(place_taken)
    })
    .await
}

async fn attempt(desk: Desk<'_>, id: RequestId, to: MoveRequest) -> Result<Value, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, id, to).await?;
    let plan = decide_move(to, &read.facts, desk.stamp.at)?;
    let line = change_queues(desk, &transaction, &plan, &read).await?;
    let ((), shown) = try_join!(
        follow(desk, &transaction, &plan, &read, &line),
        view::last_request(&transaction, desk.tables(), id.uuid()),
    )?;
    Ok(shown.ok_or(StoreError::NotFound)?)
}

/// Moves a request within a transaction of the caller's, who commits it.
///
/// # Errors
/// As [`move_request`].
pub async fn move_request_within(
    desk: Desk<'_>,
    transaction: &Transaction,
    id: RequestId,
    to: MoveRequest,
) -> Result<(), Declined> {
    let read = gather(desk, transaction, id, to).await?;
    let plan = decide_move(to, &read.facts, desk.stamp.at)?;
    let line = change_queues(desk, transaction, &plan, &read).await?;
    follow(desk, transaction, &plan, &read, &line).await?;
    Ok(())
}

/// The facts, with the documents to change.
struct Read {
    facts: MoveFacts,
    record: Map<String, Value>,
    user_barcode: Option<String>,
    destination: Option<HeldItem>,
    source: Option<HeldItem>,
    loan: Option<LoanAtHand>,
    terms: TenantTerms,
    config: Arc<CirculationConfig>,
}

/// A stored request, with its record.
fn queued(
    id: RequestId,
    found: Option<Value>,
) -> Result<(QueuedRequest, Map<String, Value>), Declined> {
    let what = "request";
    let Some(Value::Object(record)) = found else {
        return Err(Declined::NotFound {
            what,
            id: id.uuid(),
        });
    };
    if !record.contains_key("requesterId") {
        // Only closed requests are anonymized.
        let id = id.to_string();
        return Err(PlacingRefusal::Closed { id }.into());
    }
    let request = read(what, Value::Object(record.clone()))?;
    Ok((request, record))
}

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    id: RequestId,
    to: MoveRequest,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let (seen, _) = queued(id, placing::request(transaction, tables, id).await?)?;
    // Lock order: items by id, as in every operation that locks several.
    let destination = Some(to.destination);
    let source = seen.item_id.filter(|source| Some(*source) != destination);
    let (first, second) = match source < destination {
        true => (source, destination),
        false => (destination, source),
    };
    let (requester, instance) = (Some(seen.requester_id), seen.instance_id);
    let (_, first, second, found, people, terms) = try_join!(
        placing::hold_title(transaction, tables, instance),
        held(desk, transaction, first),
        held(desk, transaction, second),
        placing::hold_request(transaction, tables, id),
        placing::people(transaction, tables, requester, None),
        tenant_terms(transaction, tables),
    )?;
    let (request, record) = queued(id, found)?;
    // The request was first read without a lock: if it got another item or title meanwhile, the wrong
    // rows are locked.
    if request.item_id != seen.item_id || request.instance_id != instance {
        return Err(StoreError::Contended.into());
    }
    let rules = desk.rules(transaction, &terms).await?;
    let config = desk.config(transaction, &terms).await?;
    let titles = config.titles;
    may_move(&request, to, titles.enabled)?;
    let both = [first, second];
    let find = |id: Option<ItemId>| {
        let mut both = both.iter().flatten();
        both.find(|held| Some(held.item.id) == id).cloned()
    };
    let (destination, source) = (find(destination), find(request.item_id));
    let asked = PlacingQuestion {
        requester,
        instance,
        item: Some(to.destination),
    };
    let (waiting, loan, borrower, left_behind) = try_join!(
        placing::waiting(transaction, tables, asked),
        open_loan(desk, transaction, asked.item),
        borrower(desk, transaction, asked.item),
        placing::others_for_item(transaction, tables, request.item_id, id),
    )?;
    let policy = match (&destination, &people.requester) {
        (Some(held), Some(one)) if one.patron_group.is_some() => {
            policy_of(&rules, &config, &held.item, one)?
        }
        _ => None,
    };
    let loan = at_hand_of(loan, borrower).map(|at_hand| LoanAtHand {
        item: destination.clone(),
        ..at_hand
    });
    Ok(Read {
        facts: MoveFacts {
            last_position: last_position(&waiting, titles),
            request,
            titles: titles.enabled,
            destination: destination.as_ref().map(|held| held.item.clone()),
            loan: loan.as_ref().map(|at_hand| ItemLoan {
                id: at_hand.loan.loan.id,
                user_id: at_hand.loan.loan.user_id,
            }),
            source: source.as_ref().map(|held| held.item.clone()),
            left_behind,
            requester: people.requester.clone(),
            own: waiting.own,
            policy,
        },
        record,
        user_barcode: people.requester.and_then(|one| one.barcode),
        destination,
        source,
        loan,
        terms,
        config,
    })
}

/// The request leaves its queue for the other one; returns the line of the log about it.
async fn change_queues(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &MovePlan,
    read: &Read,
) -> Result<LogEntry, Declined> {
    let request = &read.facts.request;
    let destination = read.destination.as_ref().ok_or(StoreError::NotFound)?;
    let item = record_of(destination);
    let record = moved(
        &read.record,
        plan.kind.name(),
        plan.position,
        item,
        &read.config,
    );
    let collection = desk.collection("request");
    let record = checked(collection, record)?;
    if let Some(loan) = read.loan.as_ref().filter(|_| plan.recalls) {
        shorten(desk, transaction, &read.terms, loan).await?;
    }
    let left = read.config.queue(request.item_id, request.instance_id);
    let place = request.position.map(i64::from);
    let (stamp, tenant) = (&desk.stamp, desk.tenant);
    try_join!(
        replace(
            transaction,
            tenant,
            collection,
            request.id.uuid(),
            &record,
            stamp
        ),
        queue::close_up(desk, transaction, left, &read.record, place),
    )?;
    request_notices::moved(desk, transaction, &read.terms, request.id).await?;
    Ok(line_of(plan, read, destination, &record))
}

/// Both items and the log follow.
async fn follow(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &MovePlan,
    read: &Read,
    line: &LogEntry,
) -> Result<(), StoreError> {
    let (left, to) = (read.source.as_ref(), read.destination.as_ref());
    try_join!(
        change_item(desk, transaction, left, plan.source_status),
        change_item(desk, transaction, to, plan.destination_status),
        note(desk, transaction, line),
    )?;
    Ok(())
}

fn line_of(plan: &MovePlan, read: &Read, to: &HeldItem, after: &Map<String, Value>) -> LogEntry {
    let request = &read.facts.request;
    let from = read.source.as_ref();
    let line = RequestLine {
        id: request.id,
        kind: plan.kind,
        requester_id: Some(request.requester_id),
        user_barcode: read.user_barcode.clone(),
        pickup_service_point_id: request.pickup_service_point_id,
        item: LogItem::of(&from.unwrap_or(to).item, None),
    };
    let barcode = |held: &HeldItem| held.item.barcode.clone();
    let from = from.and_then(barcode);
    let barcodes = (to.item.barcode.as_deref(), from.as_deref());
    request_moved(line, barcodes, (&read.record, after))
}
