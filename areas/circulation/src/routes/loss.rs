//! mod-circulation: lost and claimed items, and what timers do with overdue ones.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::{loss, timers};

/// Adds the interfaces and timers to the module.
pub(super) fn extend(module: Module, cache: &Arc<ConfigCache>) -> Module {
    let every = |minutes, path, handler| Timer::every(minutes, "minute", path, handler);
    module
        .interface(Interface::new("declare-item-lost", "0.3").route(
            Method::POST,
            "/circulation/loans/{id}/declare-item-lost",
            "circulation.loans.declare-item-lost.post",
            with(cache, loss::lost),
        ))
        .interface(claims(cache))
        .interface(handlers(cache))
        .timer(every(
            20,
            "/circulation/actual-cost-expiration-by-timeout",
            with(cache, timers::expire),
        ))
        .timer(every(
            30,
            "/circulation/scheduled-age-to-lost",
            with(cache, timers::age),
        ))
        .timer(every(
            35,
            "/circulation/scheduled-age-to-lost-fee-charging",
            with(cache, timers::bill),
        ))
        .timer(Timer::cron(
            "1 0 * * *",
            "/circulation/scheduled-digital-reminders-processing",
            with(cache, timers::remind),
        ))
}

fn claims(cache: &Arc<ConfigCache>) -> Interface {
    Interface::new("claim-item-returned", "0.2")
        .route(
            Method::POST,
            "/circulation/loans/{id}/claim-item-returned",
            "circulation.loans.claim-item-returned.post",
            with(cache, loss::claimed),
        )
        .route(
            Method::POST,
            "/circulation/loans/{id}/declare-claimed-returned-item-as-missing",
            "circulation.loans.declare-claimed-returned-item-as-missing.post",
            with(cache, loss::missing),
        )
}

fn handlers(cache: &Arc<ConfigCache>) -> Interface {
    Interface::new("circulation-event-handlers", "0.2")
        .route(
            Method::POST,
            "/circulation/handlers/loan-related-fee-fine-closed",
            "circulation.handlers.loan-related-fee-fine-closed.post",
            with(cache, loss::fee_fine_closed),
        )
        .route(
            Method::POST,
            "/circulation/handlers/fee-fine-balance-changed",
            "circulation.handlers.fee-fine-balance-changed.post",
            Handler::call(loss::balance_changed),
        )
}
