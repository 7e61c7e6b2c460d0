//! Declares a claimed returned item missing; the loan is closed.

use futures_util::try_join;
use octavo_library::LoanId;

use super::leave_note::leave_note;
use super::lost_item::{LockedLoan, described, store_changes};
use super::{Declined, Desk, journal};
use crate::loss::claim::{DeclareMissing, missing};
use crate::store::loan;

/// Marks the item as missing and closes the loan.
pub async fn declare_missing(
    desk: Desk<'_>,
    loan_id: LoanId,
    request: &DeclareMissing,
) -> Result<(), Declined> {
    let transaction = desk.store.database.transaction().await?;
    let at_hand = loan::at_hand(&transaction, desk.tables(), loan_id).await?;
    let lent = LockedLoan::of(loan_id, at_hand)?;
    let change = missing(request, lent.loan(), lent.item())?;
    let text = "Claimed returned item marked missing";
    leave_note(desk, &transaction, lent.loan(), text).await?;
    let line = lent.line("Marked as missing", described(Some(&request.comment)));
    let changes = [&change];
    try_join!(
        store_changes(desk, &transaction, &lent, &changes),
        journal::note(desk, &transaction, &line),
    )?;
    transaction.commit().await?;
    Ok(())
}
