//! What the log says of notices and of fees that are charged by themselves, as mod-audit words it.

use octavo_fees::app::charge::{Charge, Charged};
use octavo_library::{
    AccountId, Loan, LoanId, NoticePolicyId, Patron, RequestId, ServicePointId, TemplateId, UserId,
};

use crate::facts::{Item, LogEntry, LogItem, LogLinks};

/// What a notice is about, as far as it is still there.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoticeAbout<'a> {
    pub loan: Option<&'a Loan>,
    pub item: Option<&'a Item>,
    /// Who gets it.
    pub patron: Option<&'a Patron>,
    /// The loan that is named, there or not.
    pub loan_id: Option<LoanId>,
    /// The recipient that is named, there or not.
    pub user_id: Option<UserId>,
    /// What was charged.
    pub account_id: Option<AccountId>,
    pub template_id: Option<TemplateId>,
    pub request_id: Option<RequestId>,
    /// The policy that says so.
    pub notice_policy_id: Option<NoticePolicyId>,
    /// Several items, in place of the one; the loan's service point is named anyway.
    pub items: &'a [LogItem],
    /// Where, for what is not about a loan.
    pub service_point_id: Option<ServicePointId>,
}

/// A notice goes out.
#[must_use]
pub fn notice_sent(about: NoticeAbout<'_>, template: &str, trigger: &str) -> LogEntry {
    let description = format!("Template: {template}. Triggering event: {trigger}.");
    noticed(about, "Send", description)
}

/// A notice did not go out.
#[must_use]
pub fn notice_not_sent(about: NoticeAbout<'_>, trigger: &str, reason: &str) -> LogEntry {
    // FOLIO says so of a template that it does not find.
    let description =
        format!("Template: unknown. Triggering event: {trigger}. Error message: {reason}");
    noticed(about, "Send error", description)
}

fn noticed(about: NoticeAbout<'_>, action: &'static str, description: String) -> LogEntry {
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
    LogEntry {
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
    }
}

/// A fee was charged by itself.
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
    }
}
