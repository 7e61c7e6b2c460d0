//! The statuses of orders and lines: what opening, closing and reopening make of them, and when the system
//! closes an order by itself.

use serde_json::json;

use super::doc::{Doc, set, text};
use super::line::Line;

/// `workflowStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workflow {
    Pending,
    Open,
    Closed,
}

impl Workflow {
    /// That of an order; one that says nothing is Pending.
    #[must_use]
    pub fn of(order: &Doc) -> Workflow {
        match text(order, "workflowStatus") {
            Some("Open") => Workflow::Open,
            Some("Closed") => Workflow::Closed,
            _ => Workflow::Pending,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Workflow::Pending => "Pending",
            Workflow::Open => "Open",
            Workflow::Closed => "Closed",
        }
    }
}

/// Whether an order goes on: its lines do not end with what was ordered.
#[must_use]
pub fn is_ongoing(order: &Doc) -> bool {
    text(order, "orderType") == Some("Ongoing")
}

/// A line of an order that opens.
pub fn open_line(line: &mut Doc, ongoing: bool) {
    let [payment, receipt] = match ongoing {
        true => {
            let keep = |status: &str, kept: &'static str| match status == kept {
                true => kept,
                false => "Ongoing",
            };
            [
                keep(Line(line).payment_status(), "Payment Not Required"),
                keep(Line(line).receipt_status(), "Receipt Not Required"),
            ]
            .map(str::to_owned)
        }
        false => {
            let become_ = |status: &str, waiting: &str| match status {
                "Pending" => waiting.to_owned(),
                other => other.to_owned(),
            };
            [
                become_(Line(line).payment_status(), "Awaiting Payment"),
                become_(Line(line).receipt_status(), "Awaiting Receipt"),
            ]
        }
    };
    set(line, "paymentStatus", payment);
    set(line, "receiptStatus", receipt);
}

/// A line of an order that becomes Pending again.
pub fn unopen_line(line: &mut Doc) {
    if matches!(Line(line).payment_status(), "Awaiting Payment" | "Ongoing") {
        set(line, "paymentStatus", "Pending");
    }
    if matches!(Line(line).receipt_status(), "Awaiting Receipt" | "Ongoing") {
        set(line, "receiptStatus", "Pending");
    }
}

/// A line of an order that is closed because it was cancelled.
pub fn cancel_line(line: &mut Doc) {
    if !matches!(
        Line(line).payment_status(),
        "Fully Paid" | "Payment Not Required"
    ) {
        set(line, "paymentStatus", "Cancelled");
    }
    if !matches!(
        Line(line).receipt_status(),
        "Fully Received" | "Receipt Not Required"
    ) {
        set(line, "receiptStatus", "Cancelled");
    }
}

/// What is known of a line when its order is reopened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Past {
    /// Whether a piece is Received or Unreceivable.
    pub is_received: bool,
    /// Whether an invoice about it is paid.
    pub is_paid: bool,
    /// Whether a line of an invoice about it releases the encumbrance.
    pub is_released: bool,
}

/// A line of an order that is reopened by its staff.
pub fn reopen_line(line: &mut Doc, ongoing: bool, past: Past) {
    let [receipt, payment] = match (ongoing, past) {
        (true, _) => ["Ongoing", "Ongoing"],
        (false, past) => [
            match past.is_received {
                true => "Partially Received",
                false => "Awaiting Receipt",
            },
            match (past.is_paid, past.is_released) {
                (true, true) => "Fully Paid",
                (true, false) => "Partially Paid",
                (false, _) => "Awaiting Payment",
            },
        ],
    };
    set(line, "receiptStatus", receipt);
    set(line, "paymentStatus", payment);
}

/// What the system makes of an order whose lines have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// It is closed, for this reason.
    Close(&'static str),
    Reopen,
}

/// Whether an order closes or opens because of its lines.
#[must_use]
pub fn follows(order: &Doc, lines: &[Line<'_>]) -> Option<Follows> {
    if lines.is_empty() {
        return None;
    }
    match Workflow::of(order) {
        Workflow::Pending => None,
        Workflow::Open => {
            let is_resolved =
                |line: &Line<'_>| line.is_payment_resolved() && line.is_receipt_resolved();
            if !lines.iter().all(is_resolved) {
                return None;
            }
            Some(Follows::Close(
                match lines.iter().all(|line| line.is_cancelled()) {
                    true => "Cancelled",
                    false => "Complete",
                },
            ))
        }
        Workflow::Closed => {
            let is_unresolved =
                |line: &Line<'_>| !line.is_payment_resolved() && !line.is_receipt_resolved();
            lines.iter().any(is_unresolved).then_some(Follows::Reopen)
        }
    }
}

/// Closes an order for a reason.
pub fn close(order: &mut Doc, reason: &str) {
    set(order, "workflowStatus", Workflow::Closed.name());
    set(order, "closeReason", json!({"reason": reason}));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    fn line(payment: &str, receipt: &str) -> Doc {
        object(json!({"paymentStatus": payment, "receiptStatus": receipt}))
    }

    fn statuses(line: &Doc) -> (&str, &str) {
        (Line(line).payment_status(), Line(line).receipt_status())
    }

    #[test]
    fn an_order_that_opens_awaits() {
        for (ongoing, before, after) in [
            (
                false,
                ("Pending", "Pending"),
                ("Awaiting Payment", "Awaiting Receipt"),
            ),
            (
                false,
                ("Cancelled", "Pending"),
                ("Cancelled", "Awaiting Receipt"),
            ),
            (true, ("Pending", "Cancelled"), ("Ongoing", "Ongoing")),
            (
                true,
                ("Payment Not Required", "Receipt Not Required"),
                ("Payment Not Required", "Receipt Not Required"),
            ),
        ] {
            let mut line = line(before.0, before.1);
            open_line(&mut line, ongoing);
            assert_eq!(statuses(&line), after);
        }
    }

    #[test]
    fn a_cancelled_order_keeps_what_is_complete() {
        for (before, after) in [
            (
                ("Awaiting Payment", "Awaiting Receipt"),
                ("Cancelled", "Cancelled"),
            ),
            (
                ("Fully Paid", "Partially Received"),
                ("Fully Paid", "Cancelled"),
            ),
            (
                ("Payment Not Required", "Receipt Not Required"),
                ("Payment Not Required", "Receipt Not Required"),
            ),
        ] {
            let mut line = line(before.0, before.1);
            cancel_line(&mut line);
            assert_eq!(statuses(&line), after);
        }
    }

    #[test]
    fn orders_close_and_open_by_themselves() {
        let close = |reason| Some(Follows::Close(reason));
        for (status, lines, wanted) in [
            (
                "Open",
                vec![
                    ("Fully Paid", "Fully Received"),
                    ("Payment Not Required", "Cancelled"),
                ],
                close("Complete"),
            ),
            (
                "Open",
                vec![("Cancelled", "Cancelled"), ("Cancelled", "Cancelled")],
                close("Cancelled"),
            ),
            ("Open", vec![("Fully Paid", "Ongoing")], None),
            ("Open", vec![], None),
            ("Pending", vec![("Cancelled", "Cancelled")], None),
            ("Closed", vec![("Fully Paid", "Awaiting Receipt")], None),
            (
                "Closed",
                vec![("Partially Paid", "Awaiting Receipt")],
                Some(Follows::Reopen),
            ),
        ] {
            let order = object(json!({"workflowStatus": status}));
            let docs: Vec<Doc> = lines.iter().map(|one| line(one.0, one.1)).collect();
            let lines: Vec<Line<'_>> = docs.iter().map(Line).collect();
            assert_eq!(follows(&order, &lines), wanted, "{status} {docs:?}");
        }
    }

    #[test]
    fn a_reopened_line_remembers_pieces_and_invoices() {
        let past = |is_received, is_paid, is_released| Past {
            is_received,
            is_paid,
            is_released,
        };
        for (ongoing, past, after) in [
            (true, past(true, true, true), ("Ongoing", "Ongoing")),
            (
                false,
                past(false, false, false),
                ("Awaiting Payment", "Awaiting Receipt"),
            ),
            (
                false,
                past(true, true, false),
                ("Partially Paid", "Partially Received"),
            ),
            (
                false,
                past(false, true, true),
                ("Fully Paid", "Awaiting Receipt"),
            ),
            (
                false,
                past(false, false, true),
                ("Awaiting Payment", "Awaiting Receipt"),
            ),
        ] {
            let mut line = line("Payment Not Required", "Receipt Not Required");
            reopen_line(&mut line, ongoing, past);
            assert_eq!(statuses(&line), after);
        }
    }
}
