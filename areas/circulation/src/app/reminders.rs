//! Schedules the reminders of a loan relative to its due date: every operation that sets or changes the
//! due date restarts them, in its own transaction. If the loan's overdue fine policy has no reminders,
//! no statement is issued. Other changes of a loan do not touch its notice, as in FOLIO: `app/remind.rs`
//! checks the loan's state when the notice is due.

use jiff::Timestamp;
use octavo_library::{Loan, LoanId, UserId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::insert;
use serde_json::Value;

use super::Desk;
use crate::reminder::{OpenDays, RemindersPolicy, first_notice};
use crate::store::reminder;

/// Schedules the first reminder of a new loan.
pub(super) async fn begin(
    desk: Desk<'_>,
    transaction: &Transaction,
    policy: Option<&RemindersPolicy>,
    (loan_id, user_id): (LoanId, UserId),
    due_date: Timestamp,
    open: OpenDays<'_>,
) -> Result<(), StoreError> {
    let notice =
        policy.and_then(|policy| first_notice(policy, loan_id, Some(user_id), due_date, open));
    if let Some(notice) = notice {
        let notices = desk.collection("scheduled_notice");
        insert(transaction, desk.tenant, notices, notice, &desk.stamp).await?;
    }
    Ok(())
}

/// Restarts the reminders after a change of the due date.
pub(super) async fn restart(
    desk: Desk<'_>,
    transaction: &Transaction,
    policy: Option<&RemindersPolicy>,
    loan: &Loan,
    due_date: Timestamp,
    open: OpenDays<'_>,
) -> Result<(), StoreError> {
    let Some(policy) = policy else {
        return Ok(());
    };
    let notices = desk.collection("scheduled_notice");
    let notice = first_notice(policy, loan.id, loan.user_id, due_date, open);
    let notice = notice.map(|mut notice| {
        let id = desk.stamp.complete(notices, &mut notice);
        (id, Value::Object(notice))
    });
    reminder::begin_anew(transaction, desk.tables(), loan.id, notice).await
}
