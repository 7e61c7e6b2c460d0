//! Normalises the lists of a record: always present, since FOLIO's clients rely on it; sets lose
//! duplicates. Entries are stored as sent.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The lists of one record type.
pub struct Lists {
    /// Those that may repeat an entry.
    plain: &'static [&'static str],
    /// Those without duplicates.
    sets: &'static [&'static str],
}

pub static INSTANCE: Lists = Lists {
    plain: &[
        "instanceFormatIds",
        "physicalDescriptions",
        "languages",
        "administrativeNotes",
        "identifiers",
        "contributors",
        "classifications",
        "publication",
        "electronicAccess",
        "notes",
    ],
    sets: &[
        "editions",
        "publicationRange",
        "publicationFrequency",
        "natureOfContentTermIds",
        "statisticalCodeIds",
        "alternativeTitles",
        "series",
        "subjects",
    ],
};

/// The lists of a holdings record. `additionalCallNumbers`, which only later releases of FOLIO have, is
/// not one of them: it is present only if a client sent it.
pub static HOLDINGS: Lists = Lists {
    plain: &[
        "administrativeNotes",
        "electronicAccess",
        "notes",
        "holdingsStatements",
        "holdingsStatementsForIndexes",
        "holdingsStatementsForSupplements",
    ],
    sets: &["formerIds", "statisticalCodeIds"],
};

/// The lists of an item, without `additionalCallNumbers` for the same reason.
pub static ITEM: Lists = Lists {
    plain: &[
        "administrativeNotes",
        "notes",
        "circulationNotes",
        "electronicAccess",
    ],
    sets: &["formerIds", "statisticalCodeIds", "yearCaption"],
};

impl Lists {
    /// Normalises the lists of a record, including its tags.
    pub fn tidy(&self, record: &mut Map<String, Value>) {
        for property in self.plain {
            list(record, property);
        }
        for property in self.sets {
            drop_repeats(list(record, property));
        }
        if let Some(Value::Object(tags)) = record.get_mut("tags") {
            list(tags, "tagList");
        }
    }
}

/// The entries of a list; a record without the list gets an empty one.
fn list<'a>(record: &'a mut Map<String, Value>, property: &str) -> &'a mut Vec<Value> {
    let value = record
        .entry(property)
        .or_insert_with(|| Value::Array(Vec::new()));
    if !value.is_array() {
        *value = Value::Array(Vec::new());
    }
    value
        .as_array_mut()
        .expect("invariant: the value was just made a list")
}

/// Hashes whole values, independently of the order of properties; comparing each pair would be
/// quadratic.
fn drop_repeats(entries: &mut Vec<Value>) {
    let mut seen = HashSet::with_capacity(entries.len());
    entries.retain(|entry| seen.insert(entry.clone()));
}

#[cfg(test)]
mod tests {
    use octavo_records::ValueKind;
    use serde_json::json;

    use super::*;
    use crate::collections;

    #[test]
    fn repeated_entries_of_sets_go_and_missing_lists_come() {
        let mut item = json!({
            "administrativeNotes": ["a", " ", "a"],
            "formerIds": ["b", "", "c", "b", ""],
            "tags": {"tagList": ["urgent", "  ", ""]},
        });
        ITEM.tidy(item.as_object_mut().expect("an object"));
        assert_eq!(
            item,
            json!({
                "administrativeNotes": ["a", " ", "a"],
                "formerIds": ["b", "", "c"],
                "tags": {"tagList": ["urgent", "  ", ""]},
                "statisticalCodeIds": [],
                "yearCaption": [],
                "notes": [],
                "circulationNotes": [],
                "electronicAccess": [],
            })
        );
    }

    #[test]
    fn objects_that_say_the_same_stand_once_where_folio_has_a_set() {
        let mut instance = json!({
            "subjects": [{"value": "a", "typeId": "t"}, {"value": "a"}, {"typeId": "t", "value": "a"}],
            "series": [{"value": "b"}, {"value": "b"}],
            "contributors": [{"name": "c"}, {"name": "c"}],
        });
        INSTANCE.tidy(instance.as_object_mut().expect("an object"));
        let subjects = json!([{"value": "a", "typeId": "t"}, {"value": "a"}]);
        assert_eq!(instance["subjects"], subjects);
        assert_eq!(instance["series"], json!([{"value": "b"}]));
        assert_eq!(instance["contributors"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn the_lists_are_all_those_of_the_shapes() {
        for (table, lists) in [
            ("instance", &INSTANCE),
            ("holdings_record", &HOLDINGS),
            ("item", &ITEM),
        ] {
            let collections = collections::all();
            let collection = collections
                .iter()
                .find(|collection| collection.table == table)
                .expect("a table");
            let mut declared: Vec<&str> = collection
                .shape
                .root
                .properties
                .iter()
                .filter(|property| {
                    !property.readonly && matches!(property.kind, ValueKind::Array(_))
                })
                .filter(|property| property.name != "additionalCallNumbers")
                .map(|property| property.name.as_str())
                .collect();
            let mut known = [lists.plain, lists.sets].concat();
            declared.sort_unstable();
            known.sort_unstable();
            assert_eq!(known, declared, "{table}");
        }
    }
}
