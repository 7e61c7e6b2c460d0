//! What a client asks of a rollover.

use serde::Deserialize;
use uuid::Uuid;

use crate::money::Amount;
use crate::records::{Encumbrance, OrderType};

/// What a rollover does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum RolloverType {
    /// Shows what it would do.
    Preview,
    #[default]
    Commit,
    Rollback,
}

/// Which money a budget carries over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum BudgetValue {
    #[default]
    None,
    CashBalance,
    Available,
}

/// Where carried money goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum AddTo {
    /// To the transfers.
    #[default]
    Available,
    /// To the allocation.
    Allocation,
}

/// What becomes of the budgets of a type of funds.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BudgetSetting {
    /// Funds without a type when absent.
    pub fund_type_id: Option<Uuid>,
    pub rollover_allocation: bool,
    pub rollover_budget_value: BudgetValue,
    pub set_allowances: bool,
    /// Per cent.
    pub adjust_allocation: Amount,
    pub add_available_to: AddTo,
    pub allowable_encumbrance: Option<Amount>,
    pub allowable_expenditure: Option<Amount>,
}

/// The types of orders that have settings of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum RolledOrderType {
    Ongoing,
    #[serde(rename = "Ongoing-Subscription")]
    OngoingSubscription,
    #[serde(rename = "One-time")]
    OneTime,
}

impl RolledOrderType {
    /// The type of an encumbrance's order.
    #[must_use]
    pub fn of(encumbrance: &Encumbrance) -> RolledOrderType {
        match (encumbrance.order_type, encumbrance.subscription) {
            (OrderType::OneTime, _) => RolledOrderType::OneTime,
            (OrderType::Ongoing, true) => RolledOrderType::OngoingSubscription,
            (OrderType::Ongoing, false) => RolledOrderType::Ongoing,
        }
    }
}

/// What new encumbrances are based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum BasedOn {
    Expended,
    Remaining,
    InitialAmount,
}

/// What becomes of the encumbrances of a type of orders.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EncumbranceSetting {
    pub order_type: RolledOrderType,
    pub based_on: BasedOn,
    /// Per cent.
    #[serde(default)]
    pub increase_by: Amount,
}

/// A rollover as it was asked for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rollover {
    pub id: Uuid,
    pub ledger_id: Uuid,
    #[serde(default)]
    pub rollover_type: RolloverType,
    pub from_fiscal_year_id: Uuid,
    pub to_fiscal_year_id: Uuid,
    #[serde(default)]
    pub restrict_encumbrance: bool,
    #[serde(default = "yes")]
    pub need_close_budgets: bool,
    pub budgets_rollover: Vec<BudgetSetting>,
    pub encumbrances_rollover: Vec<EncumbranceSetting>,
}

fn yes() -> bool {
    true
}

impl Rollover {
    /// The setting for the budgets of a type of funds.
    #[must_use]
    pub fn budget_setting(&self, fund_type_id: Option<Uuid>) -> Option<&BudgetSetting> {
        let mut settings = self.budgets_rollover.iter();
        settings.find(|setting| setting.fund_type_id == fund_type_id)
    }

    /// The setting for the encumbrances of a type of orders.
    #[must_use]
    pub fn encumbrance_setting(&self, of: RolledOrderType) -> Option<&EncumbranceSetting> {
        let mut settings = self.encumbrances_rollover.iter();
        settings.find(|setting| setting.order_type == of)
    }

    /// Whether it only shows what it would do.
    #[must_use]
    pub fn is_preview(&self) -> bool {
        self.rollover_type == RolloverType::Preview
    }
}
