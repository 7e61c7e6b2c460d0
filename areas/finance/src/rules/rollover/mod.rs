//! A rollover of a ledger to another fiscal year: what its budgets and encumbrances become.

mod budget;
mod encumbrance;
mod orders;
mod settings;

pub use budget::{Rolled, open, roll};
pub use encumbrance::{Share, shares};
pub use orders::{Known, OrderFault, OrderPlan, Target, plan};
pub use settings::{
    AddTo, BasedOn, BudgetSetting, BudgetValue, EncumbranceSetting, RolledOrderType, Rollover,
    RolloverType,
};

#[cfg(test)]
mod tests;
