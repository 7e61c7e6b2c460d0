//! The lists of a record: always there, if only empty, and lists of text without blank entries; sets
//! hold each entry once. Clients of FOLIO count on lists being present.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The lists of one record type.
pub struct Lists {
    /// Lists of text that may repeat an entry.
    texts: &'static [&'static str],
    /// Lists of text in which every entry stands once.
    sets: &'static [&'static str],
    /// Lists of objects.
    objects: &'static [&'static str],
    /// Lists of objects in which every object stands once.
    object_sets: &'static [&'static str],
}

/// The lists of an instance.
pub static INSTANCE: Lists = Lists {
    texts: &[
        "instanceFormatIds",
        "physicalDescriptions",
        "languages",
        "administrativeNotes",
    ],
    sets: &[
        "editions",
        "publicationRange",
        "publicationFrequency",
        "natureOfContentTermIds",
        "statisticalCodeIds",
    ],
    objects: &[
        "identifiers",
        "contributors",
        "classifications",
        "publication",
        "electronicAccess",
        "notes",
    ],
    object_sets: &["alternativeTitles", "series", "subjects"],
};

/// The lists of a holdings record.
pub static HOLDINGS: Lists = Lists {
    texts: &["administrativeNotes"],
    sets: &["formerIds", "statisticalCodeIds"],
    objects: &[
        "electronicAccess",
        "additionalCallNumbers",
        "notes",
        "holdingsStatements",
        "holdingsStatementsForIndexes",
        "holdingsStatementsForSupplements",
    ],
    object_sets: &[],
};

/// The lists of an item.
pub static ITEM: Lists = Lists {
    texts: &["administrativeNotes"],
    sets: &["formerIds", "statisticalCodeIds", "yearCaption"],
    objects: &[
        "additionalCallNumbers",
        "notes",
        "circulationNotes",
        "electronicAccess",
    ],
    object_sets: &[],
};

/// The lists of the records of a table, where they are tidied.
#[must_use]
pub fn of(table: &str) -> Option<&'static Lists> {
    match table {
        "instance" => Some(&INSTANCE),
        "holdings_record" => Some(&HOLDINGS),
        "item" => Some(&ITEM),
        _ => None,
    }
}

impl Lists {
    /// Drops blank entries of a document that has not been checked yet: a blank is no id, and is not
    /// to be refused for it.
    pub fn forgive(&self, document: &mut Value) {
        for property in self.texts.iter().chain(self.sets) {
            if let Some(Value::Array(entries)) = document.get_mut(*property) {
                entries.retain(|entry| entry.as_str().is_none_or(|text| !text.trim().is_empty()));
            }
        }
    }

    /// Completes and tidies the lists of a record, its tags among them.
    pub fn tidy(&self, record: &mut Map<String, Value>) {
        for property in self.texts {
            drop_blanks(list(record, property));
        }
        for property in self.sets {
            let entries = list(record, property);
            drop_blanks(entries);
            drop_repeats(entries);
        }
        for property in self.objects {
            list(record, property);
        }
        for property in self.object_sets {
            drop_repeats(list(record, property));
        }
        if let Some(Value::Object(tags)) = record.get_mut("tags") {
            drop_blanks(list(tags, "tagList"));
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

fn drop_blanks(entries: &mut Vec<Value>) {
    entries.retain(|entry| entry.as_str().is_some_and(|text| !text.trim().is_empty()));
}

/// Values are hashed as a whole, in whatever order an object has its properties.
fn drop_repeats(entries: &mut Vec<Value>) {
    let mut seen = HashSet::with_capacity(entries.len());
    entries.retain(|entry| seen.insert(entry.clone()));
}

#[cfg(test)]
mod tests {
    use octavo_records::Kind;
    use serde_json::json;

    use super::*;
    use crate::collections;

    #[test]
    fn blank_and_repeated_entries_go_and_missing_lists_come() {
        let mut item = json!({
            "administrativeNotes": ["a", " ", "a"],
            "formerIds": ["b", "", "c", "b"],
            "tags": {"tagList": ["urgent", "  "]},
        });
        ITEM.tidy(item.as_object_mut().expect("an object"));
        assert_eq!(
            item,
            json!({
                "administrativeNotes": ["a", "a"],
                "formerIds": ["b", "c"],
                "tags": {"tagList": ["urgent"]},
                "statisticalCodeIds": [],
                "yearCaption": [],
                "additionalCallNumbers": [],
                "notes": [],
                "circulationNotes": [],
                "electronicAccess": [],
            })
        );
    }

    #[test]
    fn blanks_go_before_ids_are_looked_at_and_nothing_else_does() {
        let mut item = json!({"statisticalCodeIds": ["", "a", 7, null, " "], "notes": [""]});
        ITEM.forgive(&mut item);
        let left = json!({"statisticalCodeIds": ["a", 7, null], "notes": [""]});
        assert_eq!(item, left);
        for mut other in [json!([]), json!({"formerIds": "x"})] {
            let before = other.clone();
            ITEM.forgive(&mut other);
            assert_eq!(other, before);
        }
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
                .filter(|property| !property.readonly && matches!(property.kind, Kind::Array(_)))
                .map(|property| property.name.as_str())
                .collect();
            let mut known = [lists.texts, lists.sets, lists.objects, lists.object_sets].concat();
            declared.sort_unstable();
            known.sort_unstable();
            assert_eq!(known, declared, "{table}");
        }
    }
}
