//! Closes a loan whose lost item is settled.

use futures_util::try_join;
use octavo_library::LoanId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;

use super::lost_item::{LockedLoan, emit_loan_event, store_changes};
use super::{Desk, journal};
use crate::loss::LoanChange;
use crate::loss::settled::is_settled;
use crate::store::loan;
use crate::store::loss::{actual_cost_of_loan, fees_of_loan};

/// Closes a loan as "lost and paid" if its item is lost and all fees for it are closed; returns whether
/// it did. For use inside the transaction that closed a fee, after its writes. Lock order: the loan's
/// item must have been locked before the accounts, since operations on a loan lock the item first.
pub async fn settle_loss(
    desk: Desk<'_>,
    transaction: &Transaction,
    loan_id: LoanId,
) -> Result<bool, StoreError> {
    let tables = desk.tables();
    let (at_hand, fees, actual_cost) = try_join!(
        loan::at_hand(transaction, tables, loan_id),
        fees_of_loan(transaction, tables, loan_id),
        actual_cost_of_loan(transaction, tables, loan_id),
    )?;
    let Ok(lent) = LockedLoan::of(loan_id, at_hand) else {
        return Ok(false);
    };
    let now = desk.stamp.at;
    if !is_settled(lent.loan(), lent.item(), fees, actual_cost.as_ref(), now) {
        return Ok(false);
    }
    let line = lent.line("Closed loan", String::new());
    let end = LoanChange::lost_and_paid(now);
    let changes = [&end];
    try_join!(
        store_changes(desk, transaction, &lent, &changes),
        emit_loan_event(desk, transaction, "circulation.LOAN_CLOSED", lent.loan()),
        journal::note(desk, transaction, &line),
    )?;
    Ok(true)
}

/// The same in a transaction of its own.
pub async fn fee_closed(desk: Desk<'_>, loan_id: LoanId) -> Result<bool, StoreError> {
    let transaction = desk.store.database.transaction().await?;
    let settled = settle_loss(desk, &transaction, loan_id).await?;
    transaction.commit().await?;
    Ok(settled)
}
