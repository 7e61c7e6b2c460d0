//! Loans written as records by clients: created, changed, closed. Item and queue change with the loan,
//! as at a desk.

use std::sync::Arc;

use futures_util::try_join;
use octavo_library::{ItemStatus, Loan, LoanId, RequestStatus};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::{insert, replace};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::change_loan::not_found;
use super::journal::note;
use super::loan_notices::LoanNotices;
use super::renew::terms_for;
use super::{Declined, Desk, lines, queue, reminders};
use crate::check_in::{CheckInFacts, CheckInRequest, ClaimResolution, Modifiers};
use crate::check_out::FilledRequest;
use crate::circulation_config::CirculationConfig;
use crate::due_date::DueDateFacts;
use crate::facts::Item;
use crate::loan_change::{
    LoanRecord, RecordFacts, RecordPlan, decide_creation, decide_replacement, is_same, recall,
};
use crate::notice::Event;
use crate::reminder::OpenDays;
use crate::store::item::{HeldItem, ItemKey};
use crate::store::item_loan_and_queue::Standing;
use crate::store::loan::HeldLoan;
use crate::store::policy::TenantTerms;
use crate::store::queue::{self as queue_store, hold_title_of};
use crate::store::{item, loan, open_loan, policy, view};

/// The facts of a written loan.
struct Read {
    facts: RecordFacts,
    item: Option<HeldItem>,
    loan: Option<HeldLoan>,
    standing: Standing,
    tenant: TenantTerms,
    config: Arc<CirculationConfig>,
}

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    record: &LoanRecord,
    loan_id: LoanId,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let (user, proxy) = (record.id("userId"), record.id("proxyUserId"));
    let item_id = record.id("itemId").unwrap_or_default();
    // Pipelined in the order of locks: title, item, loan.
    let ((), held, loan, patron, proxy_is_valid, tenant) = try_join!(
        hold_title_of(transaction, tables, item_id),
        item::hold(transaction, tables, ItemKey::Id(item_id)),
        loan::by_id(transaction, tables, loan_id),
        open_loan::user(transaction, tables, user),
        open_loan::acts_for(transaction, tables, user, proxy, desk.stamp.at),
        policy::tenant_terms(transaction, tables),
    )?;
    let config = desk.config(transaction, &tenant).await?;
    let points = ["checkinServicePointId", "checkoutServicePointId"];
    let points = points.iter().filter_map(|name| record.id(name));
    let points = points.filter(|id| config.service_points.contains_key(id));
    let standing = match &held {
        Some(held) => {
            desk.standing(transaction, &tenant, &config, &held.item)
                .await?
        }
        None => Standing::default(),
    };
    Ok(Read {
        facts: RecordFacts {
            item: held.as_ref().map(|held| held.item.clone()),
            patron,
            proxy_is_valid,
            service_points: points.collect(),
            queue: standing.queue.queue.clone(),
        },
        item: held,
        loan,
        standing,
        tenant,
        config,
    })
}

/// Creates a loan; returns it as FOLIO shows it. Sending the same loan again with its id returns the
/// existing one.
pub async fn create(desk: Desk<'_>, mut record: LoanRecord) -> Result<Value, Declined> {
    let id = record
        .id("id")
        .unwrap_or_else(|| LoanId::from(Uuid::new_v4()));
    record.document.insert("id".into(), id.to_string().into());
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, &record, id).await?;
    if let Some(there) = &read.loan
        && is_same(&record.document, &there.document)
    {
        let shown = view::loan(&transaction, desk.tables(), id.uuid()).await?;
        return Ok(shown.ok_or(StoreError::NotFound)?);
    }
    let mut plan = decide_creation(&record, &read.facts)?;
    let (Some(held), Some(patron)) = (read.item, &read.facts.patron) else {
        return Err(StoreError::NotFound.into());
    };
    let terms = terms_for(desk, &transaction, &read.tenant, &held.item, patron).await?;
    let policy_id = terms.policy.id.to_string();
    plan.document
        .insert("loanPolicyId".into(), policy_id.into());
    let first = read.facts.queue.first_for_check_out(&held.item);
    let filled = first.filter(|_| plan.lends).map(|first| first.id);
    if read.facts.queue.has_other_recall(&held.item, filled) {
        let point = record.id("checkoutServicePointId");
        let openings = desk.openings(&transaction, &read.tenant, point).await?;
        let facts = DueDateFacts {
            policy: &terms.policy,
            schedule: terms.schedule.as_ref(),
            zone: &read.tenant.zone,
            openings: &openings,
            patron_expires_at: patron.expiration_date,
            hold_waiting: false,
        };
        let made: Loan = crate::store::read("loan", Value::Object(plan.document.clone()))?;
        if let Some(recalled) = recall(&made, ItemStatus::CheckedOut, &facts, desk.stamp.at)? {
            recalled.shorten(&mut plan.document);
        }
    }
    let mut requests = read.standing.queue;
    if let Some(id) = filled
        && let Some(document) = requests.documents.get_mut(&id)
    {
        let place = queue::place_of(document);
        let status = RequestStatus::Filled;
        FilledRequest { id, status }.apply_to(document);
        let queue = (read.config).queue(Some(held.item.id), Some(held.item.instance_id));
        queue::store_closed(desk, &transaction, queue, id, document, place).await?;
    }
    let made: Loan = crate::store::read("loan", Value::Object(plan.document.clone()))?;
    let (.., shown) = try_join!(
        lend(desk, &transaction, &plan, &held),
        insert(
            &transaction,
            desk.tenant,
            desk.collection("loan"),
            plan.document.clone(),
            &desk.stamp
        ),
        lines::due_date_changed(desk, &transaction, &made, &plan.document),
        view::last(&transaction, desk.tables(), id.uuid()),
    )?;
    Ok(shown.ok_or(StoreError::NotFound)?)
}

/// Changes or closes a loan.
///
/// # Errors
/// When there is no such loan, or a refusal.
pub async fn change(desk: Desk<'_>, mut record: LoanRecord, id: LoanId) -> Result<(), Declined> {
    record.document.insert("id".into(), id.to_string().into());
    let transaction = desk.store.database.transaction().await?;
    let read = gather(desk, &transaction, &record, id).await?;
    let before = read.loan.as_ref().ok_or(not_found(id))?;
    let mut plan = decide_replacement(&record, &before.loan, &before.document, &read.facts)?;
    let Some(held) = &read.item else {
        return Err(StoreError::NotFound.into());
    };
    let due_date = record.instant("dueDate");
    let line = due_date
        .filter(|_| due_date != before.loan.due_date)
        .map(|due_date| {
            lines::about(
                &before.loan,
                Some(&held.item),
                read.facts.patron.as_ref(),
                "Changed due date",
                lines::new_due_date(due_date, before.loan.due_date, &read.tenant.zone),
            )
        });
    // The item before its loan: the trigger of the loan's history reads the item's status.
    if plan.ends {
        let status = release(desk, &transaction, &record, &read, held).await?;
        plan.document.insert("itemStatus".into(), status.into());
    } else if plan.lends {
        plan.document
            .insert("itemStatus".into(), ItemStatus::CheckedOut.into());
        lend(desk, &transaction, &plan, held).await?;
    }
    try_join!(
        replace(
            &transaction,
            desk.tenant,
            desk.collection("loan"),
            id.uuid(),
            &plan.document,
            &desk.stamp
        ),
        lines::due_date_changed(desk, &transaction, &before.loan, &plan.document),
        async {
            match &line {
                Some(line) => note(desk, &transaction, line).await,
                None => Ok(()),
            }
        },
        reminders_follow(desk, &transaction, &read, &before.loan, &plan),
    )?;
    Ok(transaction.commit().await?)
}

/// A changed due date restarts the reminders; the loan's billed reminders are as the client sends them.
async fn reminders_follow(
    desk: Desk<'_>,
    transaction: &Transaction,
    read: &Read,
    before: &Loan,
    plan: &RecordPlan,
) -> Result<(), StoreError> {
    let after: Loan = crate::store::read("loan", Value::Object(plan.document.clone()))?;
    let due_date = after.due_date.filter(|due| Some(*due) != before.due_date);
    let (Some(due_date), true) = (due_date, after.is_open()) else {
        return Ok(());
    };
    let point = after.checkout_service_point_id;
    let openings = desk.openings(transaction, &read.tenant, point).await?;
    let open = OpenDays {
        days: &openings,
        zone: &read.tenant.zone,
    };
    let (item, patron) = (read.item.as_ref(), read.facts.patron.as_ref());
    let item = item.map(|held| &held.item);
    let notices = LoanNotices::of(desk, transaction, &read.tenant, item, patron).await?;
    let event = Event::ManualDueDateChange;
    notices
        .notify(
            desk,
            transaction,
            event,
            after.id,
            Some(&plan.document),
            None,
        )
        .await?;
    notices
        .reschedule(desk, transaction, &after, due_date)
        .await?;
    let policy = read.config.reminders(after.overdue_fine_policy_id);
    reminders::restart(desk, transaction, policy, &after, due_date, open).await
}

/// Checks the item out, or keeps it checked out.
async fn lend(
    desk: Desk<'_>,
    transaction: &Transaction,
    plan: &RecordPlan,
    held: &HeldItem,
) -> Result<(), StoreError> {
    if !plan.lends || held.item.is(ItemStatus::CheckedOut) {
        return Ok(());
    }
    let mut document = held.document.clone();
    held.item
        .change_status(ItemStatus::CheckedOut, desk.stamp.at)
        .apply_to(&mut document);
    document.shift_remove("inTransitDestinationServicePointId");
    store_item(desk, transaction, &held.item, &document).await
}

/// The item of a closed loan serves the next request, as at the loan's check-in service point; without
/// one it becomes available. Returns its status.
async fn release(
    desk: Desk<'_>,
    transaction: &Transaction,
    record: &LoanRecord,
    read: &Read,
    held: &HeldItem,
) -> Result<ItemStatus, Declined> {
    let request = CheckInRequest {
        item_barcode: held.item.barcode.clone().unwrap_or_default(),
        service_point_id: record.id("checkinServicePointId").unwrap_or_default(),
        check_in_date: record.instant("returnDate").unwrap_or(desk.stamp.at),
        claimed_returned_resolution: Some(ClaimResolution::FoundByLibrary),
        session_id: None,
        modifiers: Modifiers::default(),
    };
    let next = read.facts.queue.first_for_check_in(&held.item);
    let pickup = next.and_then(|next| next.pickup_service_point_id);
    let openings = desk.openings(transaction, &read.tenant, pickup).await?;
    let facts = CheckInFacts {
        operator_id: Some(desk.operator().unwrap_or_default()),
        item: Some(held.item.clone()),
        open_loan: None,
        queue: read.facts.queue.clone(),
        hold_shelf: read.config.hold_shelf(pickup),
        openings,
        zone: read.tenant.zone.clone(),
    };
    let way = crate::check_in::decide(&request, &facts, desk.stamp.at, Uuid::new_v4())
        .map_err(Declined::Refused)?;
    let mut document = held.document.clone();
    let destination = "inTransitDestinationServicePointId";
    document.shift_remove(destination);
    let Some(served) = &way.request else {
        let status = held
            .item
            .change_status(ItemStatus::Available, desk.stamp.at);
        status.apply_to(&mut document);
        store_item(desk, transaction, &held.item, &document).await?;
        return Ok(status.name);
    };
    way.item.status.apply_to(&mut document);
    if let Some(point) = way.item.in_transit_destination_service_point_id {
        document.insert(destination.into(), point.to_string().into());
    }
    if let Some(request) = read.standing.queue.documents.get(&served.id) {
        let mut document = request.clone();
        served.apply_to(&mut document);
        let queue = (read.config).queue(Some(held.item.id), Some(held.item.instance_id));
        let id = served.id;
        let next = queue::moved_to_front(desk, transaction, queue, id, request, document).await?;
        queue_store::serve(transaction, desk.tables(), id, &next).await?;
    }
    store_item(desk, transaction, &held.item, &document).await?;
    Ok(way.item.status.name)
}

async fn store_item(
    desk: Desk<'_>,
    transaction: &Transaction,
    item: &Item,
    document: &Map<String, Value>,
) -> Result<(), StoreError> {
    let collection = desk.collection("item");
    replace(
        transaction,
        desk.tenant,
        collection,
        item.id.uuid(),
        document,
        &desk.stamp,
    )
    .await?;
    Ok(())
}
