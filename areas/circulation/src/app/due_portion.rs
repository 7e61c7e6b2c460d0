//! A portion of due notices, with the records they are about.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use octavo_library::{
    AccountId, FeeFineActionId, LoanId, NoticePolicyId, RequestId, RequestStatus, UserId,
};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Desk;
use super::loan_notices::policy_for;
use super::notice_outbox::{Delivery, NoticeContext, Templates, missing, templates};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::NoticeAbout;
use crate::facts::{Item, LogItem};
use crate::notice::{
    Decision, Event, LoanState, Preferences, ScheduledNotice, of_fee, of_loan, of_request,
};
use crate::representation::notice::{self as tokens, Subject};
use crate::rules::CompiledRules;
use crate::store::notice::{self, FeeSubject, LoanSubject, Person};
use crate::store::policy::TenantTerms;
use crate::store::request_notice::{RequestSubject, requests};
use crate::store::scheduled_notice::Due;

/// The notices of a portion with their subjects.
pub(super) struct Portion {
    notices: Vec<(Uuid, Option<ScheduledNotice>)>,
    loans: HashMap<LoanId, LoanSubject>,
    requests: HashMap<RequestId, RequestSubject>,
    fees: HashMap<FeeFineActionId, FeeSubject>,
    pub(super) templates: Templates,
    pub(super) config: Arc<CirculationConfig>,
    rules: Arc<CompiledRules>,
}

/// The loan that a notice is about, complete.
#[derive(Debug)]
pub(super) struct LoanNoticeSubject<'a> {
    pub(super) loan: &'a LoanSubject,
    pub(super) borrower: &'a Person,
    pub(super) item: Item,
    pub(super) subject: Subject<'a>,
    pub(super) fee: Option<&'a FeeSubject>,
    pub(super) policy_id: Option<NoticePolicyId>,
}

/// The decision on a notice, and its subject if it is sent.
pub(super) type Decided<'a> = (Decision, Option<LoanNoticeSubject<'a>>);

impl Portion {
    /// Reads the subjects of notices, with one statement per kind.
    pub(super) async fn read(
        desk: Desk<'_>,
        transaction: &Transaction,
        tenant: &TenantTerms,
        due: Vec<Due>,
    ) -> Result<Portion, StoreError> {
        let config = desk.config(transaction, tenant).await?;
        let rules = desk.rules(transaction, tenant).await?;
        let notices = due.into_iter().map(|due| {
            let notice = ScheduledNotice::deserialize(due.document);
            (due.id, notice.ok())
        });
        let notices: Vec<(Uuid, Option<ScheduledNotice>)> = notices.collect();
        let of_loans = ids(&notices, |notice| notice.loan_id);
        let of_requests = ids(&notices, |notice| notice.request_id);
        let of_fees = ids(&notices, |notice| notice.fee_fine_action_id);
        let wanted = ids(&notices, |notice| notice.notice_config.template_id);
        let (tables, now) = (desk.tables(), desk.stamp.at);
        let (loans, requests, fees, templates) = futures_util::try_join!(
            notice::loans(transaction, tables, &of_loans, now),
            requests(transaction, tables, &of_requests, now),
            notice::fees(transaction, tables, &of_fees),
            templates(desk, transaction, wanted),
        )?;
        Ok(Portion {
            notices,
            loans,
            requests,
            fees,
            templates,
            config,
            rules,
        })
    }

    /// The notices, in their order; `None` for an unreadable one.
    pub(super) fn notices(&self) -> impl Iterator<Item = (Uuid, Option<&ScheduledNotice>)> {
        self.notices
            .iter()
            .map(|(id, notice)| (*id, notice.as_ref()))
    }

    /// Decides on an individual notice, and adds it to the outbox if it is sent.
    ///
    /// # Errors
    /// When a stored record cannot be read.
    pub(super) fn decide(
        &self,
        notice: &ScheduledNotice,
        telling: &mut NoticeContext,
        now: Timestamp,
    ) -> Result<Decision, StoreError> {
        if notice.request_id.is_some() || is_of_request(notice.triggering_event) {
            return self.decide_request(notice, telling, now);
        }
        let (decision, told) = self.decide_loan(notice, telling, now)?;
        let Some(told) = told else {
            return Ok(decision);
        };
        let delivery = delivery(notice, told.borrower.patron.id);
        let about = NoticeAbout {
            item: Some(&told.item),
            ..self.about(notice, &told)
        };
        let went = telling.put(delivery, about, &self.templates, || {
            self.context(notice, &told)
        });
        Ok(if went { decision } else { Decision::DROPPED })
    }

    /// Decides on a notice about a loan or a fee; returns its subject if it is sent. Missing records are
    /// logged in the circulation log.
    ///
    /// # Errors
    /// When a stored record cannot be read.
    pub(super) fn decide_loan(
        &self,
        notice: &ScheduledNotice,
        telling: &mut NoticeContext,
        now: Timestamp,
    ) -> Result<Decided<'_>, StoreError> {
        let gone = |telling: &mut NoticeContext, what: &str, id: Option<Uuid>| {
            let id = id.map_or_else(|| "null".to_owned(), |id| id.to_string());
            telling.fail(
                named(notice),
                notice.triggering_event.name(),
                &missing(what, &id),
            );
            Ok((Decision::DROPPED, None))
        };
        let template = notice.notice_config.template_id;
        if template.is_none_or(|id| !self.templates.contains_key(&id)) {
            return gone(telling, "template", template.map(Uuid::from));
        }
        let fee = match notice.fee_fine_action_id {
            None => None,
            Some(id) => match self.fees.get(&id) {
                None => return gone(telling, "feeFineAction", Some(id.uuid())),
                Some(fee) if fee.account.is_none() => {
                    let account = fee.action.get("accountId").and_then(Value::as_str);
                    let account = account.and_then(AccountId::parse);
                    return gone(telling, "account", account.map(Uuid::from));
                }
                Some(fee) => Some(fee),
            },
        };
        let of_fee = fee.map(|fee| of_fee(notice, is_closed(fee), now));
        if let Some(over) = of_fee.filter(|decision| !decision.sent) {
            return Ok((over, None));
        }
        let Some(subject) = notice.loan_id.and_then(|id| self.loans.get(&id)) else {
            return gone(telling, "loan", notice.loan_id.map(Uuid::from));
        };
        let Some(borrower) = &subject.borrower else {
            // A loan that was anonymized needs no notice any more.
            if !subject.loan.is_open() && subject.loan.user_id.is_none() {
                return Ok((Decision::DROPPED, None));
            }
            return gone(telling, "user", subject.loan.user_id.map(Uuid::from));
        };
        let Some(at_desk) = &subject.item else {
            return gone(telling, "item", Some(subject.loan.item_id.uuid()));
        };
        let item = at_desk.facts(&self.config)?;
        let state = LoanState {
            loan: &subject.loan,
            item_status: item.status.name,
            charged_as_lost: subject.charged_as_lost,
        };
        let decision = of_fee.unwrap_or_else(|| of_loan(notice, state, now));
        let policy_id = policy_for(&self.rules, &item, &borrower.patron);
        if !decision.sent || !self.is_preferred(notice, policy_id, &borrower.preferences) {
            return Ok((decision, None));
        }
        let told = LoanNoticeSubject {
            loan: subject,
            borrower,
            item,
            subject: Subject {
                loan: &subject.loan,
                comment: subject.comment.as_deref(),
                item: at_desk,
                document: &at_desk.document,
                borrower,
            },
            fee,
            policy_id,
        };
        Ok((decision, Some(told)))
    }

    fn is_preferred(
        &self,
        notice: &ScheduledNotice,
        policy_id: Option<NoticePolicyId>,
        preferences: &Preferences,
    ) -> bool {
        let policy = self.config.notice_policy(policy_id);
        let (event, config) = (notice.triggering_event, &notice.notice_config);
        policy.is_none_or(|policy| policy.still_sends(event, config, preferences))
    }

    /// The log's context of a notice about a loan.
    pub(super) fn about<'a>(
        &self,
        notice: &ScheduledNotice,
        told: &LoanNoticeSubject<'a>,
    ) -> NoticeAbout<'a> {
        let account = told.fee.and_then(|fee| fee.account.as_ref());
        let account = account.and_then(|account| account.get("id")?.as_str());
        NoticeAbout {
            loan: Some(&told.loan.loan),
            patron: Some(&told.borrower.patron),
            account_id: account.and_then(AccountId::parse),
            notice_policy_id: told.policy_id,
            ..named(notice)
        }
    }

    /// The item of a notice about a loan, for the log.
    pub(super) fn logged(told: &LoanNoticeSubject<'_>) -> LogItem {
        LogItem::of(&told.item, Some(told.loan.loan.id))
    }

    /// The template tokens of an individual notice.
    fn context(&self, notice: &ScheduledNotice, told: &LoanNoticeSubject<'_>) -> Value {
        let mut context = tokens::of_loan(told.subject, &self.config);
        if let Some(fee) = told.fee {
            context["feeCharge"] = tokens::charged(fee);
            if notice.triggering_event == Event::AgedToLostReturned {
                context["feeAction"] = tokens::acted(fee);
            }
        }
        context
    }

    /// The tokens of one loan or fee among several.
    pub(super) fn part(&self, told: &LoanNoticeSubject<'_>) -> Map<String, Value> {
        let mut part = tokens::one_loan(told.subject, &self.config);
        if let Some(fee) = told.fee {
            part.insert("feeCharge".into(), tokens::charged(fee));
        }
        part
    }

    fn decide_request(
        &self,
        notice: &ScheduledNotice,
        telling: &mut NoticeContext,
        now: Timestamp,
    ) -> Result<Decision, StoreError> {
        let event = notice.triggering_event;
        let mut gone = |what: &str, id: Option<Uuid>| {
            let id = id.map_or_else(|| "null".to_owned(), |id| id.to_string());
            telling.fail(named(notice), event.name(), &missing(what, &id));
            Ok(Decision::DROPPED)
        };
        let template = notice.notice_config.template_id;
        if template.is_none_or(|id| !self.templates.contains_key(&id)) {
            return gone("template", template.map(Uuid::from));
        }
        let Some(subject) = notice.request_id.and_then(|id| self.requests.get(&id)) else {
            return gone("request", notice.request_id.map(Uuid::from));
        };
        let Some(requester) = &subject.requester else {
            return gone("user", subject.id_of("requesterId"));
        };
        if subject.names_item() && subject.item.is_none() {
            return gone("item", subject.id_of("itemId"));
        }
        let expires = subject.instant("requestExpirationDate");
        let shelf = subject.instant("holdShelfExpirationDate");
        let status = subject.status.unwrap_or(RequestStatus::Filled);
        let decision = of_request(notice, status, expires, shelf, now);
        let item = subject.item.as_ref().map(|item| item.facts(&self.config));
        let item = item.transpose()?;
        let policy_id = item.as_ref();
        let policy_id = policy_id.and_then(|item| policy_for(&self.rules, item, &requester.patron));
        if !decision.sent || !self.is_preferred(notice, policy_id, &requester.preferences) {
            return Ok(decision);
        }
        let delivery = delivery(
            notice,
            notice.recipient_user_id.unwrap_or(requester.patron.id),
        );
        let about = NoticeAbout {
            item: item.as_ref(),
            patron: Some(&requester.patron),
            service_point_id: subject.id_of("pickupServicePointId"),
            notice_policy_id: policy_id,
            ..named(notice)
        };
        let went = telling.put(delivery, about, &self.templates, || {
            tokens::of_request(subject, requester, None, &self.config)
        });
        Ok(if went { decision } else { Decision::DROPPED })
    }
}

/// The ids of one kind that notices name, each once.
fn ids<I: Ord>(
    notices: &[(Uuid, Option<ScheduledNotice>)],
    of: impl Fn(&ScheduledNotice) -> Option<I>,
) -> Vec<I> {
    let ids = notices
        .iter()
        .filter_map(|(_, notice)| of(notice.as_ref()?));
    let distinct: BTreeSet<I> = ids.collect();
    distinct.into_iter().collect()
}

/// The delivery of a notice.
pub(super) fn delivery(notice: &ScheduledNotice, recipient: UserId) -> Delivery<'static> {
    Delivery {
        recipient,
        template_id: notice.notice_config.template_id,
        format: notice.notice_config.format,
        trigger: notice.triggering_event.name(),
    }
}

fn named(notice: &ScheduledNotice) -> NoticeAbout<'static> {
    NoticeAbout {
        loan_id: notice.loan_id,
        user_id: notice.recipient_user_id,
        template_id: notice.notice_config.template_id,
        request_id: notice.request_id,
        ..NoticeAbout::default()
    }
}

fn is_of_request(event: Event) -> bool {
    super::due_notices::OF_REQUESTS.contains(&event)
}

fn is_closed(fee: &FeeSubject) -> bool {
    let status = fee
        .account
        .as_ref()
        .and_then(|account| account.get("status"));
    status.is_some_and(|status| status["name"] == "Closed")
}
