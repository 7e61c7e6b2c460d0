//! Notices about a loan: immediate ones, and ones scheduled relative to its due date. If the patron
//! notice policy has no such notice, no statement is issued.

use std::sync::Arc;

use jiff::Timestamp;
use octavo_library::{Loan, LoanId, NoticePolicyId, Patron, TemplateId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_records::store::insert_many;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Desk;
use super::journal::By;
use super::lost_item::LockedLoan;
use super::notice_outbox::{Delivery, NoticeContext, templates};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::NoticeAbout;
use crate::facts::{Item, rule_criteria};
use crate::notice::{About, Event, NoticePolicy, of_due_date};
use crate::representation::notice::{Subject, of_loan};
use crate::rules::CompiledRules;
use crate::store::policy::{self, TenantTerms};
use crate::store::{notice, read, scheduled_notice};

/// The events of a loan that notices may be about.
const OF_LOANS: [Event; 4] = [
    Event::DueDate,
    Event::Renewed,
    Event::ManualDueDateChange,
    Event::ItemRecalled,
];

/// The notice policy for an item and its borrower.
#[derive(Debug, Clone, Default)]
pub(super) struct LoanNotices {
    config: Arc<CirculationConfig>,
    policy_id: Option<NoticePolicyId>,
}

impl LoanNotices {
    /// The notice policy that the rules name for item and borrower; nothing is read if no policy has
    /// notices.
    pub(super) async fn of(
        desk: Desk<'_>,
        transaction: &Transaction,
        tenant: &TenantTerms,
        item: Option<&Item>,
        borrower: Option<&Patron>,
    ) -> Result<LoanNotices, StoreError> {
        let config = desk.config(transaction, tenant).await?;
        let mut policy_id = None;
        if let (Some(item), Some(borrower), true) =
            (item, borrower, config.sends_notices_for(&OF_LOANS))
        {
            let rules = desk.rules(transaction, tenant).await?;
            policy_id = policy_for(&rules, item, borrower);
        }
        Ok(LoanNotices { config, policy_id })
    }

    fn policy(&self) -> Option<&NoticePolicy> {
        self.config.notice_policy(self.policy_id)
    }

    /// The due date has changed: reschedules its notices. Lock the loan's item first.
    pub(super) async fn reschedule(
        &self,
        desk: Desk<'_>,
        transaction: &Transaction,
        loan: &Loan,
        due_date: Timestamp,
    ) -> Result<(), StoreError> {
        let event = Event::DueDate;
        // Notices of a policy that no longer applies are deleted too.
        if !self.config.sends_notices_for(&[event]) {
            return Ok(());
        }
        let about = About {
            loan_id: Some(loan.id),
            user_id: loan.user_id,
            ..About::default()
        };
        let made = self.policy();
        let made = made.map(|policy| of_due_date(policy, event, about, due_date));
        let notices = complete(desk, made.unwrap_or_default())?;
        let tables = desk.tables();
        scheduled_notice::put_for_loan(transaction, tables, loan.id, event, notices).await
    }

    /// Sends the immediate notice to the borrower or proxy, with loan and item after the operation. Call
    /// it before the statement that commits.
    pub(super) async fn notify(
        &self,
        desk: Desk<'_>,
        transaction: &Transaction,
        event: Event,
        loan_id: LoanId,
        loan: Option<&Map<String, Value>>,
        item: Option<&Map<String, Value>>,
    ) -> Result<(), StoreError> {
        let Some(policy) = self.policy().filter(|policy| policy.sends_for(event)) else {
            return Ok(());
        };
        let changed = loan.map(|loan| read("loan", Value::Object(loan.clone())));
        let changed: Option<Loan> = changed.transpose()?;
        let wanted: Vec<TemplateId> = policy.of(event).map(|one| one.template_id).collect();
        let ids = [loan_id];
        let (subjects, templates) = futures_util::try_join!(
            notice::loans(transaction, desk.tables(), &ids, desk.stamp.at),
            templates(desk, transaction, wanted),
        )?;
        let subject = subjects.get(&loan_id);
        let person = subject.and_then(|subject| subject.borrower.as_ref());
        let (Some(subject), Some(borrower)) = (subject, person) else {
            return Ok(());
        };
        let (Some(at_desk), Some(recipient)) = (&subject.item, subject.recipient()) else {
            return Ok(());
        };
        let facts = at_desk.facts(&self.config)?;
        let loan = changed.as_ref().unwrap_or(&subject.loan);
        let mut telling = NoticeContext::default();
        for one in policy.upon(event, &borrower.preferences) {
            let way = Delivery {
                recipient,
                template_id: Some(one.template_id),
                format: Some(one.format),
                trigger: event.name(),
            };
            let about = NoticeAbout {
                loan: Some(loan),
                item: Some(&facts),
                patron: Some(&borrower.patron),
                notice_policy_id: self.policy_id,
                ..NoticeAbout::default()
            };
            let told = Subject {
                loan,
                comment: subject.comment.as_deref(),
                item: at_desk,
                document: item.unwrap_or(&at_desk.document),
                borrower,
            };
            telling.put(way, about, &templates, || of_loan(told, &self.config));
        }
        telling.store(desk, transaction, By::System).await
    }
}

/// The patron notice policy that the rules name; `None` if a criterion is missing.
pub(super) fn policy_for(
    rules: &CompiledRules,
    item: &Item,
    patron: &Patron,
) -> Option<NoticePolicyId> {
    let criteria = rule_criteria(item, patron).ok()?;
    Some(rules.match_notice_policy(&criteria).policy_id)
}

/// The stored form of notices, with ids.
pub(super) fn complete(
    desk: Desk<'_>,
    notices: Vec<Map<String, Value>>,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let collection = desk.collection("scheduled_notice");
    let complete = |mut notice: Map<String, Value>| {
        let id = desk.stamp.complete(collection, &mut notice);
        (id, Value::Object(notice))
    };
    Ok(notices.into_iter().map(complete).collect())
}

/// Schedules the due date notices of a new loan.
pub(super) async fn begin(
    desk: Desk<'_>,
    transaction: &Transaction,
    (rules, config): (&CompiledRules, &CirculationConfig),
    parties: (Option<&Item>, Option<&Patron>),
    loan_id: LoanId,
    due_date: Timestamp,
) -> Result<(), StoreError> {
    let (Some(item), Some(patron)) = parties else {
        return Ok(());
    };
    if !config.sends_notices_for(&[Event::DueDate]) {
        return Ok(());
    }
    let about = About {
        loan_id: Some(loan_id),
        user_id: Some(patron.id),
        ..About::default()
    };
    let policy = config.notice_policy(policy_for(rules, item, patron));
    let made = policy.map(|policy| of_due_date(policy, Event::DueDate, about, due_date));
    put(desk, transaction, made.unwrap_or_default()).await
}

/// Schedules the notices of loans that aged to lost. Lock the items first.
pub(super) async fn aged(
    desk: Desk<'_>,
    transaction: &Transaction,
    loans: &[LockedLoan],
) -> Result<(), StoreError> {
    if loans.is_empty() {
        return Ok(());
    }
    let tenant = policy::tenant_terms(transaction, desk.tables()).await?;
    let config = desk.config(transaction, &tenant).await?;
    let event = Event::AgedToLost;
    if !config.sends_notices_for(&[event]) {
        return Ok(());
    }
    let rules = desk.rules(transaction, &tenant).await?;
    let notices = loans.iter().flat_map(|lent| {
        let about = About {
            loan_id: Some(lent.loan().id),
            user_id: lent.loan().user_id,
            ..About::default()
        };
        let patron = lent.patron.as_ref();
        let policy = patron.and_then(|patron| policy_for(&rules, lent.item(), patron));
        let made = config.notice_policy(policy);
        let made = made.map(|policy| of_due_date(policy, event, about, desk.stamp.at));
        made.unwrap_or_default()
    });
    put(desk, transaction, notices.collect()).await
}

/// An overdue fine was charged: deletes the loan's due date notices.
pub async fn overdue_charged(
    desk: Desk<'_>,
    transaction: &Transaction,
    config: &CirculationConfig,
    loan_id: LoanId,
) -> Result<(), StoreError> {
    if !config.sends_notices_for(&[Event::DueDate]) {
        return Ok(());
    }
    scheduled_notice::drop_overdue(transaction, desk.tables(), loan_id).await
}

/// Stores scheduled notices, with one statement if there are any.
pub(super) async fn put(
    desk: Desk<'_>,
    transaction: &Transaction,
    notices: Vec<Map<String, Value>>,
) -> Result<(), StoreError> {
    let collection = desk.collection("scheduled_notice");
    insert_many(transaction, desk.tenant, collection, notices, &desk.stamp).await?;
    Ok(())
}
