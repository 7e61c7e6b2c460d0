//! The circulation rules: as text, and asked for the policies that apply.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::rules;
use crate::rules::PolicyKind;

/// The rules as stored are read and written under a second path.
pub(super) fn circulation_rules_storage(cache: &Arc<ConfigCache>) -> Interface {
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
            with(cache, rules::replace_record),
        )
}

/// The interface of mod-circulation.
pub(super) fn circulation_rules(cache: &Arc<ConfigCache>) -> Interface {
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
            with(cache, rules::replace),
        );
    for (kind, one, all, permissions) in POLICIES {
        let (first, every) = (Arc::clone(cache), Arc::clone(cache));
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
