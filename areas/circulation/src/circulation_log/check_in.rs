//! The log lines of a check-in: the item, the closed loan, and the served request.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_library::{Loan, Patron, wire_time};
use serde_json::{Value, json};

use super::log_record::{of_item, set, zone_name};
use super::request::{Changed, status_changed, status_fields};
use super::{PointNames, about};
use crate::check_in::{CheckInPlan, ClaimResolution, LoanClosure};
use crate::facts::{Item, LogEntry, LogItem, LogRecord, RequestQueue};

/// The facts of a check-in for the log.
#[derive(Clone, Copy)]
pub struct CheckedInWith<'a> {
    pub item: &'a Item,
    /// The loan that ends, as it was before.
    pub loan: Option<&'a Loan>,
    /// Its borrower; without a loan the last borrower, if known.
    pub patron: Option<&'a Patron>,
    /// The requests as they were before.
    pub queue: &'a RequestQueue,
    /// The resolution of a claim that the item was returned.
    pub claim: Option<ClaimResolution>,
    /// The tenant's time zone.
    pub zone: &'a TimeZone,
    /// The names of service points.
    pub points: PointNames<'a>,
    /// Whether anybody takes the event.
    pub is_published: bool,
}

/// The lines of a check-in.
#[must_use]
pub fn log_of_check_in(plan: &CheckInPlan, with: &CheckedInWith<'_>) -> Vec<LogEntry> {
    let loan_id = plan.loan.map(|loan| loan.loan_id);
    let change = plan.request.as_ref().map(|request| Changed {
        id: request.id,
        status: request.status,
        queue: with.queue,
        points: with.points,
    });
    let taken = LogEntry {
        object: "N/A",
        action: "Checked in",
        user_barcode: with.patron.and_then(|patron| patron.barcode.clone()),
        items: vec![LogItem::of(with.item, loan_id)],
        service_point_id: Some(plan.record.service_point_id),
        description: format!("Item status: {}.", status(plan, with)),
        // Without a closed loan the last borrower is logged by barcode only.
        link_to_ids: about(
            with.patron.map(|one| one.id).filter(|_| loan_id.is_some()),
            None,
        ),
        record: match with.is_published {
            true => LogRecord::Event(Box::new(record(plan, with, change.as_ref()))),
            false => LogRecord::None,
        },
    };
    let closed = plan.loan.map(|closure| LogEntry {
        object: "Loan",
        action: "Closed loan",
        description: end_of(&closure, plan, with),
        record: LogRecord::None,
        ..taken.clone()
    });
    let changed = change.and_then(|change| status_changed(&change, &taken));
    let first = std::iter::once(taken.clone());
    first.chain(closed).chain(changed).collect()
}

/// The event: all properties of a check-in on one level.
fn record(plan: &CheckInPlan, with: &CheckedInWith<'_>, change: Option<&Changed<'_>>) -> Value {
    let mut event = of_item("CHECK_IN_EVENT", with.item, plan.item.status.name);
    event["servicePointId"] = json!(plan.record.service_point_id);
    if let Some(closure) = &plan.loan {
        event["loanId"] = json!(closure.loan_id);
        event["isLoanClosed"] = json!(true);
        event["systemReturnDate"] = json!(wire_time::format_z(closure.system_return_date));
        event["returnDate"] = json!(wire_time::format_z(closure.return_date));
        set(&mut event, "zoneId", zone_name(with.zone));
        if let Some(due) = with.loan.and_then(|loan| loan.due_date) {
            event["dueDate"] = json!(wire_time::format_z(due));
        }
        set(
            &mut event,
            "userId",
            with.loan.and_then(|loan| loan.user_id),
        );
        let barcode = with.patron.and_then(|patron| patron.barcode.as_deref());
        set(&mut event, "userBarcode", barcode);
        // The database puts the proxy's barcode in its place.
        set(
            &mut event,
            "proxyUserId",
            with.loan.and_then(|loan| loan.proxy_user_id),
        );
    }
    let destination = plan.item.in_transit_destination_service_point_id;
    let destination = destination.and_then(with.points);
    set(&mut event, "destinationServicePoint", destination);
    set(
        &mut event,
        "claimedReturnedResolution",
        with.claim.map(outcome),
    );
    if let Some(request) = change.and_then(status_fields) {
        event["requests"] = json!([request]);
    }
    event
}

/// How a claim that the item was returned ends.
fn outcome(claim: ClaimResolution) -> &'static str {
    match claim {
        ClaimResolution::FoundByLibrary => "Found by library",
        ClaimResolution::ReturnedByPatron => "Returned by patron",
    }
}

/// The item's new status and where it is sent.
fn status(plan: &CheckInPlan, with: &CheckedInWith<'_>) -> String {
    let destination = plan.item.in_transit_destination_service_point_id;
    let name = plan.item.status.name;
    match destination.and_then(with.points) {
        Some(point) => format!("{name} to {point}"),
        None => name.name().to_owned(),
    }
}

fn end_of(closure: &LoanClosure, plan: &CheckInPlan, with: &CheckedInWith<'_>) -> String {
    end_words(&Ended {
        status: plan.item.status.name.name(),
        claim: with.claim.map(outcome),
        returned: Some(closure.return_date),
        noted: Some(closure.system_return_date),
        due: with.loan.and_then(|loan| loan.due_date),
        zone: with.zone,
    })
}

/// How a loan ends.
pub(super) struct Ended<'a> {
    /// The item's new status.
    pub status: &'a str,
    /// How a claim that the item was returned ends.
    pub claim: Option<&'a str>,
    /// When the item came back.
    pub returned: Option<Timestamp>,
    /// When it was checked in.
    pub noted: Option<Timestamp>,
    pub due: Option<Timestamp>,
    pub zone: &'a TimeZone,
}

/// The end of a loan in words.
pub(super) fn end_words(ended: &Ended<'_>) -> String {
    let mut text = format!("Item status: {}", ended.status);
    if let Some(claim) = ended.claim {
        text.push_str(&format!(". Claimed returned item: {claim}"));
    }
    let minute = |at: Timestamp| at.as_second().div_euclid(60);
    if let Some(returned) = ended.returned {
        if ended.noted.map(minute) != Some(minute(returned)) {
            let at = local(returned, ended.zone);
            text.push_str(&format!(". Backdated to: {at}"));
        }
        if let Some(due) = ended.due.filter(|due| *due < returned) {
            text.push_str(&format!(". Overdue due date: {}", local(due, ended.zone)));
        }
    }
    text.push('.');
    text
}

fn local(at: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned(zone.clone());
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}
