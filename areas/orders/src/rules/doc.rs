//! Reading and changing the JSON of records by dotted paths. A property that is null counts as missing.

use serde_json::{Map, Value};
use uuid::Uuid;

/// The properties of a record.
pub type Doc = Map<String, Value>;

/// The value at a dotted path.
#[must_use]
pub fn at<'d>(doc: &'d Doc, path: &str) -> Option<&'d Value> {
    let mut names = path.split('.');
    let first = doc.get(names.next()?)?;
    names
        .try_fold(first, |value, name| value.get(name))
        .filter(|value| !value.is_null())
}

/// The text at a path.
#[must_use]
pub fn text<'d>(doc: &'d Doc, path: &str) -> Option<&'d str> {
    at(doc, path)?.as_str()
}

/// The text at a path unless it is blank.
#[must_use]
pub fn filled<'d>(doc: &'d Doc, path: &str) -> Option<&'d str> {
    text(doc, path).filter(|text| !text.trim().is_empty())
}

/// The id at a path.
#[must_use]
pub fn id(doc: &Doc, path: &str) -> Option<Uuid> {
    Uuid::try_parse(text(doc, path)?).ok()
}

/// Whether the value at a path is `true`.
#[must_use]
pub fn flag(doc: &Doc, path: &str) -> bool {
    at(doc, path).and_then(Value::as_bool).unwrap_or(false)
}

/// The whole number at a path.
#[must_use]
pub fn whole(doc: &Doc, path: &str) -> Option<i64> {
    at(doc, path)?.as_i64()
}

/// The elements at a path.
#[must_use]
pub fn list<'d>(doc: &'d Doc, path: &str) -> &'d [Value] {
    let found = at(doc, path).and_then(Value::as_array);
    found.map_or(&[], Vec::as_slice)
}

/// The objects in the list at a path.
pub fn objects<'d>(doc: &'d Doc, path: &str) -> impl Iterator<Item = &'d Doc> {
    list(doc, path).iter().filter_map(Value::as_object)
}

/// The ids in the list at a path.
#[must_use]
pub fn ids(doc: &Doc, path: &str) -> Vec<Uuid> {
    let texts = list(doc, path).iter().filter_map(Value::as_str);
    texts
        .filter_map(|text| Uuid::try_parse(text).ok())
        .collect()
}

/// Sets a property.
pub fn set(doc: &mut Doc, name: &str, value: impl Into<Value>) {
    doc.insert(name.to_owned(), value.into());
}

/// Sets a property, or removes it.
pub fn set_or_clear(doc: &mut Doc, name: &str, value: Option<Value>) {
    match value {
        Some(value) => set(doc, name, value),
        None => clear(doc, name),
    }
}

/// Removes a property; the others keep their order.
pub fn clear(doc: &mut Doc, name: &str) {
    doc.shift_remove(name);
}

/// The object under a property, which is made where it is missing.
pub fn object_in<'d>(doc: &'d mut Doc, name: &str) -> &'d mut Doc {
    let value = doc.entry(name).or_insert(Value::Null);
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    match value {
        Value::Object(object) => object,
        _ => unreachable!("it was made an object"),
    }
}

/// The list under a property, which is made where it is missing.
pub fn list_in<'d>(doc: &'d mut Doc, name: &str) -> &'d mut Vec<Value> {
    let value = doc.entry(name).or_insert(Value::Null);
    if !value.is_array() {
        *value = Value::Array(Vec::new());
    }
    match value {
        Value::Array(list) => list,
        _ => unreachable!("it was made a list"),
    }
}

/// The properties of a document that is an object.
#[must_use]
pub fn object(value: Value) -> Doc {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_into_objects() {
        let mut doc = object(json!({"a": {"b": "x", "n": 3, "f": true, "no": null}, "l": [1, {}]}));
        assert_eq!(text(&doc, "a.b"), Some("x"));
        assert_eq!(whole(&doc, "a.n"), Some(3));
        assert!(flag(&doc, "a.f"));
        assert_eq!(at(&doc, "a.no"), None);
        assert_eq!(list(&doc, "l").len(), 2);
        assert_eq!(objects(&doc, "l").count(), 1);
        set(object_in(&mut doc, "c"), "d", 4);
        list_in(&mut doc, "e").push(json!(5));
        assert_eq!(doc["c"], json!({"d": 4}));
        assert_eq!(doc["e"], json!([5]));
    }
}
