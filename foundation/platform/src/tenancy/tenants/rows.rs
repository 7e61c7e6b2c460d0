//! The rows that modules load into a tenant: those that it always has, and the reference data. What
//! was loaded is recorded by table, so that a row which the library deleted is not loaded again.

use std::collections::{BTreeMap, HashMap};

use octavo_records::{Store, StoreError, Tenant};
use serde_json::Value;

use crate::module::Module;
use crate::reference::ReferenceData;

/// The checksums of the reference data that was loaded, by table.
pub(super) type GivenChecksums = HashMap<String, String>;

/// The prefix of the checksum where only the rows that a tenant always has were loaded.
const ALWAYS: &str = "always ";

/// How much of a table's reference data is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceScope {
    /// Updates of what was loaded before; otherwise only the rows that a tenant always has.
    AsBefore,
    /// All, if it was not loaded before.
    All,
    /// All, even if it was loaded before and may have been deleted.
    Again,
}

/// Gives a tenant the rows of modules, all or none; says which tables were given what.
pub(super) async fn write_rows(
    store: &Store,
    tenant: &Tenant,
    modules: impl Iterator<Item = &Module>,
    checksums: &BTreeMap<&'static str, String>,
    wanted: ReferenceScope,
    given: &GivenChecksums,
) -> Result<GivenChecksums, StoreError> {
    let mut now = GivenChecksums::new();
    let mut seeds = Vec::new();
    for data in modules.flat_map(|module| &module.reference) {
        let checksum = &checksums[data.table];
        let Some(mark) = due(data, checksum, wanted, given.get(data.table)) else {
            continue;
        };
        let collection = store.catalog.get(data.table).ok_or_else(|| {
            StoreError::fault(format!("reference data for unknown table {}", data.table))
        })?;
        let records = match mark.starts_with(ALWAYS) {
            true => data.always_records(collection),
            false => data.records(collection),
        };
        let records = records.map_err(|error| StoreError::fault(error))?;
        let records = records.into_iter().filter_map(|record| match record {
            Value::Object(record) => Some(record),
            _ => None,
        });
        seeds.push((&**collection, records.collect::<Vec<_>>()));
        now.insert(data.table.to_owned(), mark);
    }
    store.seed(tenant, seeds).await?;
    Ok(now)
}

/// The record of a table's loaded rows; `None` when nothing is to be loaded.
fn due(
    data: &ReferenceData,
    checksum: &str,
    wanted: ReferenceScope,
    given: Option<&String>,
) -> Option<String> {
    let had_all = given.is_some_and(|mark| !mark.starts_with(ALWAYS));
    let all = had_all || data.is_essential() || wanted != ReferenceScope::AsBefore;
    let mark = match all {
        true => checksum.to_owned(),
        false if data.has_always() => format!("{ALWAYS}{checksum}"),
        false => return None,
    };
    let again = wanted == ReferenceScope::Again && !data.is_essential();
    (again || given != Some(&mark)).then_some(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_once_and_reference_data_when_it_is_wanted() {
        use ReferenceScope::{Again, All, AsBefore};
        let plain = ReferenceData::tsv("a", "");
        let some = ReferenceData::tsv("a", "").always(&["1"]);
        let essential = ReferenceData::tsv("a", "").essential();
        for (data, wanted, given, expected) in [
            (&plain, AsBefore, None, None),
            (&plain, All, None, Some("new")),
            (&plain, All, Some("new"), None),
            (&plain, Again, Some("new"), Some("new")),
            // What was loaded once is updated.
            (&plain, AsBefore, Some("old"), Some("new")),
            (&some, AsBefore, None, Some("always new")),
            (&some, AsBefore, Some("always new"), None),
            (&some, AsBefore, Some("always old"), Some("always new")),
            (&some, All, Some("always new"), Some("new")),
            (&some, AsBefore, Some("new"), None),
            (&essential, AsBefore, None, Some("new")),
            (&essential, All, Some("new"), None),
            // A record that the library deleted is not loaded again.
            (&essential, Again, Some("new"), None),
        ] {
            let given = given.map(str::to_owned);
            let mark = due(data, "new", wanted, given.as_ref());
            assert_eq!(mark.as_deref(), expected, "{data:?} {wanted:?} {given:?}");
        }
    }
}
