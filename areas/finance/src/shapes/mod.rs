//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

macro_rules! shapes {
    ($($name:literal: $file:literal),* $(,)?) => {
        &[$((concat!("finance.", $name), include_str!($file))),*]
    };
}

const SHAPES: &[(&str, &str)] = shapes![
    "batch": "bodies/batch.shape",
    "budget-expense-class-totals": "answers/budget-expense-class-totals.shape",
    "composite-fund-answer": "answers/composite-fund-answer.shape",
    "composite-fund": "bodies/composite-fund.shape",
    "exchange-rate": "answers/exchange-rate.shape",
    "fiscal-year": "answers/fiscal-year.shape",
    "finance-data-answer": "answers/finance-data-answer.shape",
    "finance-data": "bodies/finance-data.shape",
    "fund-codes-expense-classes": "answers/fund-codes-expense-classes.shape",
    "group-expense-class-totals": "answers/group-expense-class-totals.shape",
    "group-fiscal-year-summaries": "answers/group-fiscal-year-summaries.shape",
    "ledger": "answers/ledger.shape",
    "ledgers": "answers/ledgers.shape",
    "shared-budget-answer": "answers/shared-budget-answer.shape",
    "shared-budget": "bodies/shared-budget.shape",
    "job-number": "answers/job-number.shape",
    "rollover-log": "answers/rollover-log.shape",
    "rollover-logs": "answers/rollover-logs.shape",
    "transaction-totals": "answers/transaction-totals.shape",
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-finance-storage" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-finance-storage.tsv")),
        "mod-finance" => module.contents(include_str!("mod-finance.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
