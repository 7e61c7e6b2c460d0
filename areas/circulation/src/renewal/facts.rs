//! The facts of a renewal, read before the decision.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use octavo_library::{Loan, Patron};

use crate::due_date::Openings;
use crate::facts::{Item, ManualBlock, RequestQueue};
use crate::loan_policy::{FixedDueDateSchedule, LoanPolicy};

/// The facts; `None` and empty lists mean not found.
#[derive(Debug, Clone)]
pub struct RenewalFacts {
    pub item: Option<Item>,
    /// Its open loan.
    pub loan: Option<Loan>,
    /// The loan's borrower.
    pub patron: Option<Patron>,
    /// All blocks staff put on the borrower, expired ones too.
    pub manual_blocks: Vec<ManualBlock>,
    /// The messages of the automated blocks that forbid renewals.
    pub automated_blocks: Vec<String>,
    /// A fee for a reminder was billed for the loan.
    pub has_reminders: bool,
    /// The loan's overdue fine policy lets such loans be renewed.
    pub renewable_with_reminders: bool,
    /// The policy that the rules name now; `None` only if the loan was not found.
    pub terms: Option<RenewalTerms>,
    /// The open requests for the item (or its instance).
    pub queue: RequestQueue,
    /// The tenant's time zone.
    pub zone: TimeZone,
    /// The opening days of the check-out service point.
    pub openings: Openings,
    /// The operator's permissions, expanded; only those for overrides matter.
    pub operator_permissions: HashSet<String>,
}

/// The loan policy of a renewal with its schedules.
#[derive(Debug, Clone)]
pub struct RenewalTerms {
    pub policy: LoanPolicy,
    /// The schedule of its loans.
    pub schedule: Option<FixedDueDateSchedule>,
    /// The schedule of its renewals.
    pub alternate_schedule: Option<FixedDueDateSchedule>,
}

impl RenewalTerms {
    /// Whether renewals have a period, or a schedule, of their own.
    #[must_use]
    pub fn different_period(&self) -> bool {
        let terms = self.policy.renewals_policy.as_ref();
        terms.is_some_and(|terms| terms.different_period)
    }
}
