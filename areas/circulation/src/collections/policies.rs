//! The circulation rules and the policies they choose from.

use octavo_records::{Collection, Index};

/// Fixed due date schedules.
#[must_use]
pub fn fixed_due_date_schedules() -> Collection {
    Collection::new(
        "fixed_due_date_schedule",
        "fixedDueDateSchedules",
        include_str!("../shapes/fixed_due_date_schedule.shape"),
    )
    .reads_cached()
    .upsert()
    .index(Index::unique("name"))
}

/// Loan policies.
#[must_use]
pub fn loan_policies() -> Collection {
    Collection::new(
        "loan_policy",
        "loanPolicies",
        include_str!("../shapes/loan_policy.shape"),
    )
    .reads_cached()
    .path_id_wins()
    .upsert()
    .reference(
        "loansPolicy.fixedDueDateScheduleId",
        "fixed_due_date_schedule",
    )
    .reference(
        "renewalsPolicy.alternateFixedDueDateScheduleId",
        "fixed_due_date_schedule",
    )
}

/// Request policies.
#[must_use]
pub fn request_policies() -> Collection {
    Collection::new(
        "request_policy",
        "requestPolicies",
        include_str!("../shapes/request_policy.shape"),
    )
    .reads_cached()
    .path_id_wins()
    .listed_conflicts()
    .upsert()
    .index(Index::unique("name"))
}

/// Patron notice policies.
#[must_use]
pub fn patron_notice_policies() -> Collection {
    Collection::new(
        "patron_notice_policy",
        "patronNoticePolicies",
        include_str!("../shapes/patron_notice_policy.shape"),
    )
    .reads_cached()
    .path_id_wins()
    .listed_conflicts()
    .index(Index::unique("name"))
}

/// The rules of the tenant: one record, kept single by this area's migration `one_rules_record`.
#[must_use]
pub fn circulation_rules() -> Collection {
    Collection::new(
        "circulation_rules",
        "circulationRules",
        include_str!("../shapes/circulation_rules.shape"),
    )
    .events("circulation.rules")
}
