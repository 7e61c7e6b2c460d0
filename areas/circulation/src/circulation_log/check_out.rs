//! The log's lines of a check-out: the loan, and the request that it fills.

use jiff::tz::TimeZone;
use octavo_library::{LoanAction, Patron, wire_time};
use serde_json::{Value, json};

use super::log_record::{of_item, set, zone_name};
use super::request::{Changed, status_changed, status_fields};
use super::{PointNames, about};
use crate::check_out::CheckOutPlan;
use crate::facts::{Item, LogEntry, LogItem, LogRecord, RequestQueue};

/// The facts of a check-out for the log.
#[derive(Clone, Copy)]
pub struct CheckedOutWith<'a> {
    pub item: &'a Item,
    /// The borrower.
    pub patron: &'a Patron,
    /// Who acted for the borrower.
    pub proxy: Option<&'a Patron>,
    /// The requests as they were before.
    pub queue: &'a RequestQueue,
    /// The tenant's time zone.
    pub zone: &'a TimeZone,
    /// The names of service points.
    pub points: PointNames<'a>,
    /// Whether anybody takes the event.
    pub is_published: bool,
}

/// The lines of a check-out.
#[must_use]
pub fn log_of_check_out(plan: &CheckOutPlan, with: &CheckedOutWith<'_>) -> Vec<LogEntry> {
    let action = match plan.loan.action {
        LoanAction::CheckedOutThroughOverride => "Checked out through override",
        _ => "Checked out",
    };
    let proxy = with.proxy.and_then(|proxy| proxy.barcode.as_deref());
    let change = plan.filled_request.as_ref().map(|filled| Changed {
        id: filled.id,
        status: filled.status,
        queue: with.queue,
        points: with.points,
    });
    let lent = LogEntry {
        object: "Loan",
        action,
        user_barcode: with.patron.barcode.clone(),
        items: vec![LogItem::of(with.item, Some(plan.loan.id))],
        service_point_id: Some(plan.loan.checkout_service_point_id),
        description: proxy_words(proxy),
        link_to_ids: about(Some(with.patron.id), None),
        record: match with.is_published {
            true => LogRecord::Event(Box::new(record(plan, with, change.as_ref()))),
            false => LogRecord::None,
        },
    };
    let filled = change.and_then(|change| status_changed(&change, &lent));
    std::iter::once(lent.clone()).chain(filled).collect()
}

/// The description, with the barcode of who acted for the borrower.
pub(super) fn proxy_words(barcode: Option<&str>) -> String {
    format!("Checked out to proxy: {}.", barcode.unwrap_or("no"))
}

/// The event; the database repeats its properties inside it, as mod-circulation does.
fn record(plan: &CheckOutPlan, with: &CheckedOutWith<'_>, change: Option<&Changed<'_>>) -> Value {
    let loan = &plan.loan;
    let kind = match loan.action {
        LoanAction::CheckedOutThroughOverride => "CHECK_OUT_THROUGH_OVERRIDE_EVENT",
        _ => "CHECK_OUT_EVENT",
    };
    let mut event = of_item(kind, with.item, plan.item_status.name);
    event["servicePointId"] = json!(loan.checkout_service_point_id);
    event["loanId"] = json!(loan.id);
    event["isLoanClosed"] = json!(false);
    event["dueDate"] = json!(wire_time::format_z(loan.due_date));
    set(&mut event, "zoneId", zone_name(with.zone));
    event["userId"] = json!(with.patron.id);
    set(&mut event, "userBarcode", with.patron.barcode.as_deref());
    let proxy = with.proxy.and_then(|proxy| proxy.barcode.as_deref());
    set(&mut event, "proxyBarcode", proxy);
    if let Some(request) = change.and_then(status_fields) {
        event["requests"] = json!([request]);
    }
    event
}
