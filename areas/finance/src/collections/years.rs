//! Fiscal years, ledgers, funds and their kinds.

use octavo_records::{Collection, Index};

use super::of_units;

/// The kinds of expenses.
pub(super) fn expense_classes() -> Collection {
    Collection::new(
        "expense_class",
        "expenseClasses",
        include_str!("../shapes/expense_class.shape"),
    )
    .located("/finance-storage/expense-classes/")
    .locked()
    .listed_conflicts()
    .index(Index::unique("name"))
    .index(Index::unique("code"))
}

pub(super) fn fiscal_years() -> Collection {
    Collection::new(
        "fiscal_year",
        "fiscalYears",
        include_str!("../shapes/fiscal_year.shape"),
    )
    .located("/finance-storage/fiscal-years/")
    .locked()
    .listed_conflicts()
    .index(Index::unique("code"))
    .index(Index::plain("periodEnd"))
    .index(Index::plain("periodStart"))
    .index(Index::plain("series"))
    .index(Index::gin("series"))
    .index(Index::gin("name"))
    .index(of_units())
}

pub(super) fn ledgers() -> Collection {
    Collection::new("ledger", "ledgers", include_str!("../shapes/ledger.shape"))
        .located("/finance-storage/ledgers/")
        .locked()
        .listed_conflicts()
        .reference("fiscalYearOneId", "fiscal_year")
        .shorthand("budget", "fund.budget")
        .shorthand("groupFundFY", "fund.groupFundFY")
        .index(Index::unique("name"))
        .index(Index::unique("code"))
        .index(Index::plain("ledgerStatus"))
        .index(Index::gin("name"))
        .index(Index::gin("code"))
        .index(of_units())
}

pub(super) fn fund_types() -> Collection {
    Collection::new(
        "fund_type",
        "fundTypes",
        include_str!("../shapes/fund_type.shape"),
    )
    .located("/finance-storage/fund-types/")
    .locked()
    .listed_conflicts()
    .shorthand("groupFundFY", "fund.groupFundFY")
    .index(Index::unique("name"))
}

pub(super) fn funds() -> Collection {
    Collection::new("fund", "funds", include_str!("../shapes/fund.shape"))
        .located("/finance-storage/funds/")
        .locked()
        .listed_conflicts()
        .crossing("ledgerId", "ledger", "fund", "ledger")
        .crossing("fundTypeId", "fund_type", "fund", "fundType")
        .index(Index::unique("code"))
        .index(Index::plain("name"))
        .index(Index::gin("name"))
        .index(Index::gin("fundStatus"))
        .index(of_units())
        .index(Index::full_text("acqUnitIds"))
}
