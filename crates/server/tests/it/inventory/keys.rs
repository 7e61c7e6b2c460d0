//! The unique and the foreign keys of inventory are those of FOLIO's release: `keys.tsv`.

use std::collections::BTreeSet;

use octavo_records::IndexKind;

type Key = (String, &'static str, String, String);

/// Declared in FOLIO on properties that the records do not have, so that they never hold.
const NEVER_HOLD: [(&str, &str); 2] = [
    ("instance", "instanceStatusId"),
    ("statistical_code_type", "code"),
];

fn theirs() -> BTreeSet<Key> {
    let rows = include_str!("keys.tsv").lines().skip(1);
    let key = |row: &str| {
        let cells: Vec<&str> = row.split('\t').collect();
        let kind = match cells[1] {
            "unique" => "unique",
            _ => "foreign",
        };
        let [table, properties, of] = [0, 2, 3].map(|at| cells[at].to_owned());
        (table, kind, properties, of)
    };
    rows.map(key)
        .filter(|(table, _, property, _)| {
            !NEVER_HOLD.contains(&(table.as_str(), property.as_str()))
        })
        .collect()
}

fn ours(tables: &BTreeSet<String>) -> BTreeSet<Key> {
    let mut keys = BTreeSet::new();
    for module in octavo_inventory::modules() {
        for collection in &module.collections {
            let table = &collection.table;
            if !tables.contains(table) {
                // What came with later releases, and what is ours.
                continue;
            }
            for index in &collection.indexes {
                if index.kind != IndexKind::UniqueIndex {
                    continue;
                }
                let properties = std::iter::once(&index.field).chain(&index.with);
                let properties: Vec<&str> = properties.map(String::as_str).collect();
                let accents = if index.remove_accents {
                    ""
                } else {
                    "with accents"
                };
                keys.insert((
                    table.clone(),
                    "unique",
                    properties.join(" "),
                    accents.to_owned(),
                ));
            }
            for reference in &collection.references {
                let (field, to) = (reference.field.clone(), reference.table.clone());
                keys.insert((table.clone(), "foreign", field, to));
            }
        }
    }
    keys
}

#[test]
fn keys_are_those_of_the_release() {
    let theirs = theirs();
    let tables = theirs.iter().map(|key| key.0.clone()).collect();
    let ours = ours(&tables);
    let lacking: Vec<_> = theirs.difference(&ours).collect();
    let more: Vec<_> = ours.difference(&theirs).collect();
    assert!(
        lacking.is_empty() && more.is_empty(),
        "{lacking:?} {more:?}"
    );
}
