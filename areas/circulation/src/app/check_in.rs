//! Check-in: locks the item, closes its loan and serves the next request, in one transaction.
//!
//! Two round trips: facts; writes with COMMIT. Notices about a request, a request that overtakes others, and loans
//! that are late or were lost take further ones.

use std::sync::Arc;

use futures_util::try_join;
use octavo_fees::accounting::Money;
use octavo_library::{ItemId, ItemStatus, RequestStatus, wire_time};
use octavo_platform::trace;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::succeed;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::fee_notices::{FeesOf, fees_changed};
use super::loan_fee_effects::{Back, LossUndone, came_back, loss_without_loan};
use super::overdue_fine::{Late, fine_for};
use super::{Declined, Desk, journal, queue, request_notices};
use crate::check_in::{
    CheckInFacts, CheckInPlan, CheckInRequest, ClaimResolution, OpenLoan, decide,
};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::{CheckedInWith, log_of_check_in};
use crate::facts::LogEntry;
use crate::refusal::Refusal;
use crate::representation::{self, LoanWith};
use crate::scan::{Act, CheckInScan, ClaimFacts, Scanned, questions};
use crate::store::desk::{self as desk_store, DeskFacts, DeskWrites, LoanWrite};
use crate::store::item::ItemAtDesk;
use crate::store::item_loan_and_queue::Standing;
use crate::store::loan::HeldLoan;
use crate::store::policy::TenantTerms;
use crate::store::{document, queue as queue_store, slip};

/// The result of a check-in.
#[derive(Debug, Clone)]
pub struct CheckedIn {
    /// The loan that was closed, as FOLIO shows it.
    pub loan: Option<Value>,
    /// The item, with the values of its slip.
    pub item: Value,
    /// The item was used in the house.
    pub in_house_use: bool,
    /// The values of the slip about the request that gets the item.
    pub request_slip: Option<Value>,
}

/// Checks an item in.
pub async fn check_in(desk: Desk<'_>, request: &CheckInRequest) -> Result<CheckedIn, Declined> {
    let transaction = desk.store.database.transaction().await?;
    check_in_within(desk, transaction, request).await
}

/// The same as the end of a transaction, which is committed with what the caller wrote before.
pub async fn check_in_within(
    desk: Desk<'_>,
    transaction: Transaction,
    request: &CheckInRequest,
) -> Result<CheckedIn, Declined> {
    let read = gather(desk, &transaction, request).await?;
    let plan = planned(desk, request, &read).map_err(Declined::Refused)?;
    carry_out(desk, transaction, request, &plan, read).await
}

fn planned(
    desk: Desk<'_>,
    request: &CheckInRequest,
    read: &Read,
) -> Result<CheckInPlan, Vec<Refusal>> {
    let _deciding = trace::span("decide");
    let id = request.modifiers.record_id.unwrap_or_else(Uuid::new_v4);
    decide(request, &read.facts, desk.stamp.at, id)
}

/// Checks an item in, unless staff have to answer questions first: then nothing is changed.
pub async fn scan_in(desk: Desk<'_>, scan: &CheckInScan) -> Result<Scanned<CheckedIn>, Declined> {
    let request = &scan.request;
    let transaction = desk.store.database.transaction().await?;
    // In the same round trip, behind the statement that locks the item: a repetition waits for the first.
    let (read, recorded) = try_join!(
        gather(desk, &transaction, request),
        recorded(desk, &transaction, request.modifiers.record_id),
    )?;
    match recorded {
        Some(item) if item == read.item.id => {
            let done = repeated(desk, transaction, &read).await?;
            return Ok(Scanned::Done(done));
        }
        Some(_) => {
            let message = "The id belongs to the check-in of another item. Choose a new one";
            return Err(Declined::Malformed {
                message: message.to_owned(),
            });
        }
        None => {}
    }
    let resolved = request.claimed_returned_resolution.is_some();
    let answered = (&scan.answers, resolved);
    let questions = questions(Act::CheckIn, &read.item.document, answered, || read.claim());
    // Whether the claim is settled one way or the other, a refusal is the same. It comes before questions.
    let mut settled = request.clone();
    settled
        .claimed_returned_resolution
        .get_or_insert(ClaimResolution::FoundByLibrary);
    let plan = match planned(desk, &settled, &read) {
        Ok(plan) if questions.is_empty() => plan,
        planned => {
            transaction.rollback().await?;
            let item = representation::item(&read.item, &read.item.document, &read.config);
            return Ok(match planned {
                Ok(_) => Scanned::Asked { questions, item },
                Err(refusals) => Scanned::Refused {
                    refusals,
                    item: Some(item),
                },
            });
        }
    };
    let done = carry_out(desk, transaction, request, &plan, read).await?;
    Ok(Scanned::Done(done))
}

/// The item of the check-in that was recorded under this id.
async fn recorded(
    desk: Desk<'_>,
    transaction: &Transaction,
    id: Option<Uuid>,
) -> Result<Option<ItemId>, Declined> {
    match id {
        Some(id) => Ok(desk_store::item_of_check_in(transaction, desk.tables(), id).await?),
        None => Ok(None),
    }
}

/// The outcome of a check-in that was carried out before, as it is now.
async fn repeated(
    desk: Desk<'_>,
    transaction: Transaction,
    read: &Read,
) -> Result<CheckedIn, Declined> {
    let at_desk = &read.item;
    let waiting = read.facts.queue.requests().iter().find(|request| {
        request.item_id == Some(at_desk.id) && request.status != RequestStatus::NotYetFilled
    });
    let request_slip = match waiting {
        Some(request) => slip::last(&transaction, desk.tables(), request.id).await?,
        None => {
            transaction.rollback().await?;
            None
        }
    };
    let mut item = representation::item(at_desk, &at_desk.document, &read.config);
    item["slip"] = representation::slip(at_desk, &at_desk.document, &read.config);
    Ok(CheckedIn {
        loan: None,
        item,
        in_house_use: false,
        request_slip,
    })
}

/// The facts, with the documents that the plan will change.
struct Read {
    facts: CheckInFacts,
    item: ItemAtDesk,
    standing: Standing,
    config: Arc<CirculationConfig>,
    /// The overdue fine, whatever happens to a lost item's fees.
    fine: Option<Money>,
    told: Option<request_notices::RequestNoticeRules>,
    terms: TenantTerms,
    takes_log_records: bool,
}

impl Read {
    /// What staff should know of a loan that is claimed returned.
    fn claim(&self) -> ClaimFacts {
        let Some(held) = &self.standing.loan else {
            return ClaimFacts::default();
        };
        ClaimFacts {
            patron: (self.standing.borrower_document.as_ref()).and_then(representation::short_name),
            since: held.document.get("claimedReturnedDate").cloned(),
            owed: self.standing.remaining.clone(),
        }
    }
}

async fn gather(
    desk: Desk<'_>,
    transaction: &Transaction,
    request: &CheckInRequest,
) -> Result<Read, Declined> {
    let tables = desk.tables();
    let DeskFacts {
        terms: tenant,
        item: at_desk,
        standing,
        takes_log_records,
        ..
    } = desk_store::facts(transaction, tables, &request.item_barcode, None, None).await?;
    let Some(at_desk) = at_desk else {
        let barcode = request.item_barcode.clone();
        return Err(Declined::Refused(vec![Refusal::ItemNotFoundForCheckIn {
            barcode,
        }]));
    };
    let config = desk.config(transaction, &tenant).await?;
    let item = at_desk.facts(&config)?;
    let standing = desk
        .standing_read(transaction, &tenant, &config, &item, standing)
        .await?;
    let next = standing.queue.queue.first_for_check_in(&item);
    let pickup = next.and_then(|next| next.pickup_service_point_id);
    let openings = desk.openings(transaction, &tenant, pickup).await?;
    let fine = match &standing.loan {
        Some(held) if !request.modifiers.amnesty => {
            let late = Late {
                loan: &held.loan,
                item: &item,
                until: request.check_in_date,
                renewed: false,
            };
            fine_for(desk, transaction, &tenant, &config, late).await?
        }
        _ => None,
    };
    let told = request_notices::of_check_in(desk, transaction, &tenant).await?;
    let facts = CheckInFacts {
        operator_id: desk.operator(),
        open_loan: standing
            .loan
            .as_ref()
            .map(|held| OpenLoan { id: held.loan.id }),
        queue: standing.queue.queue.clone(),
        hold_shelf: config.hold_shelf(pickup),
        item: Some(item),
        openings,
        zone: tenant.zone.clone(),
    };
    Ok(Read {
        facts,
        item: at_desk,
        standing,
        config,
        fine,
        told,
        terms: tenant,
        takes_log_records,
    })
}

async fn carry_out(
    desk: Desk<'_>,
    begun: Transaction,
    request: &CheckInRequest,
    plan: &CheckInPlan,
    read: Read,
) -> Result<CheckedIn, Declined> {
    let transaction = &begun;
    let stamp = desk.stamp;
    let lines = log_lines(plan, request, &read);
    let Read {
        facts,
        item: at_desk,
        standing,
        config,
        fine,
        told,
        terms,
        ..
    } = read;
    let mut item = at_desk.document.clone();
    plan.item.apply_to(&mut item);
    let loan = standing
        .loan
        .as_ref()
        .zip(plan.loan)
        .map(|(held, closure)| {
            let mut document = held.document.clone();
            closure.apply_to(&mut document);
            let loans = desk.collection("loan");
            succeed(loans, &held.document, document, &stamp)
        });
    // Who is overtaken takes a round trip of its own; the other writes are pipelined with COMMIT.
    let queue = config.queue(Some(at_desk.id), Some(at_desk.instance_id));
    let mut served = None;
    if let Some(change) = &plan.request
        && let Some(held) = standing.queue.documents.get(&change.id)
    {
        let (id, mut document) = (change.id, held.clone());
        change.apply_to(&mut document);
        let next = queue::moved_to_front(desk, transaction, queue, id, held, document).await?;
        if let Some(told) = &told {
            let ready = plan.makes_ready(&facts.queue);
            let request = (id, &next.document);
            request_notices::served(desk, transaction, told, request, &item, ready).await?;
        }
        served = Some((id, next));
    }
    // Only for lost or late loans, since it costs round trips.
    let back = Back {
        item_id: at_desk.id,
        status_before: plan.record.item_status_prior_to_check_in,
        loan: standing.loan.as_ref(),
        returned_at: Some(request.check_in_date),
        settles_claim: request.modifiers.settles_claim,
        found_by_library: request.claimed_returned_resolution
            == Some(ClaimResolution::FoundByLibrary),
        fine,
        how: LossUndone::Returned,
        service_point_id: Some(request.service_point_id),
    };
    let unfit = match back.loan {
        Some(_) => None,
        None => loss_without_loan(desk, transaction, at_desk.id, back.status_before).await?,
    };
    let fees = came_back(desk, transaction, back).await?;
    if let (Some(loan), Some(item)) = (&plan.loan, &facts.item) {
        let of_loan = FeesOf {
            loan_id: loan.loan_id,
            item,
            borrower: standing.borrower.as_ref(),
            fees: &fees,
            aged_came_back: plan.record.item_status_prior_to_check_in == ItemStatus::AgedToLost,
            session_id: request.session_id,
        };
        fees_changed(desk, transaction, &terms, &[of_loan]).await?;
    }
    let stored = loan.as_ref().map(|next| next.document.clone());
    let writes = DeskWrites {
        item_id: at_desk.id,
        item: succeed(
            desk.collection("item"),
            &at_desk.document,
            item.clone(),
            &stamp,
        ),
        instance_id: at_desk.instance_id,
        loan: loan.map(LoanWrite::Changed),
        check_in: Some(check_in_record(desk, plan)?),
        session: session_record(desk, request, standing.loan.as_ref()),
        topic: "circulation.ITEM_CHECKED_IN",
        // Only the end of a loan is an event.
        key: plan.loan.map(|loan| loan.loan_id.uuid()),
        event: returned(plan, standing.loan.as_ref()),
        lines: journal::lines(desk, &lines, desk.operator())?,
        operator: desk.operator(),
    };
    let (tables, loans) = (desk.tables(), desk.collection("loan"));
    let request_slip = match &served {
        None => {
            writes.leave_and_commit(transaction, tables, loans).await?;
            None
        }
        // Polled together these are one round trip, in this order.
        Some((id, next)) => {
            let ((), (), slip) = try_join!(
                queue_store::serve(transaction, tables, *id, next),
                writes.leave(transaction, tables, loans),
                slip::last(transaction, tables, *id),
            )?;
            slip
        }
    };
    // As in FOLIO the item is taken in all the same: else it could never leave its status.
    if let Some(unfit) = unfit {
        return Err(unfit.into());
    }
    let mut shown_item = representation::item(&at_desk, &item, &config);
    let remaining = fees.remaining_of(standing.remaining.as_ref());
    let loan = stored.map(|stored| {
        let with = LoanWith {
            borrower: standing.borrower_document.as_ref(),
            remaining: remaining.as_ref().unwrap_or(&Value::Null),
            config: &config,
        };
        let mut shown = representation::loan(&stored, shown_item.clone(), with);
        // FOLIO responds with the value it has set, before its storage reformats it.
        shown["systemReturnDate"] = wire_time::to_wire(&shown["systemReturnDate"]);
        shown
    });
    shown_item["slip"] = representation::slip(&at_desk, &item, &config);
    Ok(CheckedIn {
        loan,
        item: shown_item,
        in_house_use: plan.in_house_use,
        request_slip,
    })
}

/// The payload of the event of a return, as mod-circulation publishes it.
fn returned(plan: &CheckInPlan, loan: Option<&HeldLoan>) -> Value {
    let Some(closure) = &plan.loan else {
        return Value::Null;
    };
    let mut event = json!({"loanId": closure.loan_id,
                          "returnDate": wire_time::format_z(closure.return_date)});
    if let Some(user_id) = loan.and_then(|held| held.loan.user_id) {
        event["userId"] = json!(user_id);
    }
    event
}

fn check_in_record(desk: Desk<'_>, plan: &CheckInPlan) -> Result<Value, StoreError> {
    let mut record = document(&plan.record)?;
    desk.stamp
        .complete(desk.collection("check_in"), &mut record);
    Ok(Value::Object(record))
}

fn session_record(
    desk: Desk<'_>,
    request: &CheckInRequest,
    loan: Option<&HeldLoan>,
) -> Option<Value> {
    let mut session = session_of(request, loan?)?;
    let collection = desk.collection("patron_action_session");
    desk.stamp.complete(collection, &mut session);
    Some(Value::Object(session))
}

fn log_lines(plan: &CheckInPlan, request: &CheckInRequest, read: &Read) -> Vec<LogEntry> {
    let (facts, standing) = (&read.facts, &read.standing);
    let Some(item) = &facts.item else {
        return Vec::new();
    };
    let with = CheckedInWith {
        item,
        loan: standing.loan.as_ref().map(|held| &held.loan),
        patron: standing.borrower.as_ref(),
        queue: &facts.queue,
        claim: request.claimed_returned_resolution,
        zone: &facts.zone,
        points: &|id| read.config.point_name(id),
        is_published: read.takes_log_records,
    };
    log_of_check_in(plan, &with)
}

/// The entry of the patron action session for a returned loan; `None` for an anonymized one.
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
