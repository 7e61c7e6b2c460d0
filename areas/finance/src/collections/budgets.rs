//! Budgets, the transactions on them, and groups of funds. Budgets and encumbrances change with every
//! order and invoice.

use octavo_records::{Collection, Index};

use super::of_units;

pub(super) fn budgets() -> Collection {
    Collection::new("budget", "budgets", include_str!("../shapes/budget.shape"))
        .located("/finance-storage/budgets/")
        .locked()
        .listed_conflicts()
        .crossing("fundId", "fund", "budget", "fund")
        .crossing("fiscalYearId", "fiscal_year", "budget", "fiscalYear")
        .shorthand("ledger", "fund.ledger")
        .often_updated()
        .index(Index::unique("fundId").with(&["fiscalYearId"]))
        .index(Index::unique("name"))
        .index(Index::plain("budgetStatus"))
        .index(Index::gin("budgetStatus"))
}

/// The expense classes that budgets use.
pub(super) fn budget_expense_classes() -> Collection {
    Collection::new(
        "budget_expense_class",
        "budgetExpenseClasses",
        include_str!("../shapes/budget_expense_class.shape"),
    )
    .located("/finance-storage/budget-expense-classes/")
    .locked()
    .listed_conflicts()
    .crossing("budgetId", "budget", "budgetExpenseClass", "budget")
    .crossing(
        "expenseClassId",
        "expense_class",
        "budgetExpenseClass",
        "expenseClass",
    )
    .index(Index::unique("budgetId").with(&["expenseClassId"]))
}

/// What makes an encumbrance unique.
const ENCUMBRANCE: [&str; 8] = [
    "amount",
    "fromFundId",
    "encumbrance.sourcePurchaseOrderId",
    "encumbrance.sourcePoLineId",
    "encumbrance.initialAmountEncumbered",
    "encumbrance.status",
    "expenseClassId",
    "fiscalYearId",
];

pub(super) fn transactions() -> Collection {
    let id = |path: &str| Index::plain(path).case_sensitive().keep_accents();
    let within = |path: &str, property: &str| {
        id(&format!("{path}.{property}"))
            .expression(&format!("(jsonb->'{path}'->>'{property}')"))
            .term("$")
            .present()
    };
    Collection::new(
        "transaction",
        "transactions",
        include_str!("../shapes/transaction.shape"),
    )
    .locked()
    .listed_conflicts()
    .exact_count(20_000)
    .reference("fiscalYearId", "fiscal_year")
    .reaching("fromFundId", "fund", "fromFund")
    .reference("sourceFiscalYearId", "fiscal_year")
    .reaching("toFundId", "fund", "toFund")
    .reference("expenseClassId", "expense_class")
    .often_updated()
    .index(
        Index::plain("transactionType")
            .keep_accents()
            .case_sensitive()
            .expression("(jsonb->>'transactionType')")
            .term("$"),
    )
    .index(within("encumbrance", "sourcePurchaseOrderId"))
    .index(within("encumbrance", "sourcePoLineId"))
    .index(within("awaitingPayment", "encumbranceId"))
    .index(id("paymentEncumbranceId").present())
    .index(id("sourceInvoiceId").present())
    .index(id("sourceInvoiceLineId").present())
    .index(
        Index::unique("encumbrance")
            .over(&ENCUMBRANCE)
            .when("jsonb->>'transactionType' = 'Encumbrance'"),
    )
    // FOLIO has trigrams of the amount, which no client looks for.
    .index(Index::gin("amount").on_demand())
}

/// FOLIO calls the table `groups`, as another of its modules calls that of patron groups.
const GROUPS: &str = "fund_group";

pub(super) fn groups() -> Collection {
    Collection::new(GROUPS, "groups", include_str!("../shapes/fund_group.shape"))
        .located("/finance-storage/groups/")
        .locked()
        .listed_conflicts()
        .index(Index::unique("code"))
        .index(Index::unique("name"))
        .index(Index::gin("status"))
        .index(of_units())
}

/// Which funds belong to which groups in which years.
pub(super) fn group_fund_fiscal_years() -> Collection {
    let alias = "groupFundFY";
    Collection::new(
        "group_fund_fiscal_year",
        "groupFundFiscalYears",
        include_str!("../shapes/group_fund_fiscal_year.shape"),
    )
    .located("/finance-storage/group-fund-fiscal-years/")
    .locked()
    .listed_conflicts()
    .crossing("budgetId", "budget", alias, "budget")
    .crossing("groupId", GROUPS, alias, "group")
    .crossing("fundId", "fund", alias, "fund")
    .crossing("fiscalYearId", "fiscal_year", alias, "fiscalYear")
    .shorthand("ledger", "fund.ledger")
    .shorthand("fundType", "fund.fundType")
    .index(Index::unique("groupId").with(&["fundId", "fiscalYearId"]))
}
