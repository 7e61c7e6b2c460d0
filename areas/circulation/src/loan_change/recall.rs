//! The effect of a recall on the loan of the item.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanAction, LoanPolicyId, wire_time};
use serde_json::{Map, Value};

use crate::due_date::{DueDateFacts, recalled_due_date};
use crate::refusal::Refusal;
use crate::reminder::forget;

/// The changes of a loan that is recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecallPlan {
    /// The due date, possibly unchanged.
    pub due_date: Timestamp,
    /// The loan policy.
    pub loan_policy_id: LoanPolicyId,
    /// The item's status, for the loan's history.
    pub item_status: ItemStatus,
}

/// Decides a recall made at `now`; `None` if a recall has changed the loan before, or it has no due
/// date.
///
/// # Errors
/// When a period of the policy is invalid, or the calendar does not cover the days needed.
pub fn recall(
    loan: &Loan,
    item_status: ItemStatus,
    facts: &DueDateFacts<'_>,
    now: Timestamp,
) -> Result<Option<RecallPlan>, Refusal> {
    let Some(due) = loan.due_date else {
        return Ok(None);
    };
    if loan.was_recalled() || !loan.is_open() {
        return Ok(None);
    }
    Ok(Some(RecallPlan {
        due_date: recalled_due_date(due, loan.loan_date, now, facts)?,
        loan_policy_id: facts.policy.id,
        item_status,
    }))
}

impl RecallPlan {
    /// Writes the due date into a loan made while a recall waits.
    pub fn shorten(&self, document: &mut Map<String, Value>) {
        document.insert("dueDate".into(), wire_time::format(self.due_date).into());
        document.insert("dueDateChangedByRecall".into(), true.into());
        forget(document);
    }

    /// Writes the recall into the loan's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        self.shorten(document);
        document.insert("action".into(), LoanAction::RecallRequested.into());
        document.shift_remove("actionComment");
        document.insert("loanPolicyId".into(), self.loan_policy_id.into());
        document.insert("itemStatus".into(), self.item_status.into());
    }
}
