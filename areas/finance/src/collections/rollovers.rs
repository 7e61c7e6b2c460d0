//! Rollovers of ledgers, with the budgets that they make, how far they are and what they could not do.

use octavo_records::{Collection, Index};

const TABLE: &str = "ledger_fiscal_year_rollover";

pub(super) fn rollovers() -> Collection {
    Collection::new(
        TABLE,
        "ledgerFiscalYearRollovers",
        include_str!("../shapes/ledger_fiscal_year_rollover.shape"),
    )
    .located("/finance-storage/ledger-rollovers/")
    .locked()
    .listed_conflicts()
    .reference("ledgerId", "ledger")
    .reference("fromFiscalYearId", "fiscal_year")
    .reference("toFiscalYearId", "fiscal_year")
}

pub(super) fn rollover_budgets() -> Collection {
    let alias = "ledgerFYROBudget";
    Collection::new(
        "ledger_fiscal_year_rollover_budget",
        "ledgerFiscalYearRolloverBudgets",
        include_str!("../shapes/ledger_fiscal_year_rollover_budget.shape"),
    )
    .locked()
    .listed_conflicts()
    .crossing("ledgerRolloverId", TABLE, alias, "ledgerFYRO")
    .crossing("fundId", "fund", alias, "fund")
    .crossing("fiscalYearId", "fiscal_year", alias, "fiscalYear")
}

pub(super) fn rollover_progress() -> Collection {
    Collection::new(
        "ledger_fiscal_year_rollover_progress",
        "ledgerFiscalYearRolloverProgresses",
        include_str!("../shapes/ledger_fiscal_year_rollover_progress.shape"),
    )
    .located("/finance-storage/ledger-rollovers-progress/")
    .crossing(
        "ledgerRolloverId",
        TABLE,
        "ledgerFYROProgress",
        "ledgerFYRO",
    )
    .index(Index::unique("ledgerRolloverId"))
    .index(Index::plain("overallRolloverStatus"))
}

pub(super) fn rollover_errors() -> Collection {
    Collection::new(
        "ledger_fiscal_year_rollover_error",
        "ledgerFiscalYearRolloverErrors",
        include_str!("../shapes/ledger_fiscal_year_rollover_error.shape"),
    )
    .located("/finance-storage/ledger-rollovers-errors/")
    .crossing("ledgerRolloverId", TABLE, "ledgerFYROError", "ledgerFYRO")
    .index(Index::plain("details.purchaseOrderId"))
    .index(Index::plain("details.fundId"))
    .index(Index::plain("errorType"))
}
