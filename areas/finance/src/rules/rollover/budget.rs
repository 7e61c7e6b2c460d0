//! What the budget of one year brings to the next.

use super::settings::{AddTo, BudgetSetting, BudgetValue};
use crate::money::Amount;
use crate::records::{Budget, BudgetStatus, Sums};

/// What a budget brings to the next year.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rolled {
    pub allocation: Amount,
    pub net_transfers: Amount,
    /// The allowances of a new budget.
    pub allowable_encumbrance: Option<Amount>,
    pub allowable_expenditure: Option<Amount>,
}

/// Rolls a budget by the setting of its fund's type. Without one the new budget has nothing but the
/// allowances.
#[must_use]
pub fn roll(source: &Budget, setting: Option<&BudgetSetting>) -> Rolled {
    let mut rolled = Rolled {
        allowable_encumbrance: source.allowable_encumbrance,
        allowable_expenditure: source.allowable_expenditure,
        ..Rolled::default()
    };
    let Some(setting) = setting else {
        return rolled;
    };
    let computed = source.sums.computed();
    if setting.rollover_allocation {
        let adjustment = computed.allocated.percent(setting.adjust_allocation);
        rolled.allocation = computed.allocated + adjustment;
    }
    let carried = match setting.rollover_budget_value {
        BudgetValue::None => Amount::ZERO,
        BudgetValue::CashBalance => computed.cash_balance,
        BudgetValue::Available => computed.available,
    };
    match setting.add_available_to {
        AddTo::Allocation => rolled.allocation += carried,
        AddTo::Available => rolled.net_transfers += carried,
    }
    if setting.set_allowances {
        rolled.allowable_encumbrance = setting.allowable_encumbrance;
        rolled.allowable_expenditure = setting.allowable_expenditure;
    }
    rolled
}

/// Adds what is rolled to a budget that exists in the next year: it keeps its name and allowances.
pub fn open(target: &mut Budget, rolled: Option<&Rolled>) {
    if let Some(rolled) = rolled {
        target.sums.allocation_to += rolled.allocation;
        target.sums.net_transfers += rolled.net_transfers;
    }
    if target.status == BudgetStatus::Planned {
        target.status = BudgetStatus::Active;
    }
}

impl Rolled {
    /// The sums of a new budget.
    #[must_use]
    pub fn sums(&self) -> Sums {
        Sums {
            initial_allocation: self.allocation,
            net_transfers: self.net_transfers,
            ..Sums::default()
        }
    }
}
