//! A loan as the acts on it see it. The type reads a stored document and passes over what it does
//! not know; who changes a loan changes the document.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::wire_time;

/// A stored loan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Loan {
    /// The loan's id.
    pub id: Uuid,
    /// The borrower; gone when the loan is anonymous.
    pub user_id: Option<Uuid>,
    /// Who acted for the borrower.
    pub proxy_user_id: Option<Uuid>,
    /// The item.
    pub item_id: Uuid,
    /// Open or closed.
    #[serde(default)]
    pub status: StatusName,
    /// When the item was lent.
    #[serde(with = "wire_time")]
    pub loan_date: Timestamp,
    /// When it is due.
    #[serde(default, with = "wire_time::optional")]
    pub due_date: Option<Timestamp>,
    /// When it came back.
    #[serde(default, with = "wire_time::optional")]
    pub return_date: Option<Timestamp>,
    /// The last act.
    #[serde(default)]
    pub action: String,
    /// The item's status as the loan has it.
    pub item_status: Option<String>,
    /// How often it was renewed.
    #[serde(default)]
    pub renewal_count: Option<u32>,
    /// The loan policy.
    pub loan_policy_id: Option<Uuid>,
    /// The overdue fine policy.
    pub overdue_fine_policy_id: Option<Uuid>,
    /// The lost item fee policy.
    pub lost_item_policy_id: Option<Uuid>,
    /// Where it was lent.
    pub checkout_service_point_id: Option<Uuid>,
    /// The borrower's group when it was lent.
    pub patron_group_id_at_checkout: Option<Uuid>,
    /// A recall has brought the due date forward.
    #[serde(default)]
    pub due_date_changed_by_recall: Option<bool>,
    /// When it was declared lost.
    #[serde(default, with = "wire_time::optional")]
    pub declared_lost_date: Option<Timestamp>,
    /// When the borrower claimed to have returned it.
    #[serde(default, with = "wire_time::optional")]
    pub claimed_returned_date: Option<Timestamp>,
    /// What the timers keep of a loan that aged to lost.
    #[serde(default)]
    pub aged_to_lost_delayed_billing: Option<AgedToLost>,
}

/// When a loan aged to lost.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AgedToLost {
    /// The instant.
    #[serde(default, with = "wire_time::optional")]
    pub aged_to_lost_date: Option<Timestamp>,
}

/// `{"name": "Open"}`
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct StatusName {
    /// `Open` or `Closed`.
    #[serde(default)]
    pub name: Option<String>,
}

impl Loan {
    /// Whether the item has not come back, whatever became of it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let status = self.status.name.as_deref();
        status.is_some_and(|name| name.eq_ignore_ascii_case("Open"))
    }

    /// Whether a recall has already brought the due date forward.
    #[must_use]
    pub fn was_recalled(&self) -> bool {
        self.due_date_changed_by_recall == Some(true)
    }

    /// When the item was lost: declared so or aged, whatever was last.
    #[must_use]
    pub fn lost_date(&self) -> Option<Timestamp> {
        let aged = self.aged_to_lost_delayed_billing.as_ref();
        let aged = aged.and_then(|aged| aged.aged_to_lost_date);
        self.declared_lost_date.max(aged)
    }
}
