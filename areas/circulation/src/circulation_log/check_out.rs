//! The log's lines of a check-out: the loan, and the request that it fills.

use octavo_library::{LoanAction, Patron};

use super::request::{Changed, status_changed};
use super::{PointNames, about};
use crate::check_out::CheckOutPlan;
use crate::facts::{Item, LogEntry, LogItem, RequestQueue};

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
    /// The names of service points.
    pub points: PointNames<'a>,
}

/// The lines of a check-out.
#[must_use]
pub fn log_of_check_out(plan: &CheckOutPlan, with: &CheckedOutWith<'_>) -> Vec<LogEntry> {
    let action = match plan.loan.action {
        LoanAction::CheckedOutThroughOverride => "Checked out through override",
        _ => "Checked out",
    };
    let proxy = with.proxy.and_then(|proxy| proxy.barcode.as_deref());
    let lent = LogEntry {
        object: "Loan",
        action,
        user_barcode: with.patron.barcode.clone(),
        items: vec![LogItem::of(with.item, Some(plan.loan.id))],
        service_point_id: Some(plan.loan.checkout_service_point_id),
        description: format!("Checked out to proxy: {}.", proxy.unwrap_or("no")),
        link_to_ids: about(Some(with.patron.id), None),
    };
    let filled = plan.filled_request.as_ref().and_then(|filled| {
        let change = Changed {
            id: filled.id,
            status: filled.status,
            queue: with.queue,
            points: with.points,
        };
        status_changed(&change, &lent)
    });
    std::iter::once(lent.clone()).chain(filled).collect()
}
