//! The facts of a check-in, read before the decision.

use jiff::tz::TimeZone;
use octavo_library::{LoanId, UserId};

use crate::due_date::{HoldShelf, Openings};
use crate::facts::{Item, RequestQueue};

/// The facts; `None` means not found.
#[derive(Debug, Clone)]
pub struct CheckInFacts {
    /// The user at the desk.
    pub operator_id: Option<UserId>,
    /// The item with the barcode.
    pub item: Option<Item>,
    /// The item's open loan.
    pub open_loan: Option<OpenLoan>,
    /// The open requests for the item (or its instance).
    pub queue: RequestQueue,
    /// The hold shelf of the service point of the check-in.
    pub hold_shelf: HoldShelf,
    /// The opening days of that service point.
    pub openings: Openings,
    /// The tenant's time zone.
    pub zone: TimeZone,
}

/// The loan that a check-in closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenLoan {
    /// The loan's id.
    pub id: LoanId,
}
