//! The SQL functions that assign HRIDs: one for each numbered record type.

use octavo_records::expression::key;

use crate::collections;

/// The numbered record types: the function that assigns their HRIDs, their table, and their name in the
/// settings.
const NUMBERED: [(&str, &str, &str); 3] = [
    ("instance_hrids", "instance", "instances"),
    ("holdings_hrids", "holdings_record", "holdings"),
    ("item_hrids", "item", "items"),
];

/// The migrations that create them: name and SQL.
pub(super) fn numbered() -> Vec<(&'static str, &'static str)> {
    let names = [
        "inventory-0002-instance-hrids",
        "inventory-0003-holdings-hrids",
        "inventory-0004-item-hrids",
    ];
    steps(names, include_str!("../migrations/next_hrids.sql"))
}

/// The migrations that let them use the indexes as they are declared now.
pub(super) fn numbered_by_index() -> Vec<(&'static str, &'static str)> {
    let names = [
        "inventory-0010-instance-hrids",
        "inventory-0011-holdings-hrids",
        "inventory-0012-item-hrids",
    ];
    steps(names, include_str!("../migrations/next_hrids_indexed.sql"))
}

fn steps(names: [&'static str; 3], template: &str) -> Vec<(&'static str, &'static str)> {
    let collections = collections::all();
    let step = |(name, (function, table, kind)): (&'static str, (&str, &str, &str))| {
        let indexes = collections
            .iter()
            .filter(|one| one.table == table)
            .flat_map(|one| &one.indexes);
        let index = indexes
            .into_iter()
            .find(|index| index.field == "hrid")
            .expect("invariant: numbered record types have a unique HRID");
        let sql = template
            .replace("{function}", function)
            .replace("{table}", table)
            .replace("{kind}", kind)
            .replace("{key}", &key(index));
        // Declarations live as long as the process.
        (name, &*Box::leak(sql.into_boxed_str()))
    };
    names.into_iter().zip(NUMBERED).map(step).collect()
}
