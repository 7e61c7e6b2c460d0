//! What a patron is told of a fee that staff have charged or acted on, where staff say so: by the template
//! of the type of fee, else of its owner. Where neither has one, nothing is told, as in FOLIO.

use octavo_notices::queue::{self, Channel, Notice};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::telling::{FORM, LANGUAGE, missing, templates};
use super::{Desk, journal};
use crate::circulation_log::{NoticeAbout, is_charge, notice_not_sent, notice_sent};
use crate::facts::LogItem;
use crate::house::House;
use crate::shown::notice::of_account;
use crate::store::account_notice::{AccountSubject, accounts};
use crate::store::policy::tenant_terms;

/// Patrons are told of actions that were written. Two statements read, and two write.
///
/// # Errors
/// When the database does not answer.
pub(super) async fn acted(
    desk: Desk<'_>,
    transaction: &Transaction,
    action_ids: &[Uuid],
) -> Result<(), StoreError> {
    if action_ids.is_empty() {
        return Ok(());
    }
    let (subjects, tenant) = futures_util::try_join!(
        accounts(transaction, desk.tables(), action_ids),
        tenant_terms(transaction, desk.tables()),
    )?;
    let wanted: Vec<Uuid> = subjects.iter().filter_map(template_of).collect();
    let names = templates(desk, transaction, wanted).await?;
    let house = desk.house(transaction, &tenant).await?;
    let (mut queued, mut lines) = (Vec::new(), Vec::new());
    for subject in &subjects {
        let Some(template) = template_of(subject) else {
            continue;
        };
        let items = [item_of(subject)];
        let about = about(subject, template, &items);
        let trigger = text(subject, "typeAction");
        match (names.get(&template), &subject.patron) {
            (Some(name), Some(_)) => {
                queued.push(notice(subject, template, &house));
                lines.push(notice_sent(about, name, trigger));
            }
            (None, _) => {
                let reason = missing("template", &template.to_string());
                lines.push(notice_not_sent(about, trigger, &reason));
            }
            (Some(_), None) => {
                let reason = missing("user", text(subject, "userId"));
                lines.push(notice_not_sent(about, trigger, &reason));
            }
        }
    }
    queue::put(transaction, desk.tenant, &queued).await?;
    journal::note_all(desk, transaction, &lines).await
}

/// The template of what was done: of a charge, or of an act on one.
fn template_of(subject: &AccountSubject) -> Option<Uuid> {
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

fn id(document: &serde_json::Map<String, Value>, name: &str) -> Option<Uuid> {
    Uuid::try_parse(document.get(name)?.as_str()?).ok()
}

fn item_of(subject: &AccountSubject) -> LogItem {
    let account = subject.fee.account.as_ref();
    let of = |name: &str| account.and_then(|account| id(account, name));
    let barcode = account.and_then(|account| account.get("barcode"));
    LogItem {
        item_barcode: barcode.and_then(Value::as_str).map(str::to_owned),
        item_id: of("itemId"),
        loan_id: of("loanId"),
        ..LogItem::default()
    }
}

fn about<'a>(subject: &'a AccountSubject, template: Uuid, items: &'a [LogItem]) -> NoticeAbout<'a> {
    NoticeAbout {
        patron: subject.patron.as_ref().map(|patron| &patron.patron),
        user_id: id(&subject.fee.action, "userId"),
        account_id: id(&subject.fee.action, "accountId"),
        service_point_id: id(&subject.fee.action, "createdAt"),
        template_id: Some(template),
        items,
        ..NoticeAbout::default()
    }
}

fn notice(subject: &AccountSubject, template: Uuid, house: &House) -> Notice {
    Notice {
        id: Uuid::new_v4(),
        recipient: id(&subject.fee.action, "userId").unwrap_or_default(),
        template,
        channel: Channel::Email,
        output_format: FORM.to_owned(),
        language: LANGUAGE.to_owned(),
        context: of_account(subject, house),
    }
}
