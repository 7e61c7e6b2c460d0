//! Check-in: the item is held, its loan closed, the next request served, all in one transaction.

use futures_util::try_join;
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{emit, insert, replace};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::check_out::document;
use super::{Declined, Desk, queue};
use crate::check_in::{CheckInFacts, CheckInPlan, CheckInRequest, OpenLoan, decide};
use crate::due_date::{HoldShelf, Openings};
use crate::facts::{QueuedRequest, RequestQueue};
use crate::refusal::Refusal;
use crate::store::item::ItemKey;
use crate::store::queue::HeldQueue;
use crate::store::{item, place, policy, queue as queue_store, view};

/// What a check-in is answered with.
#[derive(Debug, Clone)]
pub struct CheckedIn {
    /// The loan that was closed, as FOLIO shows it.
    pub loan: Option<Value>,
    /// The item, with what a slip tells of it.
    pub item: Value,
    /// The item was used in the house.
    pub in_house_use: bool,
    /// The request that the item goes to, as FOLIO shows it.
    pub request: Option<Value>,
}

/// Takes an item in.
///
/// # Errors
/// The refusal, or what the database answered.
pub async fn check_in(desk: Desk<'_>, request: &CheckInRequest) -> Result<CheckedIn, Declined> {
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, request).await?;
    let deciding = trace::span("decide");
    let plan =
        decide(request, &read.facts, desk.stamp.at, Uuid::new_v4()).map_err(Declined::Refused)?;
    drop(deciding);
    let checked_in = carry_out(desk, &transaction, request, &plan, read).await?;
    transaction.commit().await?;
    Ok(checked_in)
}

/// The facts, with the documents that the plan will change.
struct Read {
    facts: CheckInFacts,
    item: Map<String, Value>,
    loan: Option<Map<String, Value>>,
    queue: HeldQueue,
}

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckInRequest,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let (held, tenant) = try_join!(
        item::hold(transaction, tables, ItemKey::Barcode(&request.item_barcode)),
        policy::tenant_terms(transaction, tables),
    )?;
    let Some(held) = held else {
        let barcode = request.item_barcode.clone();
        return Err(Declined::Refused(vec![Refusal::ItemNotFoundForCheckIn {
            barcode,
        }]));
    };
    let (loan, queue) = try_join!(
        item::open_loan(transaction, tables, held.item.id),
        queue_store::of_item(transaction, tables, &held.item),
    )?;
    let next = queue.queue.first_for_check_in(&held.item);
    let hold_shelf = hold_shelf(desk, transaction, next).await?;
    let facts = CheckInFacts {
        operator_id: desk.stamp.user_id,
        item: Some(held.item),
        open_loan: loan.as_ref().map(|(id, _)| OpenLoan { id: *id }),
        queue: RequestQueue::new(queue.queue.requests().to_vec()),
        hold_shelf,
        openings: Openings::NoCalendar,
        zone: tenant.zone,
    };
    Ok(Read {
        facts,
        item: held.document,
        loan: loan.map(|(_, document)| document),
        queue,
    })
}

/// How long the pickup service point of the next request keeps items.
async fn hold_shelf(
    desk: Desk<'_>,
    transaction: &Transaction,
    next: Option<&QueuedRequest>,
) -> Result<HoldShelf, StoreError> {
    let Some(point) = next.and_then(|next| next.pickup_service_point_id) else {
        return Ok(HoldShelf::default());
    };
    place::hold_shelf(transaction, desk.tables(), point).await
}

async fn carry_out(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckInRequest,
    plan: &CheckInPlan,
    read: Read,
) -> Result<CheckedIn, StoreError> {
    let Desk { tenant, stamp, .. } = desk;
    let item_id = plan.record.item_id;
    let mut item = read.item;
    plan.item.apply_to(&mut item);
    let mut requests = read.queue.documents;
    if let Some(change) = &plan.request
        && let Some(document) = requests.get_mut(&change.id)
    {
        change.apply_to(document);
    }
    let changed = plan.request.as_ref().map(|change| change.id);
    let event = json!({"itemId": item_id, "servicePointId": request.service_point_id,
                       "loanId": plan.loan.map(|loan| loan.loan_id)});
    // The item before its loan: the loan's history keeps the item's status.
    try_join!(
        replace(
            transaction,
            tenant,
            desk.collection("item")?,
            item_id,
            &item,
            &stamp
        ),
        close_loan(desk, transaction, request, plan, read.loan),
        queue::store_changes(desk, transaction, requests, changed, &plan.position_changes),
        insert(
            transaction,
            tenant,
            desk.collection("check_in")?,
            document(&plan.record)?,
            &stamp
        ),
        emit(
            transaction,
            tenant,
            "circulation.ITEM_CHECKED_IN",
            item_id,
            "CREATE",
            &event
        ),
    )?;
    let tables = desk.tables();
    let (item, loan, request) = try_join!(
        view::item(transaction, tables, item_id),
        async {
            match &plan.loan {
                Some(loan) => view::loan(transaction, tables, loan.loan_id).await,
                None => Ok(None),
            }
        },
        async {
            match changed {
                Some(id) => view::request(transaction, tables, id).await,
                None => Ok(None),
            }
        },
    )?;
    Ok(CheckedIn {
        loan,
        item: item.ok_or(StoreError::NotFound)?,
        in_house_use: plan.in_house_use,
        request,
    })
}

async fn close_loan(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckInRequest,
    plan: &CheckInPlan,
    loan: Option<Map<String, Value>>,
) -> Result<(), StoreError> {
    let (Some(closure), Some(mut loan)) = (&plan.loan, loan) else {
        return Ok(());
    };
    closure.apply_to(&mut loan);
    let patron = loan.get("userId").cloned();
    let collection = desk.collection("loan")?;
    replace(
        transaction,
        desk.tenant,
        collection,
        closure.loan_id,
        &loan,
        &desk.stamp,
    )
    .await?;
    let Some(patron) = patron else { return Ok(()) };
    let mut session = Map::new();
    session.insert("patronId".to_owned(), patron);
    session.insert("loanId".to_owned(), json!(closure.loan_id));
    session.insert("actionType".to_owned(), json!("Check-in"));
    if let Some(id) = request.session_id {
        session.insert("sessionId".to_owned(), json!(id));
    }
    let collection = desk.collection("patron_action_session")?;
    insert(transaction, desk.tenant, collection, session, &desk.stamp).await?;
    Ok(())
}
