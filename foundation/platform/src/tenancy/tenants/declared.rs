//! Checksums of everything that a tenant's upgrade depends on: processes of the same release
//! compute the same, and a tenant with these checksums needs no upgrade.

use std::collections::BTreeMap;

use octavo_postgres::checksum;
use octavo_records::{Store, Tenant};

use crate::module::Module;

/// Changes when the procedure of the upgrade changes.
const WAY: &str = "1";

/// The steps of modules that every tenant runs, once each. The queue of jobs is before them: they put jobs of
/// earlier releases into it.
#[must_use]
pub fn steps(modules: &[Module]) -> Vec<(&'static str, &'static str)> {
    let own = modules.iter().flat_map(|module| &module.migrations);
    octavo_jobs::STEPS.iter().chain(own).copied().collect()
}

/// The checksums of what modules declare.
#[derive(Debug)]
pub(super) struct Declared {
    /// Of all declarations together.
    pub fingerprint: String,
    /// Of the reference data, by table.
    pub reference: BTreeMap<&'static str, String>,
}

impl Declared {
    pub fn of(store: &Store, modules: &[Module]) -> Declared {
        let steps = steps(modules);
        let anyone = Tenant::new("tenant").expect("invariant: the id is well formed");
        let mut text = format!("{WAY}\n{}", store.outline(&anyone, &steps));
        let mut sources: BTreeMap<&'static str, String> = BTreeMap::new();
        for data in modules.iter().flat_map(|module| &module.reference) {
            sources
                .entry(data.table)
                .or_default()
                .push_str(&data.source());
        }
        let reference: BTreeMap<_, _> = sources
            .into_iter()
            .map(|(table, source)| (table, checksum(&source)))
            .collect();
        for (table, sum) in &reference {
            text.push_str(&format!("reference {table} {sum}\n"));
        }
        for module in modules.iter().filter(|one| !one.permissions.is_empty()) {
            text.push_str(&format!("{} {:?}\n", module.id(), module.permissions));
        }
        Declared {
            fingerprint: checksum(&text),
            reference,
        }
    }
}
