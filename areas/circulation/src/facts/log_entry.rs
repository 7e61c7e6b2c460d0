//! Lines of the circulation log.

use octavo_library::{
    AccountId, HoldingsId, InstanceId, ItemId, LoanId, NoticePolicyId, RequestId, ServicePointId,
    TemplateId, UserId,
};
use serde::Serialize;
use serde_json::Value;

/// One line of the circulation log. Date and operator are added when it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogEntry {
    /// The kind of object: `Loan`, `Item Block`, `Request` and the like.
    pub object: &'static str,
    /// The action, as the log's filters name it: `Checked out`, `Renewed` and the like.
    pub action: &'static str,
    /// The patron's barcode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_barcode: Option<String>,
    /// The items.
    pub items: Vec<LogItem>,
    /// The service point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_point_id: Option<ServicePointId>,
    /// The description for staff.
    pub description: String,
    /// The ids for the line's links.
    pub link_to_ids: LogLinks,
    /// The event about it.
    #[serde(skip)]
    pub record: LogRecord,
}

/// The event LOG_RECORD of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LogRecord {
    /// Made of the line: acts on loans.
    #[default]
    OfLine,
    /// This one. Who acts, the date, and what is known of the item are added when it is stored.
    Event(Box<Value>),
    /// This one, which mod-feesfines publishes.
    OfFees(Box<Value>),
    /// No event of its own; that of another line may contain it.
    None,
}

/// An item in a line of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_barcode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance_id: Option<InstanceId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holding_id: Option<HoldingsId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loan_id: Option<LoanId>,
}

/// The ids for the links of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogLinks {
    /// The patron.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<RequestId>,
    /// The account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee_fine_id: Option<AccountId>,
    /// The template of the notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_id: Option<TemplateId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice_policy_id: Option<NoticePolicyId>,
}

impl LogItem {
    #[must_use]
    pub fn of(item: &super::Item, loan_id: Option<LoanId>) -> LogItem {
        LogItem {
            item_barcode: item.barcode.clone(),
            item_id: Some(item.id),
            instance_id: Some(item.instance_id),
            holding_id: Some(item.holdings_record_id),
            loan_id,
        }
    }
}
