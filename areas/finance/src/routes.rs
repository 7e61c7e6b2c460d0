//! The modules of this area.

use octavo_platform::{Module, ReferenceData};

use crate::collections;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![storage()]
}

fn storage() -> Module {
    let module = Module::new("mod-finance-storage", "8.8.7")
        .needs(include_str!("needs/mod-finance-storage.tsv"))
        .permissions(include_str!("permissions/mod-finance-storage.tsv"));
    collections::all()
        .into_iter()
        .fold(module, Module::collection)
        .reference(ReferenceData::tsv(
            "expense_class",
            include_str!("reference/expense_class.tsv"),
        ))
        .reference(ReferenceData::tsv(
            "fund_type",
            include_str!("reference/fund_type.tsv"),
        ))
}
