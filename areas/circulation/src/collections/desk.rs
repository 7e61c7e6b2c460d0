//! Record types of the desk: slips, check-ins, sessions, notices, settings.

use octavo_records::{Collection, Index};

/// The slips that are printed at the desk.
#[must_use]
pub fn staff_slips() -> Collection {
    Collection::new(
        "staff_slips",
        "staffSlips",
        include_str!("../shapes/staff_slips.shape"),
    )
    .reads_cached()
    .path_id_wins()
    .plain_conflicts()
    .index(Index::unique("name"))
}

/// Every check-in, with or without a loan.
#[must_use]
pub fn check_ins() -> Collection {
    Collection::new(
        "check_in",
        "checkIns",
        include_str!("../shapes/check_in.shape"),
    )
    .events("circulation.check-in")
}

/// The entries of patron action sessions, until they end.
#[must_use]
pub fn patron_action_sessions() -> Collection {
    Collection::new(
        "patron_action_session",
        "patronActionSessions",
        include_str!("../shapes/patron_action_session.shape"),
    )
    .listed_conflicts()
    .index(Index::plain("patronId").keep_accents())
    .index(Index::plain("metadata.createdDate").keep_accents())
}

/// The notices that are due to be sent.
#[must_use]
pub fn scheduled_notices() -> Collection {
    Collection::new(
        "scheduled_notice",
        "scheduledNotices",
        include_str!("../shapes/scheduled_notice.shape"),
    )
    .listed_conflicts()
    // The timers' own indexes begin with event and flag.
    .index(Index::plain("nextRunTime").keep_accents().on_demand())
    .index(
        Index::plain("noticeConfig.sendInRealTime")
            .keep_accents()
            .on_demand(),
    )
    .index(Index::plain("triggeringEvent").keep_accents().on_demand())
    .index(Index::plain("requestId").keep_accents())
    .index(Index::plain("loanId").keep_accents())
    .index(reminders())
    .index(due_notices())
    .index(digests())
}

/// Reminder notices by due time and id, for the timer of reminders.
#[must_use]
pub fn reminders() -> Index {
    Index::plain("reminders")
        .case_sensitive()
        .keep_accents()
        .expression("(jsonb->>'nextRunTime') || ' ' || (jsonb->>'id')")
        .when(
            "jsonb->>'triggeringEvent' = 'Due date - with reminder fee' \
             AND jsonb->'noticeConfig'->>'sendInRealTime' = 'true'",
        )
}

/// Notices other than reminders by event, real-time flag, due time and id, for the timers that send
/// them.
#[must_use]
pub fn due_notices() -> Index {
    Index::plain("due")
        .case_sensitive()
        .keep_accents()
        .expression(
            "(jsonb->>'triggeringEvent') || ' ' \
             || (jsonb->'noticeConfig'->>'sendInRealTime') || ' ' \
             || (jsonb->>'nextRunTime') || ' ' || (jsonb->>'id')",
        )
        .when("jsonb->>'triggeringEvent' <> 'Due date - with reminder fee'")
}

/// Digest notices by patron.
#[must_use]
pub fn digests() -> Index {
    Index::plain("digests")
        .case_sensitive()
        .keep_accents()
        .expression("coalesce(jsonb->>'recipientUserId', '')")
        .when(
            "jsonb->'noticeConfig'->>'sendInRealTime' = 'false' \
             OR jsonb->>'triggeringEvent' IN ('Overdue fine returned', 'Overdue fine renewed')",
        )
}

#[must_use]
pub fn circulation_settings() -> Collection {
    Collection::new(
        "circulation_settings",
        "circulationSettings",
        include_str!("../shapes/circulation_settings.shape"),
    )
    .listed_conflicts()
    .events("circulation.circulation-settings")
    .index(Index::unique("name"))
}

/// The check-out locks; a patron has at most one.
#[must_use]
pub fn check_out_locks() -> Collection {
    Collection::new(
        "check_out_lock",
        "checkoutLocks",
        include_str!("../shapes/check_out_lock.shape"),
    )
    .index(Index::unique("userId").keep_accents())
}

/// The print events of requests.
#[must_use]
pub fn print_events() -> Collection {
    Collection::new(
        "print_events",
        "printEvents",
        include_str!("../shapes/print_events.shape"),
    )
    .index(Index::plain("requestId").case_sensitive().keep_accents())
}

/// The actual cost records of lost items.
#[must_use]
pub fn actual_cost_records() -> Collection {
    Collection::new(
        "actual_cost_record",
        "actualCostRecords",
        include_str!("../shapes/actual_cost_record.shape"),
    )
    .listed_conflicts()
    .index(Index::plain("loan.id").keep_accents())
    .index(Index::plain("lossType"))
    .index(Index::plain("lossDate").keep_accents())
    .index(Index::plain("expirationDate").keep_accents())
    .index(Index::plain("status"))
    .index(Index::plain("feeFine.type"))
    .index(Index::plain("feeFine.owner"))
    .index(Index::plain("item.permanentLocation"))
    .index(Index::plain("instance.title"))
    .index(Index::full_text("instance.title"))
    .index(Index::full_text("user.firstName"))
    .index(Index::full_text("user.lastName"))
    .index(expiring_actual_costs())
}

/// Open records by expiration and id, for the timer that expires them.
#[must_use]
pub fn expiring_actual_costs() -> Index {
    Index::plain("expiring")
        .case_sensitive()
        .keep_accents()
        .expression("(jsonb->>'expirationDate') || ' ' || (jsonb->>'id')")
        .when("jsonb->>'status' = 'Open'")
}

/// The jobs that switch queues to or from title level requests.
#[must_use]
pub fn title_level_requests_jobs() -> Collection {
    Collection::new(
        "tlr_feature_toggle_job",
        "tlrFeatureToggleJobs",
        include_str!("../shapes/tlr_feature_toggle_job.shape"),
    )
    .listed_conflicts()
}
