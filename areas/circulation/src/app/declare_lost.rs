//! Declares an item lost; when nothing is charged, its loan is closed at once.

use futures_util::try_join;
use octavo_library::LoanId;

use super::leave_note::leave_note;
use super::lost_item::{LockedLoan, described, emit_loan_event, store_changes};
use super::{Declined, Desk, journal, loan_fee_effects};
use crate::loss::declare::{DeclareLost, DeclareLostFacts, DeclareLostPlan, decide};
use crate::store::loss::{LOSS_FEE_TYPES, home_of_loan, policy_of_loan};
use crate::store::{fee_types, loan};

/// Declares the item of a loan lost.
pub async fn declare_lost(
    desk: Desk<'_>,
    loan_id: LoanId,
    request: &DeclareLost,
) -> Result<(), Declined> {
    let transaction = desk.store.database.transaction().await?;
    let tables = desk.tables();
    let (at_hand, policy, home, types) = try_join!(
        loan::at_hand(&transaction, tables, loan_id),
        policy_of_loan(&transaction, tables, loan_id),
        home_of_loan(&transaction, tables, loan_id),
        fee_types::automatic(&transaction, tables, &LOSS_FEE_TYPES),
    )?;
    let lent = LockedLoan::of(loan_id, at_hand)?;
    let mut wanted = policy.fee_types_when_declared_lost().into_iter();
    let missing_fee_type = wanted.find(|name| !types.contains_key(*name));
    let facts = DeclareLostFacts {
        loan: lent.loan(),
        item: lent.item(),
        permanent_location_id: home.location_id,
        policy: &policy,
        has_owner: home.owner.is_some(),
        missing_fee_type,
    };
    let plan = decide(request, facts, desk.stamp.at)?;
    if plan.was_claimed_returned {
        let text = "Claimed returned item marked declared lost";
        leave_note(desk, &transaction, lent.loan(), text).await?;
    }
    let changes: Vec<_> = [Some(&plan.declared), plan.closed.as_ref()]
        .into_iter()
        .flatten()
        .collect();
    store_changes(desk, &transaction, &lent, &changes).await?;
    let lost = loan_fee_effects::LostLoan {
        loan: &lent.loan,
        policy: &policy,
        owner: home.owner.as_ref(),
        types: &types,
    };
    let place = request.service_point_id;
    loan_fee_effects::declared_lost(desk, &transaction, lost, plan.lost_at, place).await?;
    // As in FOLIO, a loan that is closed at once has only the event and log line of closing.
    let (topic, line) = match &plan {
        DeclareLostPlan { closed: None, .. } => (
            "circulation.ITEM_DECLARED_LOST",
            ("Declared lost", described(request.comment.as_deref())),
        ),
        _ => ("circulation.LOAN_CLOSED", ("Closed loan", String::new())),
    };
    let line = lent.line(line.0, line.1);
    try_join!(
        emit_loan_event(desk, &transaction, topic, lent.loan()),
        journal::note(desk, &transaction, &line),
    )?;
    transaction.commit().await?;
    Ok(())
}
