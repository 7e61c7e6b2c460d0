//! Changes of a loan and its item when the item is lost, claimed or paid for.

use jiff::Timestamp;
use octavo_library::{ItemStatus, LoanAction, LoanStatus, wire_time};
use serde_json::{Map, Value, json};

/// The change of a loan; writes itself into the stored document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoanChange {
    /// The action for the loan's history; blank if none.
    pub action: Option<LoanAction>,
    pub comment: Comment,
    /// The new item status, also stored in the loan; unchanged if none.
    pub item_status: Option<ItemStatus>,
    /// The loan is closed.
    pub closes: bool,
    /// When it counts as returned.
    pub return_date: Option<Timestamp>,
    /// When the item was declared lost.
    pub declared_lost_date: Option<Timestamp>,
    /// When the borrower claims to have returned it.
    pub claimed_returned_date: Option<Timestamp>,
    /// It has aged to lost.
    pub aged: Option<Aged>,
    /// The borrower has been billed for that.
    pub billed: bool,
}

/// When a loan aged to lost and when its borrower is billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aged {
    /// When it aged to lost.
    pub at: Timestamp,
    /// When the borrower is billed.
    pub billed_at: Timestamp,
}

/// The change of the last action's comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Comment {
    /// Unchanged.
    #[default]
    Keep,
    /// Removed.
    Remove,
    /// Replaced.
    Set(String),
}

impl LoanChange {
    /// Closes a loan as lost and paid.
    #[must_use]
    pub fn lost_and_paid(now: Timestamp) -> LoanChange {
        LoanChange {
            action: Some(LoanAction::ClosedLoan),
            comment: Comment::Remove,
            item_status: Some(ItemStatus::LostAndPaid),
            closes: true,
            return_date: Some(now),
            ..LoanChange::default()
        }
    }

    /// Writes the change into a loan's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let action = self.action.map_or("", LoanAction::name);
        document.insert("action".into(), action.into());
        match &self.comment {
            Comment::Keep => {}
            Comment::Remove => {
                document.shift_remove("actionComment");
            }
            Comment::Set(comment) => {
                document.insert("actionComment".into(), comment.as_str().into());
            }
        }
        if let Some(status) = self.item_status {
            document.insert("itemStatus".into(), status.into());
        }
        if self.closes {
            document.insert("status".into(), LoanStatus::Closed.document());
        }
        if let Some(date) = self.return_date {
            document.insert("returnDate".into(), wire_time::format_z(date).into());
        }
        let dates = [
            ("declaredLostDate", self.declared_lost_date),
            ("claimedReturnedDate", self.claimed_returned_date),
        ];
        for (property, date) in dates {
            if let Some(date) = date {
                document.insert(property.into(), wire_time::format(date).into());
            }
        }
        if self.aged.is_some() || self.billed {
            self.apply_billing(document);
        }
    }

    fn apply_billing(&self, document: &mut Map<String, Value>) {
        let billing = document
            .entry("agedToLostDelayedBilling")
            .or_insert_with(|| json!({}));
        let Some(billing) = billing.as_object_mut() else {
            return;
        };
        billing.insert("lostItemHasBeenBilled".into(), self.billed.into());
        if let Some(aged) = self.aged {
            let due = wire_time::format(aged.billed_at);
            billing.insert("dateLostItemShouldBeBilled".into(), due.into());
            billing.insert("agedToLostDate".into(), wire_time::format(aged.at).into());
        }
    }
}
