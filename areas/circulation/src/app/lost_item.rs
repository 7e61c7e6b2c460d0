//! A locked open loan with its item, and the writes common to all loss operations.

use futures_util::try_join;
use octavo_library::{Loan, LoanId, Patron};
use octavo_postgres::Transaction;
use octavo_records::store::{emit, replace};
use octavo_records::{Context, StoreError};
use serde_json::json;

use super::{Declined, Desk, lines};
use crate::facts::{Item, LogEntry};
use crate::loss::LoanChange;
use crate::store::item::HeldItem;
use crate::store::loan::{HeldLoan, LoanAtHand};

/// A loan with its item, both locked.
#[derive(Debug, Clone)]
pub struct LockedLoan {
    pub loan: HeldLoan,
    pub item: HeldItem,
    /// Its borrower, unless deleted.
    pub patron: Option<Patron>,
}

impl LockedLoan {
    /// The requested loan.
    ///
    /// # Errors
    /// When it does not exist, or its item was deleted.
    pub fn of(id: LoanId, at_hand: Option<LoanAtHand>) -> Result<LockedLoan, Declined> {
        let LoanAtHand { loan, item, patron } = at_hand.ok_or(Declined::NotFound {
            what: "loan",
            id: id.uuid(),
        })?;
        let item = item.ok_or(Declined::NotFound {
            what: "item",
            id: loan.loan.item_id.uuid(),
        })?;
        Ok(LockedLoan { loan, item, patron })
    }

    /// The loan's facts.
    #[must_use]
    pub fn loan(&self) -> &Loan {
        &self.loan.loan
    }

    /// The item's facts.
    #[must_use]
    pub fn item(&self) -> &Item {
        &self.item.item
    }

    /// A line of the log about the loan.
    #[must_use]
    pub fn line(&self, action: &'static str, description: String) -> LogEntry {
        let (item, patron) = (Some(self.item()), self.patron.as_ref());
        lines::about(self.loan(), item, patron, action, description)
    }
}

/// Writes changes of a loan and its item; each change of the loan gets its own row of the history.
pub async fn store_changes(
    desk: Desk<'_>,
    transaction: &Transaction,
    lent: &LockedLoan,
    changes: &[&LoanChange],
) -> Result<(), StoreError> {
    let Context { tenant, stamp, .. } = desk.context;
    let (items, loans) = (desk.collection("item"), desk.collection("loan"));
    let status = changes.iter().rev().find_map(|change| change.item_status);
    let mut item = lent.item.document.clone();
    if let Some(status) = status {
        lent.item()
            .change_status(status, stamp.at)
            .apply_to(&mut item);
    }
    let mut loan = lent.loan.document.clone();
    let (loan_id, item_id) = (lent.loan().id, lent.item().id);
    // The item before its loan: the trigger of the loan's history reads the item's status.
    try_join!(
        async {
            if status.is_some() {
                replace(transaction, tenant, items, item_id.uuid(), &item, &stamp).await?;
            }
            Ok::<_, StoreError>(())
        },
        async {
            for change in changes {
                change.apply_to(&mut loan);
                replace(transaction, tenant, loans, loan_id.uuid(), &loan, &stamp).await?;
            }
            Ok(())
        },
    )?;
    Ok(())
}

/// Writes a FOLIO event about a loan.
pub async fn emit_loan_event(
    desk: Desk<'_>,
    transaction: &Transaction,
    topic: &str,
    loan: &Loan,
) -> Result<(), StoreError> {
    let mut event = json!({"loanId": loan.id});
    if let Some(user_id) = loan.user_id {
        event["userId"] = json!(user_id);
    }
    emit(
        transaction,
        desk.tenant,
        topic,
        loan.id.uuid(),
        "CREATE",
        &event,
    )
    .await
}

/// The log's text for a comment.
pub(super) fn described(comment: Option<&str>) -> String {
    let comment = comment.filter(|comment| !comment.trim().is_empty());
    comment.map_or_else(String::new, |comment| {
        format!("Additional information: {comment}")
    })
}
