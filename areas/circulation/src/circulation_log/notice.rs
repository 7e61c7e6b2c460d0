//! Log lines about notices and automatic fees, with mod-audit's texts.

use octavo_fees::app::charge::{Charge, Charged};
use octavo_library::{
    AccountId, FeeFineTypeId, Loan, LoanId, NoticePolicyId, Patron, RequestId, ServicePointId,
    TemplateId, UserId,
};
use serde_json::{Value, json};

use super::log_record::{item_fields, set};
use crate::facts::{Item, LogEntry, LogItem, LogLinks, LogRecord};

/// The subject of a notice; deleted parts are absent.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoticeAbout<'a> {
    pub loan: Option<&'a Loan>,
    pub item: Option<&'a Item>,
    /// The recipient.
    pub patron: Option<&'a Patron>,
    /// The named loan, which may be deleted.
    pub loan_id: Option<LoanId>,
    /// The named recipient, who may be deleted.
    pub user_id: Option<UserId>,
    /// The charge.
    pub account_id: Option<AccountId>,
    pub template_id: Option<TemplateId>,
    pub request_id: Option<RequestId>,
    /// The notice policy.
    pub notice_policy_id: Option<NoticePolicyId>,
    /// Several items instead of one; the loan's service point is named anyway.
    pub items: &'a [LogItem],
    /// The service point, if it is not about a loan.
    pub service_point_id: Option<ServicePointId>,
    /// The act of staff on an account: mod-feesfines publishes the event of its notice.
    pub of_fees: Option<FeeAct<'a>>,
}

/// An act of staff on an account, as far as only its notice names it.
#[derive(Debug, Clone, Copy)]
pub struct FeeAct<'a> {
    /// Who acts, as the action says.
    pub source: Option<&'a str>,
    pub fee_type_id: Option<FeeFineTypeId>,
}

/// The line for a sent notice.
#[must_use]
pub fn notice_sent(about: NoticeAbout<'_>, template: &str, trigger: &str) -> LogEntry {
    let description = notice_words(template, trigger);
    noticed(about, ("Send", "NOTICE"), trigger, description)
}

/// A notice in words.
pub(super) fn notice_words(template: &str, trigger: &str) -> String {
    format!("Template: {template}. Triggering event: {trigger}.")
}

/// The line for a notice that was not sent.
#[must_use]
pub fn notice_not_sent(about: NoticeAbout<'_>, trigger: &str, reason: &str) -> LogEntry {
    // FOLIO's text for a missing template.
    let words = notice_words("unknown", trigger);
    let description = format!("{words} Error message: {reason}");
    let mut line = noticed(about, ("Send error", "NOTICE_ERROR"), trigger, description);
    if let LogRecord::Event(record) | LogRecord::OfFees(record) = &mut line.record {
        record["payload"]["errorMessage"] = json!(reason);
    }
    line
}

fn noticed(
    about: NoticeAbout<'_>,
    (action, kind): (&'static str, &'static str),
    trigger: &str,
    description: String,
) -> LogEntry {
    let loan_id = about.loan.map(|loan| loan.id).or(about.loan_id);
    let item = match about.item {
        Some(item) => LogItem::of(item, loan_id),
        None => LogItem {
            item_id: about.loan.map(|loan| loan.item_id),
            loan_id,
            ..LogItem::default()
        },
    };
    let items = match about.items {
        [] => vec![item],
        several => several.to_vec(),
    };
    let patron = about.patron.map(|patron| patron.id);
    let point = about.loan.and_then(|loan| loan.checkout_service_point_id);
    let mut line = LogEntry {
        object: "Notice",
        action,
        user_barcode: about.patron.and_then(|patron| patron.barcode.clone()),
        items,
        service_point_id: point.or(about.service_point_id),
        description,
        link_to_ids: LogLinks {
            user_id: patron.or(about.user_id),
            fee_fine_id: about.account_id,
            template_id: about.template_id,
            request_id: about.request_id,
            notice_policy_id: about.notice_policy_id,
        },
        record: LogRecord::None,
    };
    let mut payload = payload(&line, trigger);
    let Some(act) = about.of_fees else {
        let record = json!({"logEventType": kind, "payload": payload});
        line.record = LogRecord::Event(Box::new(record));
        return line;
    };
    let source = act.source.filter(|source| !source.trim().is_empty());
    set(&mut payload, "source", source);
    set(&mut payload, "feeFineId", act.fee_type_id);
    let record = json!({"logEventType": kind, "payload": payload});
    line.record = LogRecord::OfFees(Box::new(record));
    line
}

/// The payload of the event; its date is added with that of the line.
fn payload(line: &LogEntry, trigger: &str) -> Value {
    let links = &line.link_to_ids;
    let items: Vec<Value> = line
        .items
        .iter()
        .map(|item| {
            let mut event = item_fields(item);
            set(&mut event, "servicePointId", line.service_point_id);
            set(&mut event, "templateId", links.template_id);
            set(&mut event, "noticePolicyId", links.notice_policy_id);
            event["triggeringEvent"] = json!(trigger);
            event
        })
        .collect();
    let mut payload = json!({"items": items});
    set(&mut payload, "userId", links.user_id);
    set(&mut payload, "userBarcode", line.user_barcode.as_deref());
    set(&mut payload, "requestId", links.request_id);
    set(&mut payload, "accountId", links.fee_fine_id);
    payload
}

/// The line for an automatic fee.
#[must_use]
pub fn fee_billed(
    charge: &Charge<'_>,
    charged: Charged,
    loan: &Loan,
    item: &Item,
    patron: Option<&Patron>,
) -> LogEntry {
    let (kind, owner) = (charge.fee_type.1, charge.owner.1.unwrap_or_default());
    let (amount, comments) = (charge.amount, charge.comments.as_deref());
    LogEntry {
        object: "Fee/Fine",
        action: "Billed",
        user_barcode: patron.and_then(|patron| patron.barcode.clone()),
        items: vec![LogItem::of(item, Some(loan.id))],
        service_point_id: charge.service_point_id,
        description: format!(
            "Fee/Fine type: {kind}. Fee/Fine owner: {owner}. Amount: {amount}. automated. \
             Additional information to staff: {}",
            comments.unwrap_or_default()
        ),
        link_to_ids: LogLinks {
            user_id: Some(charge.user_id),
            fee_fine_id: Some(charged.account_id),
            ..LogLinks::default()
        },
        record: LogRecord::OfFees(Box::new(billed(charge, charged, loan, item))),
    }
}

/// The event; the database adds who acts.
fn billed(charge: &Charge<'_>, charged: Charged, loan: &Loan, item: &Item) -> Value {
    let mut payload = json!({
        "action": "Billed",
        "amount": charge.amount.json(),
        "automated": true,
        "userId": charge.user_id,
        "accountId": charged.account_id,
        "feeFineId": charge.fee_type.0,
        "type": charge.fee_type.1,
        "itemId": item.id,
        "loanId": loan.id,
    });
    set(&mut payload, "feeFineOwner", charge.owner.1);
    set(&mut payload, "itemBarcode", item.barcode.as_deref());
    set(&mut payload, "servicePointId", charge.service_point_id);
    set(&mut payload, "comments", charge.comments.as_deref());
    json!({"logEventType": "FEE_FINE", "payload": payload})
}
