//! The next version of a record that a transaction has read and holds. What an update writes and what
//! its event tells is known before any statement, so that an area can store several records with one
//! statement of its own.

use octavo_postgres::DatabaseError;
use serde_json::{Map, Value, json};

use super::Stamp;
use crate::collection::Collection;
use crate::error::{StoreError, refused_of};

/// A record as it is to be stored in place of the one that is held.
#[derive(Debug, Clone, PartialEq)]
pub struct Successor {
    /// The record.
    pub document: Map<String, Value>,
    /// What of it differs from the held one.
    pub difference: Difference,
}

/// What turns a record back into the one before: the columns `was` and `came` of the outbox.
///
/// An act at the desk changes four properties of thirty. Its events keep these, and not the record
/// twice; the view `outbox_event` tells both. Where the statement alone knows the old record, as in
/// [`replace`](super::replace), it keeps that whole: to compare two documents takes the database
/// longer than to write one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Difference {
    /// The properties that were otherwise or are gone, as they were.
    pub was: Value,
    /// The names of those that are new.
    pub came: Vec<String>,
}

impl Difference {
    /// Compares two versions of a record, by their properties.
    #[must_use]
    pub fn between(old: &Map<String, Value>, new: &Map<String, Value>) -> Difference {
        let changed = old
            .iter()
            .filter(|(name, value)| new.get(*name) != Some(*value));
        let was: Map<String, Value> = changed
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let came = new.keys().filter(|name| !old.contains_key(*name));
        Difference {
            was: Value::Object(was),
            came: came.cloned().collect(),
        }
    }
}

/// The record that takes the place of one that is held: who created it and when stays, and `_version`
/// counts up from the stored one.
#[must_use]
pub fn succeed(
    collection: &Collection,
    held: &Map<String, Value>,
    mut document: Map<String, Value>,
    stamp: &Stamp,
) -> Successor {
    if collection.has_metadata() {
        let mut metadata = match held.get("metadata") {
            Some(Value::Object(metadata)) => metadata.clone(),
            _ => Map::new(),
        };
        if let Value::Object(updated) = stamp.updated() {
            metadata.extend(updated);
        }
        document.insert("metadata".to_owned(), Value::Object(metadata));
    }
    if collection.locked {
        let version = held.get("_version").and_then(Value::as_i64);
        let next = version.map_or(1, |version| version.saturating_add(1));
        document.insert("_version".to_owned(), json!(next));
    }
    Successor {
        difference: Difference::between(held, &document),
        document,
    }
}

/// The refusal of a new record that an area stores with a statement of its own.
#[must_use]
#[track_caller]
pub fn refusal_of_new(
    error: DatabaseError,
    collection: &Collection,
    document: &Map<String, Value>,
) -> StoreError {
    let status = collection.conflict_status;
    refused_of(error, collection, status, [document].into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            _ => Map::new(),
        }
    }

    #[test]
    fn a_successor_counts_up_and_keeps_who_created_it() {
        let shape = "id uuid\n_version integer\nname string\nmetadata object readonly open\n";
        let collection = Collection::new("item", "items", shape).locked();
        let held = map(json!({"id": "1", "_version": 7, "name": "a", "old": null,
            "metadata": {"createdDate": "then", "updatedDate": "then", "createdByUserId": "x"}}));
        let sent = map(json!({"id": "1", "name": "b", "new": 1}));
        let stamp = Stamp::now(None);
        let next = succeed(&collection, &held, sent, &stamp);
        assert_eq!(next.document["_version"], 8);
        assert_eq!(next.document["metadata"]["createdDate"], "then");
        assert_eq!(
            next.document["metadata"]["updatedDate"],
            stamp.updated()["updatedDate"]
        );
        assert_eq!(next.difference.came, ["new"]);
        // Backwards it gives what was held, a null included.
        let mut back = next.document.clone();
        back.remove("new");
        back.extend(map(next.difference.was));
        assert_eq!(back, held);
    }
}
