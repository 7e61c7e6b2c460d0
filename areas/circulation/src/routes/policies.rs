//! Storage routes of policies and slips with rules beyond their shapes.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Content, Handler, Interface};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::policies;

/// Path, table, and prefix of the permissions.
type PolicyRoutes = (&'static str, &'static str, &'static str);

const LOAN_POLICIES: PolicyRoutes = (
    "/loan-policy-storage/loan-policies",
    "loan_policy",
    "circulation-storage.loan-policies",
);
const REQUEST_POLICIES: PolicyRoutes = (
    "/request-policy-storage/request-policies",
    "request_policy",
    "circulation-storage.request-policies",
);
const NOTICE_POLICIES: PolicyRoutes = (
    "/patron-notice-policy-storage/patron-notice-policies",
    "patron_notice_policy",
    "circulation-storage.patron-notice-policies",
);
const SLIPS: PolicyRoutes = (
    "/staff-slips-storage/staff-slips",
    "staff_slips",
    "circulation-storage.staff-slips",
);

/// The interfaces of these records.
pub(super) fn interfaces(cache: &Arc<ConfigCache>) -> Vec<Interface> {
    let loan_policies = stored(
        Interface::new("loan-policy-storage", "2.3").satisfying(&["2.4"]),
        LOAN_POLICIES,
        Handler::create("loan_policy"),
        Handler::replace("loan_policy"),
        Handler::delete("loan_policy"),
    );
    let request_policies = stored(
        Interface::new("request-policy-storage", "1.0"),
        REQUEST_POLICIES,
        with(cache, policies::create_request_policy),
        with(cache, policies::replace_request_policy),
        Handler::delete("request_policy"),
    );
    let notice_policies = stored(
        Interface::new("patron-notice-policy-storage", "0.13"),
        NOTICE_POLICIES,
        Handler::create("patron_notice_policy"),
        Handler::replace("patron_notice_policy"),
        with(cache, policies::delete_notice_policy),
    );
    let slips = stored(
        Interface::new("staff-slips-storage", "1.0").satisfying(&["1.1"]),
        SLIPS,
        Handler::call(policies::create_slip),
        Handler::call(policies::replace_slip),
        Handler::delete("staff_slips"),
    );
    vec![
        clearable(loan_policies, LOAN_POLICIES),
        clearable(request_policies, REQUEST_POLICIES),
        notice_policies.hooked(NOTICE_POLICIES.0, &policies::NOTICE_POLICIES),
        clearable(slips, SLIPS),
    ]
}

/// FOLIO's five routes, with handlers of our own for those that write.
fn stored(
    interface: Interface,
    (path, table, stem): PolicyRoutes,
    create: Handler,
    replace: Handler,
    delete: Handler,
) -> Interface {
    interface
        .readable(path, table, stem)
        .route(Method::POST, path, &format!("{stem}.item.post"), create)
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(Method::PUT, path, &format!("{stem}.item.put"), replace)
        .taking(Content::Record(table))
        .by_id(Method::DELETE, path, &format!("{stem}.item.delete"), delete)
}

fn clearable(interface: Interface, (path, table, stem): PolicyRoutes) -> Interface {
    interface.clear(path, table, &format!("{stem}.collection.delete"))
}
