//! The meaning of a field name in a collection, or in an element of an array: its text, and its
//! folding.

use octavo_records::{Collection, Index, ValueKind};
use serde_json::Value;

use super::evaluator::Refusal;
use super::json;
use super::text::{Folding, words};

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// The dotted path, or the name of a combination.
    pub name: String,
    /// How its texts are compared: as its index declares, otherwise without case and accents.
    pub folding: Folding,
    /// Whether it holds ids, though it is no foreign key.
    pub holds_ids: bool,
    /// Whether its words are those inside the JSON of an array, without JSON's escapes.
    is_array: bool,
    /// The fields of a combination.
    combined: Vec<String>,
}

impl Field {
    /// A field of a collection.
    pub fn of(collection: &Collection, name: &str) -> Field {
        let mut indexes = collection.indexes.iter();
        let index = indexes.find(|one| one.field == name && !one.number);
        Field {
            name: name.to_owned(),
            folding: index.map_or(Folding::WORDS, folding),
            holds_ids: collection.kind_at(name) == Some(&ValueKind::Uuid),
            is_array: index.is_some_and(|index| index.array_subfield.is_some()),
            combined: index.map_or(Vec::new(), |index| index.fields.clone()),
        }
    }

    /// A property of the elements of an array.
    pub fn of_element(array: &Index, name: &str) -> Field {
        Field {
            name: name.to_owned(),
            folding: folding(array),
            holds_ids: false,
            is_array: false,
            combined: Vec::new(),
        }
    }

    /// The text in a record or element. A combination always has one, even if it is empty.
    pub fn text(&self, record: &Value) -> Option<String> {
        if self.combined.is_empty() {
            return json::at(record, &self.name).map(json::text);
        }
        let part = |path: &String| match path.split_once("[*]") {
            None => json::at(record, path).map(json::text),
            Some((array, property)) => elements(record, array, property.strip_prefix('.')),
        };
        let parts: Vec<String> = self.combined.iter().filter_map(part).collect();
        Some(parts.join(" "))
    }

    /// The words of the text.
    pub fn words(&self, record: &Value) -> Option<Vec<String>> {
        let text = self.text(record)?;
        Some(match self.is_array {
            true => words(&json::without_escapes(&text)),
            false => words(&text),
        })
    }
}

/// Refuses what cannot be the name of a field.
pub fn check_name(field: &str) -> Result<(), Refusal> {
    let letter = |c: char| c.is_alphanumeric() || "_-@$".contains(c);
    let name = |name: &str| !name.is_empty() && name.chars().all(letter);
    if field == octavo_cql::SERVER_CHOICE || field.len() > 128 || !field.split('.').all(name) {
        return Err(Refusal("name of a field"));
    }
    Ok(())
}

/// Whether the field is the record's id or a foreign key.
pub fn is_id(collection: &Collection, field: &str) -> bool {
    field == "id" || collection.reference_on(field).is_some()
}

fn folding(index: &Index) -> Folding {
    Folding {
        case: index.case_sensitive,
        accents: !index.remove_accents,
    }
}

/// One property of every element of an array, or every element itself.
fn elements(record: &Value, array: &str, property: Option<&str>) -> Option<String> {
    let elements = json::at(record, array)?.as_array()?;
    let of_one = |element: &Value| match property {
        Some(property) => json::at(element, property).map(json::text),
        None => (!element.is_null()).then(|| json::text(element)),
    };
    let found: Vec<String> = elements.iter().filter_map(of_one).collect();
    (!found.is_empty()).then(|| found.join(" "))
}
