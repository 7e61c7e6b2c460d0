//! Queues the notices of reminders, in the transaction of the reminder. They are rendered and sent after
//! the commit.

use octavo_fees::app::charge::{Charge, Charged};
use octavo_library::{LoanId, TemplateId, UserId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;

use super::Desk;
use super::journal::By;
use super::lost_item::LockedLoan;
use super::notice_outbox::{Delivery, NoticeContext, missing};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::NoticeAbout;
use crate::notice::Format;
use crate::reminder::{Reminder, TRIGGER};
use crate::representation::notice::{Subject, loan_notice};
use crate::store::notice;

/// A notice for the borrower of a loan.
#[derive(Debug, Clone, Copy)]
pub struct NoticeToSend<'a> {
    /// The loan, its item and its borrower, as they were before the reminder.
    pub lent: &'a LockedLoan,
    /// The borrower.
    pub user_id: UserId,
    /// The reminder, with template and format.
    pub reminder: &'a Reminder,
    /// The charge; `None` for a notice without a fee.
    pub charged: Option<(&'a Charge<'a>, Charged)>,
}

/// Queues notices. Reminders without a notice are skipped.
pub async fn send(
    desk: Desk<'_>,
    transaction: &Transaction,
    config: &CirculationConfig,
    notices: &[NoticeToSend<'_>],
) -> Result<(), StoreError> {
    let told = notices.iter().filter(|notice| notice.reminder.has_notice());
    let told: Vec<&NoticeToSend<'_>> = told.collect();
    if told.is_empty() {
        return Ok(());
    }
    let loans: Vec<LoanId> = told.iter().map(|notice| notice.lent.loan().id).collect();
    let templates = told
        .iter()
        .filter_map(|notice| notice.reminder.notice_template_id);
    let templates: Vec<TemplateId> = templates.collect();
    let (subjects, names) = futures_util::try_join!(
        notice::loans(transaction, desk.tables(), &loans, desk.stamp.at),
        notice::template_names(transaction, desk.tables(), &templates),
    )?;
    let mut telling = NoticeContext::default();
    for one in told {
        let loan = one.lent.loan();
        let about = NoticeAbout {
            loan: Some(loan),
            item: Some(one.lent.item()),
            patron: one.lent.patron.as_ref(),
            account_id: one.charged.map(|(_, charged)| charged.account_id),
            template_id: one.reminder.notice_template_id,
            ..NoticeAbout::default()
        };
        let template_id = one.reminder.notice_template_id;
        let subject = subjects.get(&loan.id).and_then(|found| {
            let (item, borrower) = (found.item.as_ref()?, found.borrower.as_ref()?);
            Some(Subject {
                loan,
                comment: found.comment.as_deref(),
                item,
                document: &item.document,
                borrower,
            })
        });
        let Some(subject) = subject else {
            let id = template_id.map_or_else(|| "null".to_owned(), |id| id.to_string());
            telling.fail(about, TRIGGER, &missing("template", &id));
            continue;
        };
        let way = Delivery {
            recipient: one.user_id,
            template_id,
            format: Some(match one.reminder.format() {
                "Print" => Format::Print,
                _ => Format::Email,
            }),
            trigger: TRIGGER,
        };
        let charge = one.charged.map(|(charge, _)| (charge, desk.stamp.at));
        telling.put(way, about, &names, || loan_notice(subject, charge, config));
    }
    telling.store(desk, transaction, By::System).await
}
