//! mod-finance: the interfaces that staff's clients use.

use ::http::Method;
use octavo_platform::records_http::Hooks;
use octavo_platform::{Content, Handler, Interface};

use crate::http::{
    budgets, exchange, finance_data, fiscal_years, funds, groups, ledgers, lists, records,
    transactions,
};

/// The interfaces of the module without rollovers.
pub(super) fn interfaces() -> Vec<Interface> {
    vec![
        budget_routes(),
        five(
            Interface::new("finance.expense-classes", "3.0"),
            (
                "/finance/expense-classes",
                "expense_class",
                "finance.expense-classes",
            ),
            &records::BUSINESS_EXPENSE_CLASSES,
        ),
        five(
            Interface::new("finance.fund-types", "2.0"),
            ("/finance/fund-types", "fund_type", "finance.fund-types"),
            &records::BUSINESS_FUND_TYPES,
        ),
        fiscal_year_routes(),
        fund_routes(),
        ledger_routes(),
        group_routes(),
        group_fund_routes(),
        Interface::new("finance.group-fiscal-year-summaries", "1.3").route(
            Method::GET,
            "/finance/group-fiscal-year-summaries",
            "finance.group-fiscal-year-summaries.collection.get",
            Handler::call(groups::summaries),
        ),
        transaction_routes(),
        exchange_routes(),
        log_routes(),
        Interface::new("finance.finance-data", "1.0")
            .route(
                Method::GET,
                "/finance/finance-data",
                "finance.finance-data.collection.get",
                Handler::call(lists::finance_data),
            )
            .route(
                Method::PUT,
                "/finance/finance-data",
                "finance.finance-data.collection.put",
                Handler::call(finance_data::business),
            ),
    ]
}

type Records = (&'static str, &'static str, &'static str);

/// The five routes of a record type.
fn five(interface: Interface, (path, table, stem): Records, hooks: &'static Hooks) -> Interface {
    interface.records(path, table, stem).hooked(path, hooks)
}

/// Five routes whose list is narrowed by units.
fn listed(interface: Interface, (path, table, stem): Records, list: Handler) -> Interface {
    interface
        .route(Method::GET, path, &format!("{stem}.collection.get"), list)
        .answering(Content::List(table))
}

fn budget_routes() -> Interface {
    let names = ("/finance/budgets", "budget", "finance.budgets");
    let (path, _, stem) = names;
    let interface = Interface::new(stem, "2.0");
    listed(interface, names, Handler::call(lists::budgets))
        .route(
            Method::POST,
            path,
            "finance.budgets.item.post",
            Handler::transaction(budgets::create),
        )
        .by_id(
            Method::GET,
            path,
            "finance.budgets.item.get",
            Handler::call(budgets::read),
        )
        .by_id(
            Method::PUT,
            path,
            "finance.budgets.item.put",
            Handler::transaction(budgets::replace),
        )
        .by_id(
            Method::DELETE,
            path,
            "finance.budgets.item.delete",
            Handler::transaction(crate::http::storage::remove_budget),
        )
        .route(
            Method::GET,
            "/finance/budgets/{id}/expense-classes-totals",
            "finance.budgets-expense-classes-totals.collection.get",
            Handler::call(budgets::class_totals),
        )
        .route(
            Method::POST,
            "/finance/budgets/{id}/recalculate",
            "finance.budgets-recalculate.item.post",
            Handler::transaction(budgets::recalculate),
        )
        .route(
            Method::GET,
            "/finance/fund-codes-expense-classes",
            "finance.fund-codes-expense-classes.collection.get",
            Handler::call(budgets::codes),
        )
}

fn fiscal_year_routes() -> Interface {
    let names = (
        "/finance/fiscal-years",
        "fiscal_year",
        "finance.fiscal-years",
    );
    let (path, table, stem) = names;
    listed(
        Interface::new(stem, "2.0"),
        names,
        Handler::call(lists::fiscal_years),
    )
    .route(
        Method::POST,
        path,
        "finance.fiscal-years.item.post",
        Handler::call(fiscal_years::create),
    )
    .taking(Content::Record(table))
    .answering(Content::Record(table))
    .by_id(
        Method::GET,
        path,
        "finance.fiscal-years.item.get",
        Handler::call(fiscal_years::read),
    )
    .by_id(
        Method::PUT,
        path,
        "finance.fiscal-years.item.put",
        Handler::call(fiscal_years::replace),
    )
    .taking(Content::Record(table))
    .by_id(
        Method::DELETE,
        path,
        "finance.fiscal-years.item.delete",
        Handler::delete(table),
    )
}

fn fund_routes() -> Interface {
    let names = ("/finance/funds", "fund", "finance.funds");
    let (path, _, stem) = names;
    listed(
        Interface::new(stem, "3.0"),
        names,
        Handler::call(lists::funds),
    )
    .route(
        Method::POST,
        path,
        "finance.funds.item.post",
        Handler::transaction(funds::create),
    )
    .by_id(
        Method::GET,
        path,
        "finance.funds.item.get",
        Handler::call(funds::read),
    )
    .by_id(
        Method::PUT,
        path,
        "finance.funds.item.put",
        Handler::transaction(funds::replace),
    )
    .by_id(
        Method::DELETE,
        path,
        "finance.funds.item.delete",
        Handler::transaction(funds::remove),
    )
    .route(
        Method::GET,
        "/finance/funds/{id}/expense-classes",
        "finance.funds.expense-classes.collection.get",
        Handler::call(funds::expense_classes),
    )
    .answering(Content::List("expense_class"))
    .route(
        Method::GET,
        "/finance/funds/{id}/budget",
        "finance.funds.budget.item.get",
        Handler::call(funds::budget),
    )
    .answering(Content::Record("budget"))
}

fn ledger_routes() -> Interface {
    let (path, table, stem) = ("/finance/ledgers", "ledger", "finance.ledgers");
    Interface::new(stem, "2.0")
        .route(
            Method::GET,
            path,
            "finance.ledgers.collection.get",
            Handler::call(ledgers::list),
        )
        .route(
            Method::POST,
            path,
            "finance.ledgers.item.post",
            Handler::create(table),
        )
        .by_id(
            Method::GET,
            path,
            "finance.ledgers.item.get",
            Handler::call(ledgers::read),
        )
        .by_id(
            Method::PUT,
            path,
            "finance.ledgers.item.put",
            Handler::transaction(ledgers::replace),
        )
        .taking(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            "finance.ledgers.item.delete",
            Handler::delete(table),
        )
        .hooked(path, &records::BUSINESS_LEDGERS)
        .route(
            Method::GET,
            "/finance/ledgers/{id}/current-fiscal-year",
            "finance.ledgers.current-fiscal-year.item.get",
            Handler::call(ledgers::current_year),
        )
        .answering(Content::Record("fiscal_year"))
}

fn group_routes() -> Interface {
    let names = ("/finance/groups", "fund_group", "finance.groups");
    let (path, table, stem) = names;
    listed(
        Interface::new(stem, "2.0"),
        names,
        Handler::call(lists::groups),
    )
    .route(
        Method::POST,
        path,
        "finance.groups.item.post",
        Handler::create(table),
    )
    .by_id(
        Method::GET,
        path,
        "finance.groups.item.get",
        Handler::read(table),
    )
    .by_id(
        Method::PUT,
        path,
        "finance.groups.item.put",
        Handler::replace(table),
    )
    .by_id(
        Method::DELETE,
        path,
        "finance.groups.item.delete",
        Handler::delete(table),
    )
    .hooked(path, &records::BUSINESS_GROUPS)
    .route(
        Method::GET,
        "/finance/groups/{id}/expense-classes-totals",
        "finance.groups-expense-classes-totals.collection.get",
        Handler::call(groups::class_totals),
    )
}

fn group_fund_routes() -> Interface {
    let (path, table) = ("/finance/group-fund-fiscal-years", "group_fund_fiscal_year");
    Interface::new("finance.group-fund-fiscal-years", "2.0")
        .route(
            Method::GET,
            path,
            "finance.group-fund-fiscal-years.collection.get",
            Handler::list(table),
        )
        .route(
            Method::POST,
            path,
            "finance.group-fund-fiscal-years.item.post",
            Handler::call(groups::add_place),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            "finance.group-fund-fiscal-years.item.delete",
            Handler::delete(table),
        )
}

fn transaction_routes() -> Interface {
    let names = (
        "/finance/transactions",
        "transaction",
        "finance.transactions",
    );
    let (path, table, stem) = names;
    let single = |interface: Interface, path, permission: &str, handler| {
        interface
            .route(Method::POST, path, permission, handler)
            .taking(Content::Record("transaction"))
            .answering(Content::Record("transaction"))
    };
    let interface = Interface::new(stem, "6.0");
    let interface = single(
        interface,
        "/finance/allocations",
        "finance.allocations.item.post",
        Handler::transaction(transactions::allocate),
    );
    let interface = single(
        interface,
        "/finance/transfers",
        "finance.transfers.item.post",
        Handler::transaction(transactions::transfer),
    );
    listed(interface, names, Handler::call(lists::transactions))
        .by_id(
            Method::GET,
            path,
            "finance.transactions.item.get",
            Handler::read(table),
        )
        .by_id(
            Method::POST,
            "/finance/release-encumbrance",
            "finance.release-encumbrance.item.post",
            Handler::transaction(transactions::release),
        )
        .by_id(
            Method::POST,
            "/finance/unrelease-encumbrance",
            "finance.unrelease-encumbrance.item.post",
            Handler::transaction(transactions::unrelease),
        )
        .route(
            Method::POST,
            "/finance/transactions/batch-all-or-nothing",
            "finance.transactions.batch.execute",
            Handler::transaction(transactions::batch),
        )
}

fn exchange_routes() -> Interface {
    Interface::new("finance.exchange-rate", "1.0")
        .route(
            Method::GET,
            "/finance/exchange-rate",
            "finance.exchange-rate.item.get",
            Handler::call(exchange::rate),
        )
        .route(
            Method::GET,
            "/finance/calculate-exchange",
            "finance.calculate-exchange.item.get",
            Handler::call(exchange::calculate),
        )
}

fn log_routes() -> Interface {
    let names = (
        "/finance/fund-update-logs",
        "fund_update_log",
        "finance.fund-update-logs",
    );
    let (path, table, stem) = names;
    listed(
        Interface::new(stem, "1.0"),
        names,
        Handler::call(lists::logs),
    )
    .by_id(
        Method::GET,
        path,
        "finance.fund-update-logs.item.get",
        Handler::read(table),
    )
    .route(
        Method::POST,
        path,
        "finance.fund-update-logs.item.post",
        Handler::create(table),
    )
    .by_id(
        Method::PUT,
        path,
        "finance.fund-update-logs.item.put",
        Handler::replace(table),
    )
    .by_id(
        Method::DELETE,
        path,
        "finance.fund-update-logs.item.delete",
        Handler::delete(table),
    )
    .hooked(path, &records::BUSINESS_LOGS)
}
