//! The modules of this area: mod-circulation-storage with its collections, and mod-circulation.

use std::sync::Arc;

use axum::response::Response;
use octavo_platform::{ApiError, Call, Handler, Module, ReferenceData};

use crate::collections as own;
use crate::config_cache::ConfigCache;
use crate::shapes;

mod actual_cost;
mod around_requests;
mod audit;
mod circulation;
mod desk;
mod loan_acts;
mod loss;
mod policies;
mod request_changes;
mod rules;
mod scan;
mod storage;

pub use actual_cost::actual_cost_fee_fine;
pub use audit::circulation_log;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    // One cache for all routes.
    let cache = Arc::new(ConfigCache::default());
    let circulation = loss::extend(circulation::module(&cache), &cache);
    let circulation = around_requests::extend(circulation, &cache);
    shapes::declared(vec![mod_circulation_storage(&cache), circulation])
}

fn mod_circulation_storage(cache: &Arc<ConfigCache>) -> Module {
    let module = Module::new("mod-circulation-storage", "17.4.3")
        .needs(include_str!("../needs/mod-circulation-storage.tsv"))
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
        .collection(own::print_events());
    let module = steps()
        .into_iter()
        .fold(module, |module, (name, sql)| module.migration(name, sql));
    let module = reference_data().into_iter().fold(module, Module::reference);
    let module = desk::storage(module, cache);
    storage::interfaces(cache)
        .into_iter()
        .fold(module, Module::interface)
}

/// The migrations of a tenant's tables, in this order. Released steps never change.
fn steps() -> Vec<(&'static str, &'static str)> {
    macro_rules! steps {
        ($($name:literal),+ $(,)?) => {
            vec![$(($name, include_str!(concat!("../migrations/", $name, ".sql")))),+]
        };
    }
    steps![
        "loan_history",
        "closed_pickup",
        "house_version",
        "one_rules_record",
        "patron_loan",
        "house_version_of_request_policies",
        "request_policies_lose_points",
        "request_places",
        "house_settings",
        "notice_policies_version",
        "house_entries",
        "house_entry_of_lock",
        "desk_facts",
        "desk_writes",
        "lean_triggers",
        "lean_indexes",
        "log_patrons",
        "request_served",
        "lean_request_indexes",
        "request_views",
        "short_queue",
        "log_records",
        "log_of_fees",
    ]
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
        ReferenceData::tsv("staff_slips", include_str!("../reference/staff_slips.tsv")).essential(),
    ]
}

/// A handler that uses the cache.
fn with<F, R>(cache: &Arc<ConfigCache>, function: F) -> Handler
where
    F: Fn(Arc<ConfigCache>, Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let cache = Arc::clone(cache);
    Handler::transaction(move |call| function(Arc::clone(&cache), call))
}
