//! The modules of this area.

use octavo_platform::{Module, ReferenceData};

use crate::collections;
use crate::shapes;

mod business;
mod storage;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![mod_finance_storage(), mod_finance()])
}

fn mod_finance_storage() -> Module {
    let module = Module::new("mod-finance-storage", "8.8.7")
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
}

fn mod_finance() -> Module {
    let module = Module::new("mod-finance", "5.1.2")
        .reads("acquisitions_unit acquisitions_unit_membership config_data")
        .needs(include_str!("../needs/mod-finance.tsv"))
        .permissions(include_str!("../permissions/mod-finance.tsv"));
    let interfaces = business::interfaces().into_iter();
    let interfaces = interfaces.chain(business::rollover_records());
    interfaces.fold(module, Module::interface)
}
