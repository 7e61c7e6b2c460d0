//! Acts on loans between check-out and check-in.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::{loan_acts, loan_records, renewal};

/// Adds the routes of the interface `circulation`.
pub(super) fn circulation(interface: Interface, cache: &Arc<ConfigCache>) -> Interface {
    interface
        .route(
            Method::POST,
            "/circulation/check-out-by-barcode-dry-run",
            "circulation.check-out-by-barcode-dry-run.post",
            with(cache, loan_acts::check_out_dry_run),
        )
        .desiring(crate::http::desk::OVERRIDES)
        .route(
            Method::POST,
            "/circulation/renew-by-barcode",
            "circulation.renew-by-barcode.post",
            with(cache, renewal::by_barcode),
        )
        .desiring(renewal::OVERRIDES)
        .route(
            Method::POST,
            "/circulation/renew-by-id",
            "circulation.renew-by-id.post",
            with(cache, renewal::by_id),
        )
        .desiring(renewal::OVERRIDES)
        .route(
            Method::POST,
            "/circulation/hold-by-barcode-for-use-at-location",
            "circulation.hold-by-barcode-for-use-at-location.post",
            with(cache, loan_acts::hold_at_location),
        )
        .route(
            Method::POST,
            "/circulation/pickup-by-barcode-for-use-at-location",
            "circulation.pickup-by-barcode-for-use-at-location.post",
            with(cache, loan_acts::pick_up_at_location),
        )
        .route(
            Method::POST,
            "/circulation/loans",
            "circulation.loans.item.post",
            with(cache, loan_records::create),
        )
        .by_id(
            Method::PUT,
            "/circulation/loans",
            "circulation.loans.item.put",
            with(cache, loan_records::replace),
        )
        .by_id(
            Method::DELETE,
            "/circulation/loans",
            "circulation.loans.item.delete",
            Handler::delete("loan"),
        )
        .route(
            Method::DELETE,
            "/circulation/loans",
            "circulation.loans.collection.delete",
            Handler::call(loan_records::delete_all),
        )
}

/// Adds the interfaces that have one route each.
pub(super) fn interfaces(module: Module, cache: &Arc<ConfigCache>) -> Module {
    module
        .interface(Interface::new("change-due-date", "0.1").route(
            Method::POST,
            "/circulation/loans/{id}/change-due-date",
            "circulation.loans.change-due-date.post",
            with(cache, loan_acts::change_due_date),
        ))
        .interface(Interface::new("add-info", "0.1").route(
            Method::POST,
            "/circulation/loans/{id}/add-info",
            "circulation.loans.add-info.post",
            with(cache, loan_acts::add_info),
        ))
}
