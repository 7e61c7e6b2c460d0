//! The one place that a reminder's notice passes on its way to the borrower.
//!
//! Templates and mail are not there yet. What is to be sent comes here with all that a template can ask
//! for, in the transaction of the reminder; nothing is sent, and the circulation log says of each notice
//! that it was not. Whoever delivers notices puts them into a queue here and writes FOLIO's line
//! `Send`, or `Send error` where the template is gone.

use octavo_fees::app::charge::Charged;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use uuid::Uuid;

use super::lent::Lent;
use super::{Desk, journal};
use crate::circulation_log::{NoticeAbout, notice_not_sent};
use crate::reminder::{Reminder, TRIGGER};

/// Why the log says that no notice was sent.
const NOT_DELIVERED: &str = "Notices are not delivered yet";

/// A notice that the borrower of a loan is to get.
#[derive(Debug, Clone, Copy)]
pub struct NoticeToSend<'a> {
    /// The scheduled notice that it comes of.
    pub notice_id: Uuid,
    /// The loan, its item and its borrower, as they were before the reminder.
    pub lent: &'a Lent,
    /// The reminder: template and format are its.
    pub reminder: &'a Reminder,
    /// What was charged for it; nothing for a notice without a fee.
    pub charged: Option<Charged>,
}

/// Sends notices. Those of reminders that nobody is told of are passed over.
///
/// # Errors
/// When the database does not answer.
pub async fn send(
    desk: Desk<'_>,
    transaction: &Transaction,
    notices: &[NoticeToSend<'_>],
) -> Result<(), StoreError> {
    let told = notices.iter().filter(|notice| notice.reminder.is_told());
    let lines: Vec<_> = told
        .map(|notice| {
            let about = NoticeAbout {
                loan: Some(notice.lent.loan()),
                item: Some(notice.lent.item()),
                patron: notice.lent.patron.as_ref(),
                account_id: notice.charged.map(|charged| charged.account_id),
                template_id: notice.reminder.notice_template_id,
                ..NoticeAbout::default()
            };
            notice_not_sent(about, TRIGGER, NOT_DELIVERED)
        })
        .collect();
    journal::note_as_system(desk, transaction, &lines).await
}
