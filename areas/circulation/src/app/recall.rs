//! The effect of a recall on the loan of the recalled item: the due date is brought forward, once for
//! each loan, and the loan is marked. A request written into the storage has no such effect, as in
//! FOLIO.

use futures_util::try_join;
use jiff::Timestamp;
use octavo_library::LoanId;
use octavo_postgres::Transaction;
use octavo_records::store::replace;

use super::journal::note;
use super::loan_notices::LoanNotices;
use super::renew::terms_for;
use super::{Declined, Desk, lines, reminders};
use crate::due_date::DueDateFacts;
use crate::loan_change::recall;
use crate::reminder::OpenDays;
use crate::store::loan::LoanAtHand;
use crate::store::policy::TenantTerms;

/// A loan that a recall has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recalled {
    pub loan_id: LoanId,
    /// The due date before.
    pub before: Option<Timestamp>,
    /// The new due date.
    pub due_date: Timestamp,
}

/// Recalls a loan that is locked with its item. `None` if nothing changes: the loan was recalled before
/// or has no due date, or item or borrower were deleted.
///
/// # Errors
/// When the policy's recall periods are invalid.
pub async fn shorten(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    held: &LoanAtHand,
) -> Result<Option<Recalled>, Declined> {
    let (Some(item), Some(patron)) = (&held.item, &held.patron) else {
        return Ok(None);
    };
    let loan = &held.loan.loan;
    if loan.was_recalled() || !loan.is_open() {
        return Ok(None);
    }
    let item = &item.item;
    let terms = terms_for(desk, transaction, tenant, item, patron).await?;
    let point = loan.checkout_service_point_id;
    let openings = desk.openings(transaction, tenant, point).await?;
    let facts = DueDateFacts {
        policy: &terms.policy,
        schedule: terms.schedule.as_ref(),
        zone: &tenant.zone,
        openings: &openings,
        patron_expires_at: patron.expiration_date,
        hold_waiting: false,
    };
    let Some(plan) = recall(loan, item.status.name, &facts, desk.stamp.at)? else {
        return Ok(None);
    };
    let config = desk.config(transaction, tenant).await?;
    let mut document = held.loan.document.clone();
    plan.apply_to(&mut document);
    let description = lines::new_due_date(plan.due_date, loan.due_date, &tenant.zone);
    let line = lines::about(
        loan,
        Some(item),
        Some(patron),
        "Recall requested",
        description,
    );
    let notices = LoanNotices::of(desk, transaction, tenant, Some(item), Some(patron)).await?;
    try_join!(
        notices.reschedule(desk, transaction, loan, plan.due_date),
        replace(
            transaction,
            desk.tenant,
            desk.collection("loan"),
            loan.id.uuid(),
            &document,
            &desk.stamp
        ),
        lines::due_date_changed(desk, transaction, loan, &document),
        note(desk, transaction, &line),
        reminders::restart(
            desk,
            transaction,
            config.reminders(loan.overdue_fine_policy_id),
            loan,
            plan.due_date,
            OpenDays {
                days: &openings,
                zone: &tenant.zone,
            },
        ),
    )?;
    Ok(Some(Recalled {
        loan_id: loan.id,
        before: loan.due_date,
        due_date: plan.due_date,
    }))
}
