//! mod-circulation-storage with its generic routes.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, ReferenceData};

use crate::business_routes::{circulation_rules_storage, mod_circulation};
use crate::collections as own;
use crate::rules_book::RulesBook;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    // One set of compiled rules for all routes that use them.
    let book = Arc::new(RulesBook::default());
    vec![mod_circulation_storage(&book), mod_circulation(&book)]
}

fn mod_circulation_storage(book: &Arc<RulesBook>) -> Module {
    let module = Module::new("mod-circulation-storage", "17.4.0")
        .permissions(include_str!("permissions/mod-circulation-storage.tsv"))
        .collection(own::fixed_due_date_schedules())
        .collection(own::loan_policies())
        .collection(own::request_policies())
        .collection(own::patron_notice_policies())
        .collection(own::circulation_rules())
        .collection(own::cancellation_reasons())
        .collection(own::loans())
        .collection(own::loan_history())
        .collection(own::requests())
        .collection(own::request_preferences())
        .collection(own::staff_slips())
        .collection(own::check_ins())
        .collection(own::patron_action_sessions())
        .collection(own::scheduled_notices())
        .collection(own::circulation_settings())
        .collection(own::check_out_locks())
        .collection(own::actual_cost_records())
        .collection(own::title_level_requests_jobs())
        .migration("loan_history", include_str!("migrations/loan_history.sql"))
        .migration(
            "closed_pickup",
            include_str!("migrations/closed_pickup.sql"),
        )
        .migration(
            "one_rules_record",
            include_str!("migrations/one_rules_record.sql"),
        );
    let module = reference_data().into_iter().fold(module, Module::reference);
    interfaces(book).into_iter().fold(module, Module::interface)
}

fn reference_data() -> Vec<ReferenceData> {
    vec![
        ReferenceData::json("loan_policy", include_str!("reference/loan_policy.json")),
        ReferenceData::tsv(
            "request_policy",
            include_str!("reference/request_policy.tsv"),
        ),
        ReferenceData::tsv(
            "patron_notice_policy",
            include_str!("reference/patron_notice_policy.tsv"),
        ),
        ReferenceData::json(
            "circulation_rules",
            include_str!("reference/circulation_rules.json"),
        )
        .essential(),
        ReferenceData::tsv(
            "cancellation_reason",
            include_str!("reference/cancellation_reason.tsv"),
        ),
        ReferenceData::tsv("staff_slips", include_str!("reference/staff_slips.tsv")),
        ReferenceData::tsv(
            "circulation_settings",
            include_str!("reference/circulation_settings.tsv"),
        ),
    ]
}

fn interfaces(book: &Arc<RulesBook>) -> Vec<Interface> {
    let mut interfaces = vec![
        loans(),
        check_ins(),
        sessions(),
        circulation_rules_storage(book),
    ];
    interfaces.extend(policies());
    interfaces.extend(requests());
    interfaces.extend(desk());
    interfaces
}

/// An interface with FOLIO's five routes for one collection, and DELETE by query where asked.
fn plain(
    id: &'static str,
    version: &'static str,
    path: &'static str,
    table: &'static str,
    stem: &str,
) -> Interface {
    Interface::new(id, version).records(path, table, stem)
}

fn clearable(
    id: &'static str,
    version: &'static str,
    path: &'static str,
    table: &'static str,
    stem: &str,
) -> Interface {
    plain(id, version, path, table, stem).delete_by_query(
        path,
        table,
        &format!("{stem}.collection.delete"),
    )
}

fn loans() -> Interface {
    clearable(
        "loan-storage",
        "7.4",
        "/loan-storage/loans",
        "loan",
        "circulation-storage.loans",
    )
    .route(
        Method::GET,
        "/loan-storage/loan-history",
        "circulation-storage.loans-history.collection.get",
        Handler::list("audit_loan"),
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
}

fn policies() -> Vec<Interface> {
    vec![
        clearable(
            "loan-policy-storage",
            "2.4",
            "/loan-policy-storage/loan-policies",
            "loan_policy",
            "circulation-storage.loan-policies",
        ),
        clearable(
            "fixed-due-date-schedules-storage",
            "2.0",
            "/fixed-due-date-schedule-storage/fixed-due-date-schedules",
            "fixed_due_date_schedule",
            "circulation-storage.fixed-due-date-schedules",
        ),
        clearable(
            "request-policy-storage",
            "1.0",
            "/request-policy-storage/request-policies",
            "request_policy",
            "circulation-storage.request-policies",
        ),
        plain(
            "patron-notice-policy-storage",
            "0.13",
            "/patron-notice-policy-storage/patron-notice-policies",
            "patron_notice_policy",
            "circulation-storage.patron-notice-policies",
        ),
    ]
}

fn requests() -> Vec<Interface> {
    vec![
        clearable(
            "request-storage",
            "6.2",
            "/request-storage/requests",
            "request",
            "circulation-storage.requests",
        ),
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

fn desk() -> Vec<Interface> {
    vec![
        clearable(
            "staff-slips-storage",
            "1.1",
            "/staff-slips-storage/staff-slips",
            "staff_slips",
            "circulation-storage.staff-slips",
        ),
        clearable(
            "scheduled-notice-storage",
            "0.6",
            "/scheduled-notice-storage/scheduled-notices",
            "scheduled_notice",
            "scheduled-notice-storage.scheduled-notices",
        ),
        plain(
            "circulation-settings-storage",
            "1.0",
            "/circulation-settings-storage/circulation-settings",
            "circulation_settings",
            "circulation-storage.circulation-settings",
        ),
        plain(
            "actual-cost-record-storage",
            "0.9",
            "/actual-cost-record-storage/actual-cost-records",
            "actual_cost_record",
            "actual-cost-record-storage.actual-cost-records",
        ),
    ]
}
