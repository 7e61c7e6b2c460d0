//! Notices about fees that staff charge or act on, if staff ask for it: with the template of the fee
//! type, else of its owner. Without a template no notice is sent, as in FOLIO.

use octavo_library::{FeeFineActionId, TemplateId, id_in};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;

use super::Desk;
use super::journal::By;
use super::notice_outbox::{Delivery, NoticeContext, missing, templates};
use crate::circulation_log::{FeeAct, NoticeAbout, is_charge};
use crate::facts::LogItem;
use crate::notice::Format;
use crate::representation::notice::of_account;
use crate::store::account_notice::{AccountSubject, accounts};
use crate::store::policy::tenant_terms;

/// Sends notices about written actions. Two statements read, and two write.
pub(super) async fn acted(
    desk: Desk<'_>,
    transaction: &Transaction,
    action_ids: &[FeeFineActionId],
) -> Result<(), StoreError> {
    if action_ids.is_empty() {
        return Ok(());
    }
    let (subjects, tenant) = futures_util::try_join!(
        accounts(transaction, desk.tables(), action_ids),
        tenant_terms(transaction, desk.tables()),
    )?;
    let wanted: Vec<TemplateId> = subjects.iter().filter_map(template_of).collect();
    let names = templates(desk, transaction, wanted).await?;
    let config = desk.config(transaction, &tenant).await?;
    let mut telling = NoticeContext::default();
    for subject in &subjects {
        let Some(template) = template_of(subject) else {
            continue;
        };
        let items = [item_of(subject)];
        let about = about(subject, template, &items);
        let trigger = text(subject, "typeAction");
        if names.contains_key(&template) && subject.patron.is_none() {
            telling.fail(about, trigger, &missing("user", text(subject, "userId")));
            continue;
        }
        let way = Delivery {
            recipient: id_in(&subject.fee.action, "userId").unwrap_or_default(),
            template_id: Some(template),
            format: Some(Format::Email),
            trigger,
        };
        telling.put(way, about, &names, || of_account(subject, &config));
    }
    telling.store(desk, transaction, By::Staff).await
}

/// The template for a charge or for an action on one.
fn template_of(subject: &AccountSubject) -> Option<TemplateId> {
    let [of_charges, of_acts] = subject.templates;
    match is_charge(&subject.fee.action) {
        true => of_charges,
        false => of_acts,
    }
}

fn text<'a>(subject: &'a AccountSubject, name: &str) -> &'a str {
    let value = subject.fee.action.get(name);
    value.and_then(Value::as_str).unwrap_or_default()
}

fn item_of(subject: &AccountSubject) -> LogItem {
    let account = subject.fee.account.as_ref();
    let barcode = account.and_then(|account| account.get("barcode"));
    let item = subject.item.as_ref();
    LogItem {
        item_barcode: barcode.and_then(Value::as_str).map(str::to_owned),
        item_id: account.and_then(|account| id_in(account, "itemId")),
        instance_id: item.map(|item| item.instance_id),
        holding_id: item.map(|item| item.holdings_record_id),
        loan_id: account.and_then(|account| id_in(account, "loanId")),
    }
}

fn about<'a>(
    subject: &'a AccountSubject,
    template: TemplateId,
    items: &'a [LogItem],
) -> NoticeAbout<'a> {
    NoticeAbout {
        patron: subject.patron.as_ref().map(|patron| &patron.patron),
        user_id: id_in(&subject.fee.action, "userId"),
        account_id: id_in(&subject.fee.action, "accountId"),
        service_point_id: id_in(&subject.fee.action, "createdAt"),
        template_id: Some(template),
        items,
        of_fees: Some(FeeAct {
            source: subject.fee.action.get("source").and_then(Value::as_str),
            fee_type_id: (subject.fee.account.as_ref())
                .and_then(|account| id_in(account, "feeFineId")),
        }),
        ..NoticeAbout::default()
    }
}
