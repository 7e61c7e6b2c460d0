//! mod-finance-storage: records, joined views, and the batch of transactions.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface};

use crate::http::{batch, finance_data, records, storage, views};

/// The interfaces of the module.
pub(super) fn interfaces() -> Vec<Interface> {
    let mut all = vec![
        budgets(),
        plain(
            "finance-storage.budget-expense-classes",
            "2.0",
            "/finance-storage/budget-expense-classes",
            "budget_expense_class",
        ),
        plain(
            "finance-storage.expense-classes",
            "3.0",
            "/finance-storage/expense-classes",
            "expense_class",
        )
        .hooked(
            "/finance-storage/expense-classes",
            &records::EXPENSE_CLASSES,
        ),
        plain(
            "finance-storage.fiscal-years",
            "3.0",
            "/finance-storage/fiscal-years",
            "fiscal_year",
        ),
        plain(
            "finance-storage.fund-types",
            "2.0",
            "/finance-storage/fund-types",
            "fund_type",
        ),
        funds(),
        groups(),
        ledgers(),
        plain(
            "finance-storage.fund-update-logs",
            "1.0",
            "/finance-storage/fund-update-logs",
            "fund_update_log",
        ),
        transactions(),
        totals(),
        Interface::new("finance-storage.finance-data", "1.0")
            .route(
                Method::GET,
                "/finance-storage/finance-data",
                "finance-storage.finance-data.collection.get",
                Handler::call(views::finance_data),
            )
            .route(
                Method::PUT,
                "/finance-storage/finance-data",
                "finance-storage.finance-data.collection.put",
                Handler::transaction(finance_data::storage),
            ),
        Interface::new("finance-storage.job-number", "1.0").route(
            Method::GET,
            "/finance-storage/job-number",
            "finance-storage.job-number.get",
            Handler::call(storage::job_number),
        ),
    ];
    all.extend(rollovers());
    all
}

/// The five routes of a record type, whose permissions begin with the interface's name.
fn plain(
    id: &'static str,
    version: &'static str,
    path: &'static str,
    table: &'static str,
) -> Interface {
    Interface::new(id, version).records(path, table, id)
}

fn budgets() -> Interface {
    let (path, stem, table) = (
        "/finance-storage/budgets",
        "finance-storage.budgets",
        "budget",
    );
    Interface::new(stem, "3.0")
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            "finance-storage.budgets.item.post",
            Handler::create(table),
        )
        .by_id(
            Method::PUT,
            path,
            "finance-storage.budgets.item.put",
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "finance-storage.budgets.item.delete",
            Handler::transaction(storage::remove_budget),
        )
        .hooked(path, &records::BUDGETS)
        .route(
            Method::GET,
            "/finance-storage/group-budgets",
            "finance-storage.group-budgets.collection.get",
            Handler::call(views::group_budgets),
        )
        .answering(Content::List(table))
}

/// Four of the routes are a record type's; a replacement has consequences.
fn with_status(
    interface: Interface,
    path: &'static str,
    table: &'static str,
    stem: &str,
    replace: Handler,
) -> Interface {
    interface
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::create(table),
        )
        .by_id(Method::PUT, path, &format!("{stem}.item.put"), replace)
        .taking(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete(table),
        )
}

fn funds() -> Interface {
    let (path, stem) = ("/finance-storage/funds", "finance-storage.funds");
    let replace = Handler::transaction(storage::put_fund);
    with_status(Interface::new(stem, "5.0"), path, "fund", stem, replace)
        .hooked(path, &records::FUNDS)
}

fn ledgers() -> Interface {
    let (path, stem) = ("/finance-storage/ledgers", "finance-storage.ledgers");
    let replace = Handler::transaction(storage::put_ledger);
    with_status(Interface::new(stem, "4.0"), path, "ledger", stem, replace)
}

fn groups() -> Interface {
    let (path, stem) = ("/finance-storage/groups", "finance-storage.groups");
    Interface::new(stem, "2.0")
        .records(path, "fund_group", stem)
        .hooked(path, &records::GROUPS)
        .records(
            "/finance-storage/group-fund-fiscal-years",
            "group_fund_fiscal_year",
            "finance-storage.group-fund-fiscal-years",
        )
}

fn transactions() -> Interface {
    let (path, stem) = (
        "/finance-storage/transactions",
        "finance-storage.transactions",
    );
    Interface::new(stem, "5.0")
        .readable(path, "transaction", stem)
        .route(
            Method::POST,
            "/finance-storage/transactions/batch-all-or-nothing",
            "finance-storage.transactions.batch.execute",
            Handler::transaction(batch::storage),
        )
}

fn totals() -> Interface {
    Interface::new("finance-storage.transaction-totals", "1.0").route(
        Method::GET,
        "/finance-storage/transaction-totals",
        "finance-storage.transaction-totals.collection.get",
        Handler::call(views::transaction_totals),
    )
}

fn rollovers() -> Vec<Interface> {
    let logs = (
        "/finance-storage/ledger-rollovers-logs",
        "finance-storage.ledger-rollovers-logs",
    );
    vec![
        plain(
            "finance-storage.ledger-rollovers-progress",
            "1.0",
            "/finance-storage/ledger-rollovers-progress",
            "ledger_fiscal_year_rollover_progress",
        ),
        plain(
            "finance-storage.ledger-rollovers-errors",
            "1.0",
            "/finance-storage/ledger-rollovers-errors",
            "ledger_fiscal_year_rollover_error",
        ),
        Interface::new("finance-storage.ledger-rollovers-budgets", "1.0").readable(
            "/finance-storage/ledger-rollovers-budgets",
            "ledger_fiscal_year_rollover_budget",
            "finance-storage.ledger-rollovers-budgets",
        ),
        Interface::new(logs.1, "1.0")
            .route(
                Method::GET,
                logs.0,
                "finance-storage.ledger-rollovers-logs.collection.get",
                Handler::call(views::rollover_logs),
            )
            .by_id(
                Method::GET,
                logs.0,
                "finance-storage.ledger-rollovers-logs.item.get",
                Handler::call(views::rollover_log),
            ),
    ]
}
