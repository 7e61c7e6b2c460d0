//! mod-circulation: lost and claimed items.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use super::with;
use crate::http::{loss, timers};
use crate::rules_book::RulesBook;

/// Adds the interfaces and timers to the module.
pub(super) fn extend(module: Module, book: &Arc<RulesBook>) -> Module {
    let every = |minutes, path, handler| Timer::every(minutes, "minute", path, handler);
    module
        .interface(Interface::new("declare-item-lost", "0.3").route(
            Method::POST,
            "/circulation/loans/{id}/declare-item-lost",
            "circulation.loans.declare-item-lost.post",
            with(book, loss::lost),
        ))
        .interface(claims(book))
        .interface(handlers(book))
        .timer(every(
            20,
            "/circulation/actual-cost-expiration-by-timeout",
            with(book, timers::expire),
        ))
        .timer(every(
            30,
            "/circulation/scheduled-age-to-lost",
            with(book, timers::age),
        ))
        .timer(every(
            35,
            "/circulation/scheduled-age-to-lost-fee-charging",
            with(book, timers::bill),
        ))
}

fn claims(book: &Arc<RulesBook>) -> Interface {
    Interface::new("claim-item-returned", "0.2")
        .route(
            Method::POST,
            "/circulation/loans/{id}/claim-item-returned",
            "circulation.loans.claim-item-returned.post",
            with(book, loss::claimed),
        )
        .route(
            Method::POST,
            "/circulation/loans/{id}/declare-claimed-returned-item-as-missing",
            "circulation.loans.declare-claimed-returned-item-as-missing.post",
            with(book, loss::missing),
        )
}

fn handlers(book: &Arc<RulesBook>) -> Interface {
    Interface::new("circulation-event-handlers", "0.2")
        .route(
            Method::POST,
            "/circulation/handlers/loan-related-fee-fine-closed",
            "circulation.handlers.loan-related-fee-fine-closed.post",
            with(book, loss::fee_fine_closed),
        )
        .route(
            Method::POST,
            "/circulation/handlers/fee-fine-balance-changed",
            "circulation.handlers.fee-fine-balance-changed.post",
            Handler::call(loss::balance_changed),
        )
}
