//! Check-in: the item is held, its loan closed, the next request served, all in one transaction.
//!
//! Three round trips: the item by barcode; what stands on it; writes with the views and COMMIT.

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
use crate::refusal::Refusal;
use crate::store::item::ItemKey;
use crate::store::loan::HeldLoan;
use crate::store::queue::HeldQueue;
use crate::store::{item, policy, standing, view};

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
    Ok(carry_out(desk, &transaction, request, &plan, read).await?)
}

/// The facts, with the documents that the plan will change.
struct Read {
    facts: CheckInFacts,
    item: Map<String, Value>,
    loan: Option<HeldLoan>,
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
    let mut standing = standing::of_item(transaction, tables, &held.item).await?;
    let next = standing.queue.queue.first_for_check_in(&held.item);
    let pickup = next.and_then(|next| next.pickup_service_point_id);
    let hold_shelf = pickup.and_then(|point| standing.hold_shelves.remove(&point));
    let openings = desk.openings(transaction, &tenant, pickup).await?;
    let facts = CheckInFacts {
        operator_id: desk.stamp.user_id,
        item: Some(held.item),
        open_loan: standing
            .loan
            .as_ref()
            .map(|held| OpenLoan { id: held.loan.id }),
        queue: standing.queue.queue.clone(),
        hold_shelf: hold_shelf.unwrap_or_default(),
        openings,
        zone: tenant.zone,
    };
    Ok(Read {
        facts,
        item: held.document,
        loan: standing.loan,
        queue: standing.queue,
    })
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
    let session = read
        .loan
        .as_ref()
        .and_then(|loan| session_of(request, loan));
    let loan = read.loan.zip(plan.loan).map(|(held, closure)| {
        let mut document = held.document;
        closure.apply_to(&mut document);
        document
    });
    let event = json!({"itemId": item_id, "servicePointId": request.service_point_id,
                       "loanId": plan.loan.map(|loan| loan.loan_id)});
    // Whatever moves in the queue takes more than one round trip; the rest leaves with COMMIT.
    queue::store_changes(desk, transaction, requests, changed, &plan.position_changes).await?;
    let tables = desk.tables();
    let shown = view::CheckIn {
        item: item_id,
        loan: plan.loan.map(|loan| loan.loan_id),
        request: changed,
    };
    // The item before its loan: the loan's history keeps the item's status.
    let (.., shown) = try_join!(
        replace(
            transaction,
            tenant,
            desk.collection("item")?,
            item_id,
            &item,
            &stamp
        ),
        close_loan(desk, transaction, plan, loan.as_ref()),
        note_session(desk, transaction, session),
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
        shown.last(transaction, tables),
    )?;
    Ok(CheckedIn {
        loan: shown.loan,
        item: shown.item.ok_or(StoreError::NotFound)?,
        in_house_use: plan.in_house_use,
        request: shown.request,
    })
}

async fn close_loan(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &CheckInPlan,
    loan: Option<&Map<String, Value>>,
) -> Result<(), StoreError> {
    let (Some(closure), Some(loan)) = (&plan.loan, loan) else {
        return Ok(());
    };
    let Desk { tenant, stamp, .. } = desk;
    let collection = desk.collection("loan")?;
    replace(
        transaction,
        tenant,
        collection,
        closure.loan_id,
        loan,
        &stamp,
    )
    .await?;
    Ok(())
}

async fn note_session(
    desk: Desk<'_>,
    transaction: &Transaction,
    session: Option<Map<String, Value>>,
) -> Result<(), StoreError> {
    let Some(session) = session else {
        return Ok(());
    };
    let collection = desk.collection("patron_action_session")?;
    insert(transaction, desk.tenant, collection, session, &desk.stamp).await?;
    Ok(())
}

/// What the patron's visit keeps of a returned loan; nothing of one that is anonymous.
fn session_of(request: &CheckInRequest, loan: &HeldLoan) -> Option<Map<String, Value>> {
    let patron = loan.loan.user_id?;
    let mut session = Map::new();
    session.insert("patronId".to_owned(), json!(patron));
    session.insert("loanId".to_owned(), json!(loan.loan.id));
    session.insert("actionType".to_owned(), json!("Check-in"));
    if let Some(id) = request.session_id {
        session.insert("sessionId".to_owned(), json!(id));
    }
    Some(session)
}
