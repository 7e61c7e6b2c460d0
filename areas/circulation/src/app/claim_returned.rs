//! Claimed returned: a borrower claims to have returned an item.

use futures_util::try_join;
use octavo_library::LoanId;

use super::lost_item::{LockedLoan, described, emit_loan_event, store_changes};
use super::{Declined, Desk, journal};
use crate::loss::claim::{ClaimReturned, claim};
use crate::store::loan;

/// Records the claim: the loan stays open until the item is found or declared missing.
pub async fn claim_returned(
    desk: Desk<'_>,
    loan_id: LoanId,
    request: &ClaimReturned,
) -> Result<(), Declined> {
    let transaction = desk.store.database.transaction().await?;
    let at_hand = loan::at_hand(&transaction, desk.tables(), loan_id).await?;
    let lent = LockedLoan::of(loan_id, at_hand)?;
    let change = claim(request, lent.loan())?;
    let line = lent.line("Claimed returned", described(request.comment.as_deref()));
    let changes = [&change];
    try_join!(
        store_changes(desk, &transaction, &lent, &changes),
        emit_loan_event(
            desk,
            &transaction,
            "circulation.ITEM_CLAIMED_RETURNED",
            lent.loan()
        ),
        journal::note(desk, &transaction, &line),
    )?;
    transaction.commit().await?;
    Ok(())
}
