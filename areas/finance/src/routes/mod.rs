//! The modules of this area.

use std::sync::Arc;

use octavo_platform::{Module, ReferenceData};

use crate::app::rollover::Rollovers;
use crate::collections;
use crate::rollover_followers::{Follower, NoOrders};
use crate::shapes;

mod business;
mod rollover_records;
mod rollovers;
mod storage;

/// The modules of this area, for a product without orders.
#[must_use]
pub fn modules() -> Vec<Module> {
    modules_with(Arc::new(NoOrders))
}

/// The modules of this area. `follower` adapts orders when a ledger is rolled over.
#[must_use]
pub fn modules_with(follower: Arc<dyn Follower>) -> Vec<Module> {
    let work = Arc::new(Rollovers { follower });
    shapes::declared(vec![mod_finance_storage(&work), mod_finance(&work)])
}

fn mod_finance_storage(work: &Arc<Rollovers>) -> Module {
    let module = Module::new("mod-finance-storage", "8.8.7")
        .reads("users")
        .writes("email_statistics")
        .needs(include_str!("../needs/mod-finance-storage.tsv"))
        .permissions(include_str!("../permissions/mod-finance-storage.tsv"));
    let collections = collections::all().into_iter();
    let module = collections
        .fold(module, Module::collection)
        .emptying("job_number")
        .migration("job_number", include_str!("../migrations/job_number.sql"))
        .migration("finance_views", include_str!("../migrations/views.sql"))
        .reference(ReferenceData::tsv(
            "expense_class",
            include_str!("../reference/expense_class.tsv"),
        ))
        .reference(ReferenceData::tsv(
            "fund_type",
            include_str!("../reference/fund_type.tsv"),
        ));
    storage::interfaces()
        .into_iter()
        .fold(module, Module::interface)
        .interface(rollovers::storage(work))
        .timer(rollovers::timer(work))
}

fn mod_finance(work: &Arc<Rollovers>) -> Module {
    let module = Module::new("mod-finance", "5.1.2")
        .reads("acquisitions_unit acquisitions_unit_membership config_data")
        .needs(include_str!("../needs/mod-finance.tsv"))
        .permissions(include_str!("../permissions/mod-finance.tsv"));
    let interfaces = business::interfaces().into_iter();
    let interfaces = interfaces.chain(rollover_records::interfaces());
    interfaces
        .fold(module, Module::interface)
        .interface(rollovers::business(work))
}
