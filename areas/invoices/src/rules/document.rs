//! Reads properties of stored documents.

use rust_decimal::Decimal;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::amount;

/// A record.
pub type Document = Map<String, Value>;

/// A text.
#[must_use]
pub fn text<'a>(document: &'a Document, name: &str) -> Option<&'a str> {
    document.get(name)?.as_str()
}

/// An id.
#[must_use]
pub fn id(document: &Document, name: &str) -> Option<Uuid> {
    Uuid::try_parse(text(document, name)?).ok()
}

/// A number; zero when absent.
#[must_use]
pub fn number(document: &Document, name: &str) -> Decimal {
    given(document, name).unwrap_or_default()
}

/// A number, if there is one.
#[must_use]
pub fn given(document: &Document, name: &str) -> Option<Decimal> {
    amount::read(document.get(name)?)
}

/// Whether a flag is set.
#[must_use]
pub fn flag(document: &Document, name: &str) -> bool {
    document.get(name) == Some(&Value::Bool(true))
}

/// The objects of a list.
pub fn objects<'a>(document: &'a Document, name: &str) -> impl Iterator<Item = &'a Document> {
    let list = document.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// The ids of a list.
#[must_use]
pub fn ids(document: &Document, name: &str) -> Vec<Uuid> {
    let list = document.get(name).and_then(Value::as_array);
    let parsed = list.into_iter().flatten();
    parsed
        .filter_map(|id| Uuid::try_parse(id.as_str()?).ok())
        .collect()
}

/// Sets a property, or takes it out.
pub fn set(document: &mut Document, name: &str, value: Option<Value>) {
    match value {
        Some(value) => {
            document.insert(name.to_owned(), value);
        }
        None => {
            document.shift_remove(name);
        }
    }
}
