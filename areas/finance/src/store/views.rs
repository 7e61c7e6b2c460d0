//! FOLIO's joined views as collections for lists: the views stand in `migrations/views.sql`, and their
//! columns narrow a list by ids.

use std::sync::LazyLock;

use octavo_records::Collection;

fn view(table: &str, key: &str, shape: &str, columns: &[(&str, &str)]) -> Collection {
    let base = Collection::new(table, key, shape);
    let add = |view: Collection, (field, other): &(&str, &str)| view.reference(field, other);
    columns.iter().fold(base, add)
}

/// Sums of allocations and transfers between funds.
pub static TRANSACTION_TOTALS: LazyLock<Collection> = LazyLock::new(|| {
    view(
        "transaction_totals_view",
        "transactionTotals",
        "fiscalYearId uuid\nfromFundId uuid\ntoFundId uuid\ntransactionType string\n\
         currency string\namount number\n",
        &[
            ("fiscalYearId", "fiscal_year"),
            ("fromFundId", "fund"),
            ("toFundId", "fund"),
        ],
    )
});

/// The budgets of groups.
pub static GROUP_BUDGETS: LazyLock<Collection> = LazyLock::new(|| {
    let shape = format!(
        "{}groupId uuid\nbudgetId uuid\nledgerId uuid\n",
        include_str!("../shapes/budget.shape")
    );
    view(
        "group_budgets_view",
        "budgets",
        &shape,
        &[
            ("groupId", "fund_group"),
            ("fundId", "fund"),
            ("fiscalYearId", "fiscal_year"),
            ("budgetId", "budget"),
            ("ledgerId", "ledger"),
        ],
    )
});

/// Rollovers with their progress.
pub static ROLLOVER_LOGS: LazyLock<Collection> = LazyLock::new(|| {
    view(
        "ledger_rollover_logs_view",
        "ledgerFiscalYearRolloverLogs",
        include_str!("../shapes/answers/rollover-log.shape"),
        &[("ledgerId", "ledger")],
    )
});

/// Funds with their budgets, a row for each fiscal year.
pub static FINANCE_DATA: LazyLock<Collection> = LazyLock::new(|| {
    let rows = include_str!("../shapes/bodies/finance-data.shape").lines();
    let rows = rows.filter_map(|line| line.strip_prefix("  "));
    let shape: Vec<&str> = rows.collect();
    view(
        "finance_data_view",
        "fyFinanceData",
        &shape.join("\n"),
        &[
            ("fiscalYearId", "fiscal_year"),
            ("fundId", "fund"),
            ("ledgerId", "ledger"),
            ("groupId", "fund_group"),
            ("budgetId", "budget"),
        ],
    )
});
