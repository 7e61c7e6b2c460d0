//! Searches of finance find what they need by indexes: of two million transactions, too.

use octavo_server_testkit::library;
use octavo_testkit::plans::{assert_indexed, plan_of};

const ID: &str = "11fb627a-cdf1-11e8-a8d5-f2801f1b9fd1";
/// Tables that have a few thousand records at most, whatever a library buys.
const SMALL: [&str; 10] = [
    "ledger",
    "fiscal_year",
    "fund_type",
    "fund_group",
    "expense_class",
    "fund",
    "budget",
    "budget_expense_class",
    "group_fund_fiscal_year",
    "ledger_fiscal_year_rollover",
];

#[tokio::test]
async fn searches_of_finance_use_indexes() {
    let library = library().await;
    let transactions = [
        "id==(ID or ID)",
        "fiscalYearId==ID and transactionType==Encumbrance and encumbrance.sourcePoLineId==ID",
        "encumbrance.sourcePurchaseOrderId==ID",
        "encumbrance.sourcePurchaseOrderId==(ID or ID)",
        "encumbrance.sourcePoLineId==(ID or ID)",
        "awaitingPayment.encumbranceId==ID",
        "paymentEncumbranceId==ID",
        "sourceInvoiceId==ID",
        "sourceInvoiceId==ID and (transactionType==Payment or transactionType==Credit)",
        "sourceInvoiceLineId==ID",
        "sourceInvoiceLineId==(ID or ID)",
        "fromFundId==ID",
        "toFundId==ID",
        "(fromFundId==ID or toFundId==ID) and fiscalYearId==ID",
        "fiscalYearId==ID",
        "expenseClassId==ID",
        "sourceFiscalYearId==ID",
        "transactionType==Allocation",
        "fromFund.code==HIST",
        "toFund.ledgerId==ID",
    ];
    let budgets = [
        "fundId==ID and fiscalYearId==ID",
        "fundId==(ID or ID) and fiscalYearId==ID and budgetStatus==Active",
        "name==HIST-FY2026",
        "budgetStatus==Active",
        "fund.code==HIST",
        "fund.ledgerId==ID",
        "ledger.code==GEN",
        "fiscalYear.code==FY2026",
    ];
    let funds = [
        "code==HIST",
        "name==\"Hist*\"",
        "name==\"*ist*\"",
        "ledgerId==ID",
        "fundTypeId==ID",
        "fundStatus==\"*Active*\"",
        "acqUnitIds=ID",
        "acqUnitIds==\"*ID*\"",
        "budget.fiscalYearId==ID",
        "groupFundFY.groupId==ID",
    ];
    let mut tried = 0;
    for (table, queries) in [
        ("transaction", &transactions[..]),
        ("budget", &budgets[..]),
        ("fund", &funds[..]),
        (
            "group_fund_fiscal_year",
            &[
                "groupId==ID and fiscalYearId==ID",
                "fundId==ID",
                "budgetId==ID",
                "fund.code==HIST",
            ],
        ),
        (
            "budget_expense_class",
            &["budgetId==ID", "expenseClassId==ID", "budget.fundId==ID"],
        ),
        (
            "ledger_fiscal_year_rollover_error",
            &[
                "ledgerRolloverId==ID",
                "details.purchaseOrderId==ID",
                "details.fundId==ID",
                "errorType==Order",
            ],
        ),
        (
            "ledger_fiscal_year_rollover_budget",
            &["ledgerRolloverId==ID", "fundId==ID", "fiscalYearId==ID"],
        ),
        (
            "ledger_fiscal_year_rollover_progress",
            &["ledgerRolloverId==ID", "overallRolloverStatus==Error"],
        ),
    ] {
        for query in queries {
            let query = query.replace("ID", ID);
            assert_indexed(&library, table, &query, &SMALL).await;
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
}

/// Transactions are looked up by what they belong to, and not by walking through them.
#[tokio::test]
async fn transactions_are_found_by_their_sources() {
    let library = library().await;
    for (field, index) in [
        ("encumbrance.sourcePoLineId", "sourcepolineid"),
        ("encumbrance.sourcePurchaseOrderId", "sourcepurchaseorderid"),
        ("awaitingPayment.encumbranceId", "encumbranceid"),
        ("sourceInvoiceId", "sourceinvoiceid"),
        ("sourceInvoiceLineId", "sourceinvoicelineid"),
    ] {
        let query = format!("{field}==({ID} or {ID})");
        let (plan, _) = plan_of(&library, "transaction", &query).await;
        let plan = plan.to_lowercase();
        assert!(plan.contains(index), "{field}:\n{plan}");
    }
}
