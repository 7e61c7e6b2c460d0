//! mod-circulation: what a desk does.

use std::sync::Arc;

use ::http::Method;
use axum::response::Response;
use octavo_platform::{ApiError, Call, Handler, Interface, Module};

use crate::http::{desk, loans, requests, rules, sessions};
use crate::rules::PolicyKind;
use crate::rules_book::RulesBook;

/// The module.
pub(crate) fn mod_circulation(book: &Arc<RulesBook>) -> Module {
    Module::new("mod-circulation", "24.4.0")
        .permissions(include_str!("permissions/mod-circulation.tsv"))
        .interface(circulation(book))
        .interface(circulation_rules(book))
        .interface(Interface::new("patron-action-session", "0.2").route(
            Method::POST,
            "/circulation/end-patron-action-session",
            "circulation.end-patron-action-session.post",
            with(book, sessions::end),
        ))
}

/// The rules as stored are read and written under a second path.
pub(crate) fn circulation_rules_storage(book: &Arc<RulesBook>) -> Interface {
    let path = "/circulation-rules-storage";
    Interface::new("circulation-rules-storage", "1.0")
        .route(
            Method::GET,
            path,
            "circulation-storage.circulation-rules.get",
            Handler::call(rules::read),
        )
        .route(
            Method::PUT,
            path,
            "circulation-storage.circulation-rules.put",
            with(book, rules::replace),
        )
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

fn circulation_rules(book: &Arc<RulesBook>) -> Interface {
    let path = "/circulation/rules";
    let mut interface = Interface::new("circulation-rules", "1.1")
        .route(
            Method::GET,
            path,
            "circulation.rules.get",
            Handler::call(rules::read),
        )
        .route(
            Method::PUT,
            path,
            "circulation.rules.put",
            with(book, rules::replace),
        );
    for (kind, one, all, permissions) in POLICIES {
        let (first, every) = (Arc::clone(book), Arc::clone(book));
        interface = interface
            .route(
                Method::GET,
                one,
                permissions.0,
                Handler::call(move |call| rules::policy_of(Arc::clone(&first), kind, call)),
            )
            .route(
                Method::GET,
                all,
                permissions.1,
                Handler::call(move |call| rules::all_policies_of(Arc::clone(&every), kind, call)),
            );
    }
    interface
}

type PolicyRoute = (
    PolicyKind,
    &'static str,
    &'static str,
    (&'static str, &'static str),
);

const POLICIES: [PolicyRoute; 5] = [
    (
        PolicyKind::Loan,
        "/circulation/rules/loan-policy",
        "/circulation/rules/loan-policy-all",
        (
            "circulation.rules.loan-policy.get",
            "circulation.rules.loan-policy-all.get",
        ),
    ),
    (
        PolicyKind::OverdueFine,
        "/circulation/rules/overdue-fine-policy",
        "/circulation/rules/overdue-fine-policy-all",
        (
            "circulation.rules.overdue-fine-policy.get",
            "circulation.rules.overdue-fine-policy-all.get",
        ),
    ),
    // FOLIO's second name is out of line with the others.
    (
        PolicyKind::LostItem,
        "/circulation/rules/lost-item-policy",
        "/circulation/rules/lost-item-policy-all",
        (
            "circulation.rules.lost-item-policy.get",
            "circulation.rules.lost-item-all.get",
        ),
    ),
    (
        PolicyKind::Request,
        "/circulation/rules/request-policy",
        "/circulation/rules/request-policy-all",
        (
            "circulation.rules.request-policy.get",
            "circulation.rules.request-policy-all.get",
        ),
    ),
    (
        PolicyKind::Notice,
        "/circulation/rules/notice-policy",
        "/circulation/rules/notice-policy-all",
        (
            "circulation.rules.notice-policy.get",
            "circulation.rules.notice-policy-all.get",
        ),
    ),
];

/// A handler that uses the compiled rules.
fn with<F, R>(book: &Arc<RulesBook>, function: F) -> Handler
where
    F: Fn(Arc<RulesBook>, Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let book = Arc::clone(book);
    Handler::transaction(move |call| function(Arc::clone(&book), call))
}
