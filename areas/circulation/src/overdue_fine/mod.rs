//! Overdue fines: a pure decision from the policy, the due date, the opening hours and the return. The
//! arithmetic is FOLIO's.

mod decide;
mod minutes;
mod policy;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::due_date::Openings;
use crate::loan_policy::Period;

pub use decide::{Before, fine, is_owed};
pub use minutes::overdue_minutes;
pub use policy::{Fine, Interval, OverdueFinePolicy};

/// The name of the automatic fee for late returns.
pub const OVERDUE_FINE: &str = "Overdue fine";

/// A loan that may be late.
#[derive(Debug, Clone, Copy)]
pub struct Overdue<'a> {
    /// The due date.
    pub due: Timestamp,
    /// The time of return or renewal.
    pub until: Timestamp,
    /// A recall had brought the due date forward.
    pub recalled: bool,
    /// The grace period of its loan policy.
    pub grace: Option<&'a Period>,
    /// The hours that count; `None` if all time does.
    pub hours: Option<Hours<'a>>,
}

/// The opening hours of a service point.
#[derive(Debug, Clone, Copy)]
pub struct Hours<'a> {
    /// Its days.
    pub openings: &'a Openings,
    /// The zone of its clock.
    pub zone: &'a TimeZone,
}
