//! The statuses of an invoice and the changes between them.

/// The status of an invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Open,
    Reviewed,
    Approved,
    Paid,
    Cancelled,
}

impl Status {
    /// Reads FOLIO's name.
    #[must_use]
    pub fn named(name: &str) -> Status {
        match name {
            "Reviewed" => Status::Reviewed,
            "Approved" => Status::Approved,
            "Paid" => Status::Paid,
            "Cancelled" => Status::Cancelled,
            _ => Status::Open,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Open => "Open",
            Status::Reviewed => "Reviewed",
            Status::Approved => "Approved",
            Status::Paid => "Paid",
            Status::Cancelled => "Cancelled",
        }
    }

    /// Whether the invoice was approved once: then its amounts are protected.
    #[must_use]
    pub fn is_settled(self) -> bool {
        !matches!(self, Status::Open | Status::Reviewed)
    }

    /// Whether its money is reserved or paid, so that it cannot be deleted.
    #[must_use]
    pub fn holds_money(self) -> bool {
        matches!(self, Status::Approved | Status::Paid)
    }
}

/// What a change of status asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// Nothing more.
    Plain,
    Approve,
    Pay,
    Cancel,
    /// A cancelled invoice becomes approved: its status is stored, and nothing else happens.
    Restore,
}

/// Why a change of status is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forbidden {
    FromPaid,
    NotApproved,
    NotCancellable,
    /// An approved invoice is opened again; whether the body says who approved it decides about the code.
    Reopened,
}

/// The change from one status to another.
///
/// # Errors
/// When FOLIO refuses it.
pub fn transition(from: Status, to: Status) -> Result<Transition, Forbidden> {
    use Status::{Approved, Cancelled, Open, Paid, Reviewed};
    Ok(match (from, to) {
        (Open | Reviewed, Open | Reviewed)
        | (Approved, Approved)
        | (Paid, Paid)
        | (Cancelled, Cancelled) => Transition::Plain,
        (Open | Reviewed, Approved) => Transition::Approve,
        (Approved, Paid) => Transition::Pay,
        (Open | Reviewed | Cancelled, Paid) => return Err(Forbidden::NotApproved),
        (Approved | Paid, Cancelled) => Transition::Cancel,
        (Open | Reviewed, Cancelled) => return Err(Forbidden::NotCancellable),
        (Paid, Approved) => return Err(Forbidden::FromPaid),
        (Cancelled, Approved) => Transition::Restore,
        (Approved | Paid | Cancelled, Open | Reviewed) => return Err(Forbidden::Reopened),
    })
}

/// The payment status of an order line after an invoice on it is paid; `None` where it stays.
#[must_use]
pub fn paid(current: &str, releases: bool) -> Option<&'static str> {
    match current {
        "Ongoing" | "Payment Not Required" => None,
        _ => Some(if releases {
            "Fully Paid"
        } else {
            "Partially Paid"
        }),
    }
}

/// The payment status of an order line after a paid invoice on it is cancelled: by the lines of other paid
/// invoices of the fiscal year on it, of each whether it releases; `None` where it stays.
#[must_use]
pub fn cancelled(current: &str, others: &[bool]) -> Option<&'static str> {
    if !matches!(current, "Fully Paid" | "Partially Paid") {
        return None;
    }
    if others.is_empty() {
        return Some("Awaiting Payment");
    }
    match others.contains(&true) {
        true => None,
        false => Some("Partially Paid"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_change_as_in_folio() {
        use Status::{Approved, Cancelled, Open, Paid, Reviewed};
        for (from, to, result) in [
            (Open, Reviewed, Ok(Transition::Plain)),
            (Reviewed, Open, Ok(Transition::Plain)),
            (Open, Approved, Ok(Transition::Approve)),
            (Reviewed, Approved, Ok(Transition::Approve)),
            (Open, Paid, Err(Forbidden::NotApproved)),
            (Open, Cancelled, Err(Forbidden::NotCancellable)),
            (Approved, Paid, Ok(Transition::Pay)),
            (Approved, Cancelled, Ok(Transition::Cancel)),
            (Approved, Open, Err(Forbidden::Reopened)),
            (Paid, Approved, Err(Forbidden::FromPaid)),
            (Paid, Cancelled, Ok(Transition::Cancel)),
            (Paid, Paid, Ok(Transition::Plain)),
            (Cancelled, Approved, Ok(Transition::Restore)),
            (Cancelled, Paid, Err(Forbidden::NotApproved)),
            (Cancelled, Open, Err(Forbidden::Reopened)),
        ] {
            assert_eq!(transition(from, to), result, "{from:?} → {to:?}");
            assert_eq!(Status::named(from.name()), from);
        }
    }

    /// M1–M4, M9–M10c of the worked examples.
    #[test]
    fn order_lines_follow_their_invoices() {
        for (current, releases, after) in [
            ("Awaiting Payment", true, Some("Fully Paid")),
            ("Awaiting Payment", false, Some("Partially Paid")),
            ("Ongoing", true, None),
            ("Payment Not Required", true, None),
            ("Cancelled", true, Some("Fully Paid")),
        ] {
            assert_eq!(paid(current, releases), after, "{current}");
        }
        for (current, others, after) in [
            ("Fully Paid", vec![], Some("Awaiting Payment")),
            ("Fully Paid", vec![false], Some("Partially Paid")),
            ("Fully Paid", vec![false, true], None),
            ("Partially Paid", vec![], Some("Awaiting Payment")),
            ("Ongoing", vec![], None),
        ] {
            assert_eq!(cancelled(current, &others), after, "{current} {others:?}");
        }
    }
}
