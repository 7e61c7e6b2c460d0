//! Changes of a due date by staff.

use jiff::Timestamp;
use octavo_library::{Loan, wire_time};
use serde_json::{Map, Value};

use crate::facts::Item;
use crate::refusal::LoanRefusal;
use crate::reminder::forget;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueDateChange {
    /// The new due date; may be in the past.
    pub due_date: Timestamp,
    /// No recall waits any more, so the loan's recall mark is removed.
    pub recall_is_over: bool,
}

/// Whether the item's status forbids changing the due date.
#[must_use]
pub fn keeps_due_date(item: &Item) -> bool {
    item.status.name.is_lost_or_claimed_returned()
}

/// Decides a change of the due date. `recall_waits` says whether a recall waits for an item.
///
/// # Errors
/// When the loan has ended or the item's status forbids it.
pub fn change_due_date(
    loan: &Loan,
    item: Option<&Item>,
    due_date: Timestamp,
    recall_waits: bool,
) -> Result<DueDateChange, LoanRefusal> {
    if !loan.is_open() {
        return Err(LoanRefusal::Closed { loan_id: loan.id });
    }
    if let Some(item) = item.filter(|item| keeps_due_date(item)) {
        return Err(LoanRefusal::ItemStatus {
            status: item.status.name,
            item_id: item.id,
        });
    }
    Ok(DueDateChange {
        due_date,
        recall_is_over: loan.was_recalled() && !recall_waits,
    })
}

impl DueDateChange {
    /// Writes the date into the loan's document; reminders begin again. The last action stays, as in
    /// FOLIO: only the log records the change.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        document.insert("dueDate".into(), wire_time::format(self.due_date).into());
        forget(document);
        if self.recall_is_over {
            document.insert("dueDateChangedByRecall".into(), false.into());
        }
    }
}
