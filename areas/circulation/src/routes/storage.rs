//! The interfaces of mod-circulation-storage.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Content, Handler, Interface};

use super::{rules, with};
use crate::config_cache::ConfigCache;
use crate::http::{
    anonymization, loan_history, request_storage as stored_requests, sessions as visits,
    settings as stored,
};

/// The interfaces, most of them generic.
pub(super) fn interfaces(cache: &Arc<ConfigCache>) -> Vec<Interface> {
    let mut interfaces = vec![
        loans(cache),
        check_ins(),
        sessions(),
        rules::circulation_rules_storage(cache),
    ];
    interfaces.extend(policies());
    interfaces.extend(super::policies::interfaces(cache));
    interfaces.extend(requests());
    interfaces.extend(desk(cache));
    interfaces
}

/// An interface with FOLIO's five routes for one collection.
fn plain(
    id: &'static str,
    version: &'static str,
    path: &'static str,
    table: &'static str,
    stem: &str,
) -> Interface {
    Interface::new(id, version).records(path, table, stem)
}

/// The same with DELETE of all, or of what a query finds.
fn clearable(
    id: &'static str,
    version: &'static str,
    path: &'static str,
    table: &'static str,
    stem: &str,
) -> Interface {
    plain(id, version, path, table, stem).clear(path, table, &format!("{stem}.collection.delete"))
}

fn loans(cache: &Arc<ConfigCache>) -> Interface {
    clearable(
        "loan-storage",
        "7.3",
        "/loan-storage/loans",
        "loan",
        "circulation-storage.loans",
    )
    .satisfying(&["7.4"])
    .route(
        Method::GET,
        "/loan-storage/loan-history",
        "circulation-storage.loans-history.collection.get",
        Handler::call(loan_history::list),
    )
    .answering(Content::List("audit_loan"))
    .route(
        Method::POST,
        "/loan-storage/loans/anonymize/{userId}",
        "circulation-storage.loans.anonymize.execute",
        with(cache, anonymization::stored_loans_of_user),
    )
}

/// Check-ins are never changed.
fn check_ins() -> Interface {
    let (path, table, stem) = (
        "/check-in-storage/check-ins",
        "check_in",
        "check-in-storage.check-ins",
    );
    Interface::new("check-in-storage", "0.2")
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::create(table),
        )
}

fn sessions() -> Interface {
    plain(
        "patron-action-session-storage",
        "0.3",
        "/patron-action-session-storage/patron-action-sessions",
        "patron_action_session",
        "patron-action-session-storage.patron-action-sessions",
    )
    .route(
        Method::GET,
        "/patron-action-session-storage/expired-session-patron-ids",
        "patron-action-session-storage.expired-session-patron-ids.collection.get",
        Handler::call(visits::expired_patrons),
    )
}

fn policies() -> Vec<Interface> {
    vec![clearable(
        "fixed-due-date-schedules-storage",
        "2.0",
        "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
        "fixed_due_date_schedule",
        "circulation-storage.fixed-due-date-schedules",
    )]
}

fn requests() -> Vec<Interface> {
    vec![
        request_storage(),
        plain(
            "request-preference-storage",
            "2.0",
            "/request-preference-storage/request-preference",
            "user_request_preference",
            "circulation-storage.request-preferences",
        ),
        clearable(
            "cancellation-reason-storage",
            "1.2",
            "/cancellation-reason-storage/cancellation-reasons",
            "cancellation_reason",
            "circulation-storage.cancellation-reasons",
        ),
        plain(
            "tlr-feature-toggle-job-storage",
            "0.1",
            "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs",
            "tlr_feature_toggle_job",
            "tlr-feature-toggle-job-storage.tlr-feature-toggle-jobs",
        ),
    ]
}

fn request_storage() -> Interface {
    let (path, table, stem) = (
        "/request-storage/requests",
        "request",
        "circulation-storage.requests",
    );
    Interface::new("request-storage", "6.2")
        .records(path, table, stem)
        .hooked(path, &stored_requests::HOOKS)
        .clear(path, table, &format!("{stem}.collection.delete"))
}

fn desk(cache: &Arc<ConfigCache>) -> Vec<Interface> {
    vec![
        scheduled_notices(),
        settings(cache),
        plain(
            "actual-cost-record-storage",
            "0.9",
            "/actual-cost-record-storage/actual-cost-records",
            "actual_cost_record",
            "actual-cost-record-storage.actual-cost-records",
        ),
    ]
}

/// Here a query is asked for.
fn scheduled_notices() -> Interface {
    let (path, table, stem) = (
        "/scheduled-notice-storage/scheduled-notices",
        "scheduled_notice",
        "scheduled-notice-storage.scheduled-notices",
    );
    plain("scheduled-notice-storage", "0.6", path, table, stem).delete_by_query(
        path,
        table,
        &format!("{stem}.collection.delete"),
    )
}

/// A setting whose name is taken gets the new value.
fn settings(cache: &Arc<ConfigCache>) -> Interface {
    let (path, table, stem) = (
        "/circulation-settings-storage/circulation-settings",
        "circulation_settings",
        "circulation-storage.circulation-settings",
    );
    Interface::new("circulation-settings-storage", "1.0")
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            with(cache, stored::store),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete(table),
        )
}
