//! Notices at the end of a patron action session: one notice for all its check-outs or check-ins.

use std::collections::{HashMap, HashSet};

use octavo_library::{LoanId, NoticePolicyId, TemplateId, UserId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::{Map, Value};

use super::Desk;
use super::journal::By;
use super::loan_notices::policy_for;
use super::notice_outbox::{Delivery, NoticeContext, Templates, templates};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::NoticeAbout;
use crate::facts::{Item, LogItem};
use crate::notice::{Event, NoticePolicy};
use crate::representation::notice::{Subject, one_loan, several};
use crate::store::notice::{self, LoanSubject, Person};
use crate::store::policy;
use crate::store::session::Visited;

/// Loans of a session for one notice.
struct Group<'a> {
    recipient: UserId,
    policy_id: NoticePolicyId,
    event: Event,
    person: &'a Person,
    first: &'a LoanSubject,
    loans: Vec<Map<String, Value>>,
    items: Vec<LogItem>,
}

/// Queues the notices of ended sessions, whose rows this transaction has deleted; returns how many.
/// Nothing is read if no policy has such a notice.
pub(super) async fn ended(
    desk: Desk<'_>,
    transaction: &Transaction,
    visited: &[Visited],
) -> Result<usize, StoreError> {
    if visited.is_empty() {
        return Ok(0);
    }
    let tenant = policy::tenant_terms(transaction, desk.tables()).await?;
    let config = desk.config(transaction, &tenant).await?;
    let told = |one: &&Visited| config.sends_notices_for(&[one.event()]);
    let visited: Vec<&Visited> = visited.iter().filter(told).collect();
    if visited.is_empty() {
        return Ok(0);
    }
    let rules = desk.rules(transaction, &tenant).await?;
    let ids: HashSet<LoanId> = visited.iter().map(|one| one.loan_id).collect();
    let ids: Vec<LoanId> = ids.into_iter().collect();
    let wanted = wanted(&config);
    let (subjects, templates) = futures_util::try_join!(
        notice::loans(transaction, desk.tables(), &ids, desk.stamp.at),
        templates(desk, transaction, wanted),
    )?;
    let mut telling = NoticeContext::default();
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: HashMap<(UserId, UserId, NoticePolicyId, Event), usize> = HashMap::new();
    for one in visited {
        let (subject, item, person) = match complete(subjects.get(&one.loan_id), &config)? {
            Ok(complete) => complete,
            Err(what) => {
                telling.fail(named(one), one.event().name(), what);
                continue;
            }
        };
        let policy_id = policy_for(&rules, &item, &person.patron);
        let (Some(policy_id), Some(recipient)) = (policy_id, subject.recipient()) else {
            continue;
        };
        let event = one.event();
        let key = (one.patron_id, recipient, policy_id, event);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Group {
                recipient,
                policy_id,
                event,
                person,
                first: subject,
                loans: Vec::new(),
                items: Vec::new(),
            });
            groups.len() - 1
        });
        if let (Some(group), Some(at_desk)) = (groups.get_mut(place), &subject.item) {
            let of_loan = Subject {
                loan: &subject.loan,
                comment: subject.comment.as_deref(),
                item: at_desk,
                document: &at_desk.document,
                borrower: person,
            };
            group.loans.push(one_loan(of_loan, &config));
            group.items.push(LogItem::of(&item, Some(one.loan_id)));
        }
    }
    for group in groups {
        if let Some(policy) = config.notice_policy(Some(group.policy_id)) {
            put(&mut telling, policy, &group, &templates);
        }
    }
    let told = telling.len();
    telling.store(desk, transaction, By::System).await?;
    Ok(told)
}

/// The templates of all session notices.
fn wanted(config: &CirculationConfig) -> Vec<TemplateId> {
    let mut wanted = Vec::new();
    for policy in config.notice_policies.values() {
        for event in [Event::CheckOut, Event::CheckIn] {
            wanted.extend(policy.of(event).map(|one| one.template_id));
        }
    }
    wanted
}

/// A loan with all data for a notice; else what is missing, with FOLIO's message.
fn complete<'a>(
    subject: Option<&'a LoanSubject>,
    config: &CirculationConfig,
) -> Result<Result<(&'a LoanSubject, Item, &'a Person), &'static str>, StoreError> {
    let Some(subject) = subject else {
        return Ok(Err("referenced loan was not found"));
    };
    let Some(person) = &subject.borrower else {
        return Ok(Err("referenced user was not found"));
    };
    let Some(item) = &subject.item else {
        return Ok(Err("referenced item was not found"));
    };
    Ok(Ok((subject, item.facts(config)?, person)))
}

fn named(one: &Visited) -> NoticeAbout<'static> {
    NoticeAbout {
        loan_id: Some(one.loan_id),
        user_id: Some(one.patron_id),
        ..NoticeAbout::default()
    }
}

fn put(
    telling: &mut NoticeContext,
    policy: &NoticePolicy,
    group: &Group<'_>,
    templates: &Templates,
) {
    for one in policy.upon(group.event, &group.person.preferences) {
        let way = Delivery {
            recipient: group.recipient,
            template_id: Some(one.template_id),
            format: Some(one.format),
            trigger: group.event.name(),
        };
        let about = NoticeAbout {
            loan: Some(&group.first.loan),
            patron: Some(&group.person.patron),
            notice_policy_id: Some(group.policy_id),
            items: &group.items,
            ..NoticeAbout::default()
        };
        telling.put(way, about, templates, || {
            several(group.person, "loans", group.loans.clone())
        });
    }
}
