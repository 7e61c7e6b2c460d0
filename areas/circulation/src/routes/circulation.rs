//! mod-circulation: what a desk does.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use super::{desk as beside, rules, with};
use crate::http::{desk, loans, requests, sessions};
use crate::rules_book::RulesBook;

/// The module.
pub(super) fn module(book: &Arc<RulesBook>) -> Module {
    let module = Module::new("mod-circulation", "24.4.0")
        .permissions(include_str!("../permissions/mod-circulation.tsv"))
        .interface(circulation(book))
        .interface(rules::circulation_rules(book))
        .interface(Interface::new("patron-action-session", "0.2").route(
            Method::POST,
            "/circulation/end-patron-action-session",
            "circulation.end-patron-action-session.post",
            with(book, sessions::end),
        ));
    beside::circulation(module, book)
}

fn circulation(book: &Arc<RulesBook>) -> Interface {
    Interface::new("circulation", "14.7")
        .route(
            Method::POST,
            "/circulation/check-out-by-barcode",
            "circulation.check-out-by-barcode.post",
            with(book, desk::check_out_by_barcode),
        )
        .desiring(desk::OVERRIDES)
        .route(
            Method::POST,
            "/circulation/check-in-by-barcode",
            "circulation.check-in-by-barcode.post",
            with(book, desk::check_in_by_barcode),
        )
        .route(
            Method::GET,
            "/circulation/loans",
            "circulation.loans.collection.get",
            Handler::call(loans::list),
        )
        .by_id(
            Method::GET,
            "/circulation/loans",
            "circulation.loans.item.get",
            Handler::call(loans::read),
        )
        .route(
            Method::GET,
            "/circulation/requests",
            "circulation.requests.collection.get",
            Handler::call(requests::list),
        )
        .by_id(
            Method::GET,
            "/circulation/requests",
            "circulation.requests.item.get",
            Handler::call(requests::read),
        )
}
