//! mod-circulation: lost and claimed items, and what timers do with overdue ones.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use super::with;
use crate::config_cache::Books;
use crate::http::{loss, timers};

/// Adds the interfaces and timers to the module.
pub(super) fn extend(module: Module, books: &Arc<Books>) -> Module {
    let every = |minutes, path, handler| Timer::every(minutes, "minute", path, handler);
    module
        .interface(Interface::new("declare-item-lost", "0.3").route(
            Method::POST,
            "/circulation/loans/{id}/declare-item-lost",
            "circulation.loans.declare-item-lost.post",
            with(books, loss::lost),
        ))
        .interface(claims(books))
        .interface(handlers(books))
        .timer(every(
            20,
            "/circulation/actual-cost-expiration-by-timeout",
            with(books, timers::expire),
        ))
        .timer(every(
            30,
            "/circulation/scheduled-age-to-lost",
            with(books, timers::age),
        ))
        .timer(every(
            35,
            "/circulation/scheduled-age-to-lost-fee-charging",
            with(books, timers::bill),
        ))
        .timer(Timer::cron(
            "1 0 * * *",
            "/circulation/scheduled-digital-reminders-processing",
            with(books, timers::remind),
        ))
}

fn claims(books: &Arc<Books>) -> Interface {
    Interface::new("claim-item-returned", "0.2")
        .route(
            Method::POST,
            "/circulation/loans/{id}/claim-item-returned",
            "circulation.loans.claim-item-returned.post",
            with(books, loss::claimed),
        )
        .route(
            Method::POST,
            "/circulation/loans/{id}/declare-claimed-returned-item-as-missing",
            "circulation.loans.declare-claimed-returned-item-as-missing.post",
            with(books, loss::missing),
        )
}

fn handlers(books: &Arc<Books>) -> Interface {
    Interface::new("circulation-event-handlers", "0.2")
        .route(
            Method::POST,
            "/circulation/handlers/loan-related-fee-fine-closed",
            "circulation.handlers.loan-related-fee-fine-closed.post",
            with(books, loss::fee_fine_closed),
        )
        .route(
            Method::POST,
            "/circulation/handlers/fee-fine-balance-changed",
            "circulation.handlers.fee-fine-balance-changed.post",
            Handler::call(loss::balance_changed),
        )
}
