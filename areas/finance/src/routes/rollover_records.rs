//! mod-finance: lists and single records of rollovers.

use ::http::Method;
use octavo_platform::{Handler, Interface};

use crate::http::{records, views};

/// The interfaces.
pub(super) fn interfaces() -> Vec<Interface> {
    let (errors, progress, logs) = (
        "/finance/ledger-rollovers-errors",
        "/finance/ledger-rollovers-progress",
        "/finance/ledger-rollovers-logs",
    );
    let error_table = "ledger_fiscal_year_rollover_error";
    let progress_table = "ledger_fiscal_year_rollover_progress";
    vec![
        Interface::new("finance.ledger-rollovers-budgets", "1.0").readable(
            "/finance/ledger-rollovers-budgets",
            "ledger_fiscal_year_rollover_budget",
            "finance.ledger-rollovers-budgets",
        ),
        Interface::new("finance.ledger-rollovers-errors", "1.1")
            .route(
                Method::GET,
                errors,
                "finance.ledger-rollovers-errors.collection.get",
                Handler::list(error_table),
            )
            .route(
                Method::POST,
                errors,
                "finance.ledger-rollovers-errors.item.post",
                Handler::create(error_table),
            )
            .by_id(
                Method::DELETE,
                errors,
                "finance.ledger-rollovers-errors.item.delete",
                Handler::delete(error_table),
            )
            .hooked(errors, &records::ROLLOVER_ERRORS),
        Interface::new("finance.ledger-rollovers-progress", "1.0")
            .readable(
                progress,
                progress_table,
                "finance.ledger-rollovers-progress",
            )
            .route(
                Method::POST,
                progress,
                "finance.ledger-rollovers-progress.item.post",
                Handler::create(progress_table),
            )
            .by_id(
                Method::PUT,
                progress,
                "finance.ledger-rollovers-progress.item.put",
                Handler::replace(progress_table),
            )
            .hooked(progress, &records::ROLLOVER_PROGRESS),
        Interface::new("finance.ledger-rollovers-logs", "1.0")
            .route(
                Method::GET,
                logs,
                "finance.ledger-rollovers-logs.collection.get",
                Handler::call(views::rollover_logs),
            )
            .by_id(
                Method::GET,
                logs,
                "finance.ledger-rollovers-logs.item.get",
                Handler::call(views::rollover_log),
            ),
    ]
}
