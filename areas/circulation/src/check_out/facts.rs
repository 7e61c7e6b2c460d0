//! The facts of a check-out, read before the decision in as few round trips as possible: first people,
//! item and queue by barcode, then the policy that the rules name.

use std::collections::HashSet;

use jiff::tz::TimeZone;
use octavo_library::{LostItemPolicyId, OverdueFinePolicyId, Patron, ProxyRelationship};

use crate::due_date::Openings;
use crate::facts::{AutomatedBlock, Item, ManualBlock, RequestQueue};
use crate::loan_policy::{FixedDueDateSchedule, LoanPolicy};
use crate::rules::MatchConditions;

/// The facts; `None` and empty lists mean not found.
#[derive(Debug, Clone)]
pub struct CheckOutFacts {
    /// The user with the borrower's barcode.
    pub patron: Option<Patron>,
    /// The user with the proxy's barcode; looked for only if one is given.
    pub proxy: Option<Patron>,
    /// The relationships in which this proxy acts for this borrower, active or not.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// All blocks staff put on the borrower, expired ones too.
    pub manual_blocks: Vec<ManualBlock>,
    /// The borrower's automated blocks.
    pub automated_blocks: Vec<AutomatedBlock>,
    /// The item with the barcode.
    pub item: Option<Item>,
    /// Whether the item has an open loan.
    pub item_has_open_loan: bool,
    /// The open requests for the item (or its instance).
    pub queue: RequestQueue,
    /// The policies that hold; `None` only if patron or item were not found.
    pub terms: Option<LoanTerms>,
    /// The borrower's open loans, as far as an item limit counts them.
    pub open_loans: OpenLoanCounts,
    /// The tenant's time zone.
    pub zone: TimeZone,
    /// The opening days of the service point.
    pub openings: Openings,
    /// The operator's permissions, expanded; only those for overrides matter.
    pub operator_permissions: HashSet<String>,
}

/// The policies that hold for the loan.
#[derive(Debug, Clone)]
pub struct LoanTerms {
    pub policy: LoanPolicy,
    /// What the rule that named the loan policy mentions; all `false` for a forced policy.
    pub conditions: MatchConditions,
    /// The policy's fixed due date schedule.
    pub schedule: Option<FixedDueDateSchedule>,
    pub overdue_fine_policy_id: Option<OverdueFinePolicyId>,
    /// The lost item fee policy.
    pub lost_item_policy_id: Option<LostItemPolicyId>,
}

/// How many open loans the borrower has of items not claimed returned that share a type with the item in
/// question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenLoanCounts {
    pub same_material_type: u32,
    /// Of the same effective loan type.
    pub same_loan_type: u32,
    /// Of both.
    pub same_material_and_loan_type: u32,
}
