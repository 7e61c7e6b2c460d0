//! Notices about a request: placed, ready, cancelled, and before or at its expiration. Call each
//! function after the request was written and before the commit: it reads in the same transaction. If no
//! patron notice policy has such a notice, and no setting has a template for title level requests, no
//! statement is issued.

use std::sync::Arc;

use octavo_library::{NoticePolicyId, RequestId, RequestType, TemplateId};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::{Map, Value};

use super::Desk;
use super::journal::By;
use super::loan_notices::{LoanNotices, complete, policy_for};
use super::notice_outbox::{Delivery, NoticeContext, templates};
use crate::circulation_config::CirculationConfig;
use crate::circulation_log::NoticeAbout;
use crate::notice::{About, Event, NoticePolicy, NoticeSetting, of_requests};
use crate::representation::notice::of_request;
use crate::rules::CompiledRules;
use crate::settings::TitleLevelRequests;
use crate::store::policy::TenantTerms;
use crate::store::request_notice::{RequestSubject, only_recall, request_as, requests};
use crate::store::{notice, scheduled_notice};

const SCHEDULED: [Event; 2] = [Event::RequestExpiration, Event::HoldExpiration];
const PLACED: [Event; 6] = [
    Event::PagingRequest,
    Event::HoldRequest,
    Event::RecallRequest,
    Event::ItemRecalled,
    Event::RequestExpiration,
    Event::HoldExpiration,
];

/// The rules for notices about requests.
#[derive(Debug, Clone)]
pub(super) struct RequestNoticeRules {
    config: Arc<CirculationConfig>,
    rules: Arc<CompiledRules>,
}

impl RequestNoticeRules {
    /// `None` if no policy has notices for these events.
    async fn of(
        desk: Desk<'_>,
        transaction: &Transaction,
        tenant: &TenantTerms,
        events: &[Event],
    ) -> Result<Option<RequestNoticeRules>, StoreError> {
        let config = desk.config(transaction, tenant).await?;
        if !config.sends_notices_for(events) {
            return Ok(None);
        }
        let rules = desk.rules(transaction, tenant).await?;
        Ok(Some(RequestNoticeRules { config, rules }))
    }

    fn policy(&self, subject: &RequestSubject) -> Result<Option<NoticePolicyId>, StoreError> {
        let (Some(item), Some(requester)) = (&subject.item, &subject.requester) else {
            return Ok(None);
        };
        let item = item.facts(&self.config)?;
        Ok(policy_for(&self.rules, &item, &requester.patron))
    }
}

/// For a check-in: the notices of the request that is served.
pub(super) async fn of_check_in(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
) -> Result<Option<RequestNoticeRules>, StoreError> {
    let [expiration, shelf] = SCHEDULED;
    let events = [Event::Available, expiration, shelf];
    RequestNoticeRules::of(desk, transaction, tenant, &events).await
}

/// Whether placing a request can cause notices.
#[must_use]
pub fn sends_placing_notices(config: &CirculationConfig) -> bool {
    let of_titles = [
        config.titles.confirmation_template_id,
        config.titles.expiration_template_id,
    ];
    config.sends_notices_for(&PLACED) || of_titles.iter().any(Option::is_some)
}

/// A request was placed: notifies its requester, and the borrower of an item that was not recalled
/// before; schedules the notices before its expiration.
pub async fn placed(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    titles: TitleLevelRequests,
    request_id: RequestId,
) -> Result<(), StoreError> {
    let told = RequestNoticeRules::of(desk, transaction, tenant, &PLACED).await?;
    let Some(subject) = read(desk, transaction, request_id).await? else {
        return Ok(());
    };
    let event = match subject.kind() {
        Some(RequestType::Page) => Event::PagingRequest,
        Some(RequestType::Hold) => Event::HoldRequest,
        Some(RequestType::Recall) => Event::RecallRequest,
        None => return Ok(()),
    };
    if !subject.names_item() {
        let template = titles.confirmation_template_id.filter(|_| titles.enabled);
        title_level(desk, transaction, tenant, &subject, event, template).await?;
        return schedule_title_level(desk, transaction, &subject, titles).await;
    }
    let Some(told) = told else { return Ok(()) };
    notify(desk, transaction, &told, &subject, event, None).await?;
    schedule(desk, transaction, &told, &subject).await?;
    let recalls =
        event == Event::RecallRequest && told.config.sends_notices_for(&[Event::ItemRecalled]);
    let item = subject.id_of("itemId").filter(|_| recalls);
    let Some(item) = item else { return Ok(()) };
    if only_recall(transaction, desk.tables(), item).await? {
        recalled(desk, transaction, tenant, &subject).await?;
    }
    Ok(())
}

/// A request was moved to another item: notifies the borrower if the item is now recalled and was not
/// before.
pub async fn moved(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    request_id: RequestId,
) -> Result<(), StoreError> {
    let events = [Event::ItemRecalled];
    if RequestNoticeRules::of(desk, transaction, tenant, &events)
        .await?
        .is_none()
    {
        return Ok(());
    }
    let Some(subject) = read(desk, transaction, request_id).await? else {
        return Ok(());
    };
    let Some(item) = subject.id_of("itemId") else {
        return Ok(());
    };
    if only_recall(transaction, desk.tables(), item).await? {
        recalled(desk, transaction, tenant, &subject).await?;
    }
    Ok(())
}

/// A request was cancelled: notifies its requester and deletes its scheduled notices.
pub async fn cancelled(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    titles: TitleLevelRequests,
    request_id: RequestId,
) -> Result<(), StoreError> {
    let [expiration, shelf] = SCHEDULED;
    let events = [Event::RequestCancellation, expiration, shelf];
    let told = RequestNoticeRules::of(desk, transaction, tenant, &events).await?;
    let of_titles = [
        titles.cancellation_template_id,
        titles.expiration_template_id,
    ];
    if told.is_none() && of_titles.iter().all(Option::is_none) {
        return Ok(());
    }
    let Some(subject) = read(desk, transaction, request_id).await? else {
        return Ok(());
    };
    scheduled_notice::put_for_request(transaction, desk.tables(), request_id, Vec::new()).await?;
    // No notice for a request that the same patron's request in another tenant replaces.
    let replaced = subject.document.get("isDcbReRequestCancellation");
    if replaced == Some(&Value::Bool(true)) {
        return Ok(());
    }
    let event = Event::RequestCancellation;
    match told {
        Some(told) if subject.names_item() => {
            notify(desk, transaction, &told, &subject, event, None).await
        }
        _ if !subject.names_item() => {
            let template = titles.cancellation_template_id.filter(|_| titles.enabled);
            title_level(desk, transaction, tenant, &subject, event, template).await
        }
        _ => Ok(()),
    }
}

/// An open request was changed: reschedules the notices before its expiration.
pub async fn changed(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    request_id: RequestId,
) -> Result<(), StoreError> {
    let Some(told) = RequestNoticeRules::of(desk, transaction, tenant, &SCHEDULED).await? else {
        return Ok(());
    };
    match read(desk, transaction, request_id).await? {
        Some(subject) => schedule(desk, transaction, &told, &subject).await,
        None => Ok(()),
    }
}

/// A check-in gives an item to a request, whose row is written later in the transaction; `item` is the new
/// item, and `ready` means that it has just arrived on the hold shelf.
pub(super) async fn served(
    desk: Desk<'_>,
    transaction: &Transaction,
    told: &RequestNoticeRules,
    request: (RequestId, &Map<String, Value>),
    item: &Map<String, Value>,
    ready: bool,
) -> Result<(), StoreError> {
    let now = desk.stamp.at;
    let Some(subject) = request_as(transaction, desk.tables(), request, now).await? else {
        return Ok(());
    };
    if ready {
        notify(
            desk,
            transaction,
            told,
            &subject,
            Event::Available,
            Some(item),
        )
        .await?;
    }
    schedule(desk, transaction, told, &subject).await
}

/// A check-out filled a request: deletes its expiration notices. That of a title level request is
/// dropped when it is due.
pub(super) async fn filled(
    desk: Desk<'_>,
    transaction: &Transaction,
    config: &CirculationConfig,
    request_id: Option<RequestId>,
) -> Result<(), StoreError> {
    match request_id.filter(|_| config.sends_notices_for(&SCHEDULED)) {
        Some(id) => {
            scheduled_notice::put_for_request(transaction, desk.tables(), id, Vec::new()).await
        }
        None => Ok(()),
    }
}

async fn read(
    desk: Desk<'_>,
    transaction: &Transaction,
    request_id: RequestId,
) -> Result<Option<RequestSubject>, StoreError> {
    let (ids, now) = ([request_id], desk.stamp.at);
    let mut found = requests(transaction, desk.tables(), &ids, now).await?;
    Ok(found.remove(&request_id))
}

async fn notify(
    desk: Desk<'_>,
    transaction: &Transaction,
    told: &RequestNoticeRules,
    subject: &RequestSubject,
    event: Event,
    item: Option<&Map<String, Value>>,
) -> Result<(), StoreError> {
    let policy_id = told.policy(subject)?;
    let policy = told.config.notice_policy(policy_id);
    let requester = subject.requester.as_ref();
    let (Some(policy), Some(requester)) = (policy, requester) else {
        return Ok(());
    };
    let chosen: Vec<&NoticeSetting> = policy.upon(event, &requester.preferences);
    send(
        desk,
        transaction,
        &told.config,
        subject,
        (&chosen, policy_id),
        item,
    )
    .await
}

async fn title_level(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    subject: &RequestSubject,
    event: Event,
    template: Option<TemplateId>,
) -> Result<(), StoreError> {
    let Some(template) = template.filter(|_| subject.is_for_title()) else {
        return Ok(());
    };
    let config = desk.config(transaction, tenant).await?;
    let setting = NoticeSetting::of_title_level_request(template, event);
    send(
        desk,
        transaction,
        &config,
        subject,
        (&[&setting], None),
        None,
    )
    .await
}

async fn send(
    desk: Desk<'_>,
    transaction: &Transaction,
    config: &CirculationConfig,
    subject: &RequestSubject,
    (chosen, policy_id): (&[&NoticeSetting], Option<NoticePolicyId>),
    item: Option<&Map<String, Value>>,
) -> Result<(), StoreError> {
    let (Some(requester), Some(recipient)) = (&subject.requester, subject.recipient()) else {
        return Ok(());
    };
    if chosen.is_empty() {
        return Ok(());
    }
    let wanted: Vec<TemplateId> = chosen.iter().map(|one| one.template_id).collect();
    let templates = templates(desk, transaction, wanted).await?;
    let facts = subject.item.as_ref().map(|item| item.facts(config));
    let facts = facts.transpose()?;
    let mut telling = NoticeContext::default();
    for one in chosen {
        let way = Delivery {
            recipient,
            template_id: Some(one.template_id),
            format: Some(one.format),
            trigger: one.event.name(),
        };
        let about = NoticeAbout {
            item: facts.as_ref(),
            patron: Some(&requester.patron),
            request_id: subject.id_of("id"),
            service_point_id: subject.id_of("pickupServicePointId"),
            notice_policy_id: policy_id,
            ..NoticeAbout::default()
        };
        telling.put(way, about, &templates, || {
            of_request(subject, requester, item, config)
        });
    }
    telling.store(desk, transaction, By::System).await
}

/// Replaces the scheduled expiration notices of a request.
async fn schedule(
    desk: Desk<'_>,
    transaction: &Transaction,
    told: &RequestNoticeRules,
    subject: &RequestSubject,
) -> Result<(), StoreError> {
    let Some(id) = subject
        .id_of("id")
        .filter(|_| told.config.sends_notices_for(&SCHEDULED))
    else {
        return Ok(());
    };
    let open = subject.status.is_some_and(|status| status.is_open());
    let policy: Option<&NoticePolicy> = told.config.notice_policy(told.policy(subject)?);
    let notices = policy.filter(|_| open).map(|policy| {
        let (expires, shelf) = ("requestExpirationDate", "holdShelfExpirationDate");
        let (expires, shelf) = (subject.instant(expires), subject.instant(shelf));
        of_requests(policy, about(subject), expires, shelf)
    });
    let notices = complete(desk, notices.unwrap_or_default())?;
    scheduled_notice::put_for_request(transaction, desk.tables(), id, notices).await
}

async fn schedule_title_level(
    desk: Desk<'_>,
    transaction: &Transaction,
    subject: &RequestSubject,
    titles: TitleLevelRequests,
) -> Result<(), StoreError> {
    let template = titles
        .expiration_template_id
        .filter(|_| subject.is_for_title());
    let expires = subject.instant("requestExpirationDate");
    let (Some(template), Some(at), Some(id)) = (template, expires, subject.id_of("id")) else {
        return Ok(());
    };
    let event = Event::TitleLevelRequestExpiration;
    let setting = NoticeSetting::of_title_level_request(template, event);
    let notices = complete(desk, vec![setting.scheduled(about(subject), at)])?;
    scheduled_notice::put_for_request(transaction, desk.tables(), id, notices).await
}

fn about(subject: &RequestSubject) -> About {
    About {
        request_id: subject.id_of("id"),
        user_id: subject.id_of("requesterId"),
        ..About::default()
    }
}

/// Notifies the borrower of a recalled item, if this is a recall.
async fn recalled(
    desk: Desk<'_>,
    transaction: &Transaction,
    tenant: &TenantTerms,
    subject: &RequestSubject,
) -> Result<(), StoreError> {
    let recall = subject.kind() == Some(RequestType::Recall);
    let Some((lent, _)) = subject.loan.as_ref().filter(|_| recall) else {
        return Ok(());
    };
    if !desk
        .config(transaction, tenant)
        .await?
        .sends_notices_for(&[Event::ItemRecalled])
    {
        return Ok(());
    }
    let ids = [lent.id];
    // Not locked: the operation that places a recall has locked the item.
    let found = notice::loans(transaction, desk.tables(), &ids, desk.stamp.at).await?;
    let found = found.get(&lent.id);
    let parts = found.and_then(|one| Some((one.item.as_ref()?, one.borrower.as_ref()?)));
    let Some((item, borrower)) = parts else {
        return Ok(());
    };
    let config = desk.config(transaction, tenant).await?;
    let (item, patron) = (item.facts(&config)?, &borrower.patron);
    let notices = LoanNotices::of(desk, transaction, tenant, Some(&item), Some(patron)).await?;
    let event = Event::ItemRecalled;
    notices
        .notify(desk, transaction, event, lent.id, None, None)
        .await
}
