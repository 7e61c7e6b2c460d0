//! What a recall does to the loan of the item that is recalled.

use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::due_date::{DueDateFacts, recalled_due_date};
use crate::facts::Loan;
use crate::refusal::Refusal;
use crate::reminder::forget;
use crate::wire_time;

/// The changes of a loan that is recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecallPlan {
    /// When it is due now; perhaps as before.
    pub due_date: Timestamp,
    /// The policy that was asked.
    pub loan_policy_id: Uuid,
    /// The item's status, as the loan's history keeps it.
    pub item_status: String,
}

/// Decides a recall made at `now`; none where a recall has changed the loan before, or it has no due
/// date that could change.
///
/// # Errors
/// When a period of the policy makes no sense, or the calendar does not cover the days needed.
pub fn recall(
    loan: &Loan,
    item_status: &str,
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
        item_status: item_status.to_owned(),
    }))
}

impl RecallPlan {
    /// Writes the due date into the document of a loan that is made while a recall waits.
    pub fn shorten(&self, document: &mut Map<String, Value>) {
        document.insert("dueDate".into(), wire_time::format(self.due_date).into());
        document.insert("dueDateChangedByRecall".into(), true.into());
        forget(document);
    }

    /// Writes the recall into the loan's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        self.shorten(document);
        document.insert("action".into(), "recallrequested".into());
        document.shift_remove("actionComment");
        let policy = self.loan_policy_id.to_string();
        document.insert("loanPolicyId".into(), policy.into());
        document.insert("itemStatus".into(), self.item_status.as_str().into());
    }
}
