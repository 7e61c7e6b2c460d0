//! Changes a due date by hand, and adds information to a loan: locks item and loan, changes the loan,
//! and writes log lines and events.

use futures_util::try_join;
use jiff::Timestamp;
use octavo_library::{LoanId, RequestStatus, RequestType};
use octavo_records::store::replace;

use super::journal::note;
use super::loan_notices::LoanNotices;
use super::{Declined, Desk, lines, reminders};
use crate::loan_change::{Information, change_due_date};
use crate::notice::Event;
use crate::refusal::Refusal;
use crate::reminder::OpenDays;
use crate::store::{loan, policy};

/// Changes the due date of an open loan.
///
/// # Errors
/// When there is no such loan, it has ended, or its item's status forbids it.
pub async fn new_due_date(
    desk: Desk<'_>,
    loan_id: LoanId,
    due_date: Timestamp,
) -> Result<(), Declined> {
    let transaction = desk.store.database.transaction().await?;
    let tables = desk.tables();
    let (found, tenant) = try_join!(
        loan::at_hand(&transaction, tables, loan_id),
        policy::tenant_terms(&transaction, tables),
    )?;
    let found = found.ok_or(not_found(loan_id))?;
    let item = found.item.as_ref().map(|held| &held.item);
    let config = desk.config(&transaction, &tenant).await?;
    // Only for a recalled loan it matters whether a recall still waits.
    let recall_waits = match item {
        Some(item) if found.loan.loan.was_recalled() => {
            let standing = desk.standing(&transaction, &tenant, &config, item).await?;
            standing.queue.queue.requests().iter().any(|request| {
                request.request_type == RequestType::Recall
                    && request.status == RequestStatus::NotYetFilled
            })
        }
        _ => false,
    };
    let change = change_due_date(&found.loan.loan, item, due_date, recall_waits)
        .map_err(|refusal| Declined::from(Refusal::from(refusal)))?;
    let (before, mut document) = (&found.loan.loan, found.loan.document);
    change.apply_to(&mut document);
    let point = before.checkout_service_point_id;
    let openings = desk.openings(&transaction, &tenant, point).await?;
    let line = lines::about(
        before,
        item,
        found.patron.as_ref(),
        "Changed due date",
        lines::new_due_date(due_date, before.due_date, &tenant.zone),
    );
    let patron = found.patron.as_ref();
    let notices = LoanNotices::of(desk, &transaction, &tenant, item, patron).await?;
    let event = Event::ManualDueDateChange;
    notices
        .notify(desk, &transaction, event, loan_id, Some(&document), None)
        .await?;
    try_join!(
        replace(
            &transaction,
            desk.tenant,
            desk.collection("loan"),
            loan_id.uuid(),
            &document,
            &desk.stamp
        ),
        notices.reschedule(desk, &transaction, before, due_date),
        lines::due_date_changed(desk, &transaction, before, &document),
        note(desk, &transaction, &line),
        reminders::restart(
            desk,
            &transaction,
            config.reminders(before.overdue_fine_policy_id),
            before,
            due_date,
            OpenDays {
                days: &openings,
                zone: &tenant.zone,
            },
        ),
    )?;
    Ok(transaction.commit().await?)
}

/// Adds information to a loan, open or not.
///
/// # Errors
/// When there is no such loan.
pub async fn add_information(
    desk: Desk<'_>,
    loan_id: LoanId,
    information: &Information,
) -> Result<(), Declined> {
    let transaction = desk.store.database.transaction().await?;
    let found = loan::at_hand(&transaction, desk.tables(), loan_id).await?;
    let found = found.ok_or(not_found(loan_id))?;
    let mut document = found.loan.document;
    information.apply_to(&mut document);
    let line = lines::about(
        &found.loan.loan,
        found.item.as_ref().map(|held| &held.item),
        found.patron.as_ref(),
        information.kind.name(),
        information.comment.clone(),
    );
    try_join!(
        replace(
            &transaction,
            desk.tenant,
            desk.collection("loan"),
            loan_id.uuid(),
            &document,
            &desk.stamp
        ),
        note(desk, &transaction, &line),
    )?;
    Ok(transaction.commit().await?)
}

pub(super) fn not_found(id: LoanId) -> Declined {
    Declined::NotFound {
        what: "loan",
        id: id.uuid(),
    }
}
