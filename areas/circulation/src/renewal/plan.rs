//! The changes of a renewal: the loan, and the item if a lost one is renewed through an override.

use jiff::Timestamp;
use octavo_library::{DatedStatus, LoanAction, LoanId, LoanPolicyId, wire_time};
use serde_json::{Map, Value};

use crate::reminder::forget;

/// The changes of one renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenewalPlan {
    pub loan_id: LoanId,
    pub due_date: Timestamp,
    /// `renewed` or `renewedThroughOverride`.
    pub action: LoanAction,
    /// The comment on an override; without one an earlier comment is removed.
    pub action_comment: Option<String>,
    /// The policy it is renewed under.
    pub loan_policy_id: LoanPolicyId,
    /// How often the loan has been renewed by then.
    pub renewal_count: u32,
    /// No recall waits any more, so the loan's recall mark is removed.
    pub recall_is_over: bool,
    /// The item's status, where the renewal changes it.
    pub item_status: Option<DatedStatus>,
    /// The loan was aged to lost: its billing is cancelled.
    pub was_aged_to_lost: bool,
    /// The borrower's expiration changed the due date; in the response only, not stored.
    pub due_date_changed_by_near_expire_user: bool,
}

impl RenewalPlan {
    /// Writes the renewal into the loan's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        document.insert("action".into(), self.action.into());
        match &self.action_comment {
            Some(comment) => document.insert("actionComment".into(), comment.as_str().into()),
            None => document.shift_remove("actionComment"),
        };
        document.insert("dueDate".into(), wire_time::format(self.due_date).into());
        let policy = self.loan_policy_id.to_string();
        document.insert("loanPolicyId".into(), policy.into());
        document.insert("renewalCount".into(), self.renewal_count.into());
        forget(document);
        if self.recall_is_over {
            document.insert("dueDateChangedByRecall".into(), false.into());
        }
        if let Some(status) = &self.item_status {
            document.insert("itemStatus".into(), status.name.into());
        }
        let billing = document
            .get_mut("agedToLostDelayedBilling")
            .and_then(Value::as_object_mut);
        if let Some(billing) = billing.filter(|_| self.was_aged_to_lost) {
            billing.shift_remove("lostItemHasBeenBilled");
            billing.shift_remove("dateLostItemShouldBeBilled");
        }
    }

    /// Its name in the log.
    #[must_use]
    pub fn name(&self) -> &'static str {
        if self.action == LoanAction::Renewed {
            "Renewed"
        } else {
            "Renewed through override"
        }
    }
}
