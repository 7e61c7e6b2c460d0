//! The fields that a mapping profile may take values from, by FOLIO's ids and paths. A field that
//! depends on a list applies to each of its entries.

use serde_json::{Value, json};

use super::references::{List, References};

/// One field a line: for which records (I, H, T), id, path within the record, list.
const FIELDS: &str = include_str!("fields.tsv");

/// The record types with the mark in the table, the word in ids, and where their paths begin.
const TYPES: [(char, &str, &str, &str); 3] = [
    ('I', "INSTANCE", "instance", "$.instance"),
    ('H', "HOLDINGS", "holdings", "$.holdings[*]"),
    ('T', "ITEM", "item", "$.holdings[*].items[*]"),
];

/// All of them in the order of their ids, as FOLIO shows them.
#[must_use]
pub fn transformation_fields(references: &References) -> Vec<Value> {
    let mut fields = Vec::new();
    for line in FIELDS.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kinds, name, path, list] = columns[..] else {
            continue;
        };
        for (mark, record_type, word, root) in TYPES {
            if !kinds.contains(mark) {
                continue;
            }
            let field = |id: String, path: String, value: Option<&str>| {
                let mut field = json!({
                    "fieldId": id, "displayNameKey": format!("{word}.{name}"), "path": path,
                    "recordType": record_type,
                });
                if let Some(value) = value {
                    field["referenceDataValue"] = json!(value);
                }
                field
            };
            let id = format!("{word}.{}", name.to_lowercase());
            let path = format!("{root}{path}");
            let known = List::ALL.iter().find(|(_, table)| *table == list);
            match known {
                None => fields.push(field(id, path, None)),
                Some((list, _)) => fields.extend(references.sorted(*list).into_iter().map(
                    |(entry_id, entry)| {
                        let suffix = entry.name.to_lowercase().replace(' ', ".");
                        let path = path.replace("{id}", entry_id);
                        field(format!("{id}.{suffix}"), path, Some(&entry.name))
                    },
                )),
            }
        }
    }
    fields.sort_by(|one, other| one["fieldId"].as_str().cmp(&other["fieldId"].as_str()));
    fields
}

#[cfg(test)]
mod tests {
    use super::super::path::Path;
    use super::super::references::Entry;
    use super::*;

    #[test]
    fn every_field_has_a_path_that_can_be_followed() {
        let mut references = References::default();
        for (list, _) in List::ALL {
            let entry = Entry {
                name: "A Name".to_owned(),
                ..Entry::default()
            };
            references.add(
                list,
                "9d18a02f-5897-4c31-9106-c9abb5c7ae8b".to_owned(),
                entry,
            );
        }
        let fields = transformation_fields(&references);
        assert_eq!(
            fields.len(),
            FIELDS
                .lines()
                .skip(1)
                .map(|line| line.split('\t').next().unwrap_or_default().len())
                .sum::<usize>()
        );
        for field in &fields {
            let path = field["path"].as_str().unwrap();
            assert!(Path::parse(path).is_ok(), "{path}");
        }
        let named = |id: &str| fields.iter().find(|field| field["fieldId"] == id);
        let title = named("instance.alternativetitletypename.a.name").unwrap();
        assert_eq!(title["displayNameKey"], "instance.alternativeTitleTypeName");
        assert_eq!(title["referenceDataValue"], "A Name");
        assert_eq!(
            named("item.barcode").unwrap()["path"],
            "$.holdings[*].items[*].barcode"
        );
    }
}
