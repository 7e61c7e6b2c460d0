//! The record types of finance.

mod budgets;
mod logs;
mod rollovers;
mod years;

use octavo_records::{Collection, Index};

/// All of them, each after those it refers to.
#[must_use]
pub fn all() -> Vec<Collection> {
    vec![
        years::expense_classes(),
        years::fiscal_years(),
        years::ledgers(),
        years::fund_types(),
        years::funds(),
        budgets::budgets(),
        budgets::budget_expense_classes(),
        budgets::transactions(),
        budgets::groups(),
        budgets::group_fund_fiscal_years(),
        rollovers::rollovers(),
        rollovers::rollover_budgets(),
        rollovers::rollover_progress(),
        rollovers::rollover_errors(),
        logs::fund_update_logs(),
    ]
}

/// The acquisitions units of a record: FOLIO finds them in the text of the list.
fn of_units() -> Index {
    Index::gin("acqUnitIds")
}
