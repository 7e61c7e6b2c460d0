//! The record types of circulation. Tables, indexes and shapes only: no routes and no decisions.
//!
//! Users, items and policies of other areas are named by id without a foreign key, as in FOLIO,
//! so that a closed loan outlives what it names.

mod desk;
mod journal;
mod loans;
mod policies;
mod requests;

pub use desk::{
    actual_cost_records, check_ins, check_out_locks, circulation_settings, digests, due_notices,
    expiring_actual_costs, patron_action_sessions, print_events, reminders, scheduled_notices,
    staff_slips, title_level_requests_jobs,
};
pub use journal::{PATRONS, barcode_parts, circulation_logs};
pub use loans::{CLOSED_WITH_BORROWER, WHEN_CLOSED, aging, billing, loan_history, loans};
pub use policies::{
    circulation_rules, fixed_due_date_schedules, loan_policies, patron_notice_policies,
    request_policies,
};
pub use requests::{
    CLOSED_WITH_REQUESTER, OPEN, QUEUE_OF_ITEM, QUEUE_OF_TITLE, WHEN_ENDED, WHEN_EXPIRED,
    cancellation_reasons, request_preferences, requests, waiting,
};
