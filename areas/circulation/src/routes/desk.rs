//! Routes of settings, anonymization, locks, print events, reports, and timers.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::{
    anonymization, check_out_locks, print_events, reports, request_upkeep, sessions, settings,
    timers,
};

/// Adds the special routes of mod-circulation-storage.
pub(super) fn storage(module: Module, cache: &Arc<ConfigCache>) -> Module {
    module
        .interface(Interface::new("anonymize-storage-loans", "0.1").route(
            Method::POST,
            "/anonymize-storage-loans",
            "anonymize-storage-loans.post",
            with(cache, anonymization::stored_loans),
        ))
        .interface(
            Interface::new("request-storage-batch", "2.0")
                .satisfying(&["2.1"])
                .route(
                    Method::POST,
                    "/request-storage-batch/requests",
                    "circulation-storage.request-batch.item.post",
                    with(cache, request_upkeep::store_batch),
                ),
        )
        .interface(locks())
        .interface(
            Interface::new("print-events-storage", "1.0")
                .route(
                    Method::POST,
                    "/print-events-storage/print-events-entry",
                    "print-events-storage.print-events-entry.item.post",
                    with(cache, print_events::store),
                )
                .route(
                    Method::POST,
                    "/print-events-storage/print-events-status",
                    "print-events-storage.print-events-status.item.post",
                    Handler::call(print_events::counted),
                ),
        )
        .timer(Timer::every(
            2,
            "minute",
            "/scheduled-request-expiration",
            with(cache, request_upkeep::expire),
        ))
        .timer(Timer::every(
            5,
            "minute",
            "/tlr-feature-toggle-job/start",
            with(cache, request_upkeep::run_toggle_job),
        ))
}

fn locks() -> Interface {
    let (path, by_id) = (
        "/check-out-lock-storage",
        "/check-out-lock-storage/{lockId}",
    );
    Interface::new("checkout-lock-storage", "0.1")
        .route(
            Method::GET,
            path,
            "checkout-lock-storage.checkout-locks.collection.get",
            Handler::call(check_out_locks::list),
        )
        .route(
            Method::GET,
            by_id,
            "checkout-lock-storage.checkout-locks.item.get",
            Handler::call(check_out_locks::read),
        )
        .route(
            Method::POST,
            path,
            "checkout-lock-storage.checkout-locks.item.post",
            Handler::call(check_out_locks::take),
        )
        .route(
            Method::DELETE,
            by_id,
            "checkout-lock-storage.checkout-locks.item.delete",
            Handler::call(check_out_locks::give_back),
        )
}

/// Adds to mod-circulation.
pub(super) fn circulation(module: Module, cache: &Arc<ConfigCache>) -> Module {
    let module = module
        .interface(Interface::new("loan-anonymization", "0.1").route(
            Method::POST,
            "/loan-anonymization/by-user/{userId}",
            "circulation.loans.collection.anonymize.user.post",
            with(cache, anonymization::loans_of_user),
        ))
        .interface(Interface::new("request-anonymization", "0.1").route(
            Method::POST,
            "/request-anonymization/{requestId}",
            "circulation.requests.anonymize.item.post",
            with(cache, anonymization::request),
        ))
        .interface(circulation_settings(cache))
        .interface(Interface::new("print-events", "1.0").route(
            Method::POST,
            "/circulation/print-events-entry",
            "circulation.print-events-entry.item.post",
            with(cache, print_events::enter),
        ))
        .interface(Interface::new("inventory-reports", "0.4").route(
            Method::GET,
            "/inventory-reports/items-in-transit",
            "circulation.inventory.items-in-transit-report.get",
            Handler::call(reports::items_in_transit),
        ))
        .interface(Interface::new("instance-items", "0.1").route(
            Method::GET,
            "/circulation/items-by-instance",
            "circulation.items-by-instance.get",
            Handler::call(reports::items_by_instance),
        ));
    timers(module, cache)
}

fn timers(module: Module, cache: &Arc<ConfigCache>) -> Module {
    let every = |minutes, path, handler| Timer::every(minutes, "minute", path, handler);
    module
        .timer(every(
            5,
            "/circulation/loan-scheduled-notices-processing",
            with(cache, timers::loan_notices),
        ))
        .timer(every(
            2,
            "/circulation/due-date-not-real-time-scheduled-notices-processing",
            with(cache, timers::due_date_digests),
        ))
        .timer(every(
            2,
            "/circulation/request-scheduled-notices-processing",
            with(cache, timers::request_notices),
        ))
        .timer(every(
            2,
            "/circulation/fee-fine-scheduled-notices-processing",
            with(cache, timers::fee_notices),
        ))
        .timer(every(
            2,
            "/circulation/fee-fine-not-real-time-scheduled-notices-processing",
            with(cache, timers::fee_digests),
        ))
        .timer(every(
            2,
            "/circulation/overdue-fine-scheduled-notices-processing",
            with(cache, timers::fine_notices),
        ))
        .timer(Timer::every(
            3,
            "minute",
            "/circulation/notice-session-expiration-by-timeout",
            with(cache, sessions::end_quiet),
        ))
        .timer(Timer::every(
            60,
            "minute",
            "/circulation/scheduled-anonymize-processing",
            with(cache, anonymization::loans_as_set),
        ))
        .timer(Timer::every(
            60,
            "minute",
            "/circulation/scheduled-request-anonymize-processing",
            with(cache, anonymization::requests_as_set),
        ))
}

fn circulation_settings(cache: &Arc<ConfigCache>) -> Interface {
    let path = "/circulation/settings";
    Interface::new("circulation-settings", "1.0")
        .route(
            Method::GET,
            path,
            "circulation.settings.collection.get",
            Handler::list("circulation_settings"),
        )
        .by_id(
            Method::GET,
            path,
            "circulation.settings.item.get",
            Handler::read("circulation_settings"),
        )
        .by_id(
            Method::PUT,
            path,
            "circulation.settings.item.put",
            Handler::call(settings::replace),
        )
        .route(
            Method::POST,
            path,
            "circulation.settings.item.post",
            with(cache, settings::create),
        )
        .by_id(
            Method::DELETE,
            path,
            "circulation.settings.item.delete",
            Handler::call(settings::delete),
        )
        .hooked(path, &settings::HOOKS)
}
