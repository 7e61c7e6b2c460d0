//! The modules of this area: mod-circulation-storage with its collections, and mod-circulation.

use std::sync::Arc;

use axum::response::Response;
use octavo_platform::{ApiError, Call, Handler, Module, ReferenceData};

use crate::books::Books;
use crate::collections as own;

mod actual_cost;
mod audit;
mod circulation;
mod desk;
mod loan_acts;
mod loss;
mod rules;
mod storage;

pub use actual_cost::actual_cost_fee_fine;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    // One set of compiled rules for all routes that use them.
    let books = Arc::new(Books::default());
    let circulation = loss::extend(circulation::module(&books), &books);
    vec![
        mod_circulation_storage(&books),
        circulation,
        audit::module(),
    ]
}

fn mod_circulation_storage(books: &Arc<Books>) -> Module {
    let module = Module::new("mod-circulation-storage", "17.4.0")
        .permissions(include_str!("../permissions/mod-circulation-storage.tsv"))
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
        .collection(own::print_events())
        .migration(
            "loan_history",
            include_str!("../migrations/loan_history.sql"),
        )
        .migration(
            "closed_pickup",
            include_str!("../migrations/closed_pickup.sql"),
        )
        .migration(
            "house_version",
            include_str!("../migrations/house_version.sql"),
        )
        .migration(
            "one_rules_record",
            include_str!("../migrations/one_rules_record.sql"),
        )
        .migration(
            "notice_policies_version",
            include_str!("../migrations/notice_policies_version.sql"),
        );
    let module = reference_data().into_iter().fold(module, Module::reference);
    let module = desk::storage(module, books);
    storage::interfaces(books)
        .into_iter()
        .fold(module, Module::interface)
}

fn reference_data() -> Vec<ReferenceData> {
    vec![
        ReferenceData::json("loan_policy", include_str!("../reference/loan_policy.json")),
        ReferenceData::tsv(
            "request_policy",
            include_str!("../reference/request_policy.tsv"),
        ),
        ReferenceData::tsv(
            "patron_notice_policy",
            include_str!("../reference/patron_notice_policy.tsv"),
        ),
        ReferenceData::json(
            "circulation_rules",
            include_str!("../reference/circulation_rules.json"),
        )
        .essential(),
        ReferenceData::tsv(
            "cancellation_reason",
            include_str!("../reference/cancellation_reason.tsv"),
        ),
        ReferenceData::tsv("staff_slips", include_str!("../reference/staff_slips.tsv")),
        ReferenceData::tsv(
            "circulation_settings",
            include_str!("../reference/circulation_settings.tsv"),
        ),
    ]
}

/// A handler that uses what is kept in memory.
fn with<F, R>(books: &Arc<Books>, function: F) -> Handler
where
    F: Fn(Arc<Books>, Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let books = Arc::clone(books);
    Handler::transaction(move |call| function(Arc::clone(&books), call))
}
