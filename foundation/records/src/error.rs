//! Errors of the store, and the wording of the database's errors as FOLIO's messages.

use std::panic::Location;

use octavo_postgres::{DatabaseError, Outage};
use serde_json::{Map, Value};

use crate::collection::{Collection, QueryRefusal};
use crate::expression::{as_folio_prints, index_name};
use crate::fault::{Cause, Fault};
use crate::index::IndexKind;
use crate::shape::Violation;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("Not found")]
    NotFound,
    /// The record changed since the client read it.
    #[error(
        "ERROR: Cannot update record {id} because it has been changed (optimistic locking): \
         Stored _version is {stored}, _version of request is {sent} (23F09)"
    )]
    VersionConflict {
        id: String,
        stored: String,
        sent: String,
    },
    /// The document does not fit its shape.
    #[error("the document does not fit its record type")]
    Invalid(Vec<Violation>),
    /// A unique key is taken.
    #[error("{message}")]
    Duplicate {
        /// 422 or 400.
        status: u16,
        /// FOLIO's message.
        message: String,
        /// The unique key.
        field: String,
        /// The value that exists already.
        value: String,
    },
    /// A property references a record that does not exist.
    #[error("{message}")]
    MissingReference {
        /// 422 or 400.
        status: u16,
        /// FOLIO's message.
        message: String,
        field: String,
        /// The id that it references.
        value: String,
    },
    /// The record cannot be deleted while others reference it.
    #[error("{message}")]
    StillReferenced {
        /// FOLIO's message.
        message: String,
        /// The referencing table.
        table: String,
    },
    /// The query cannot be run: malformed CQL, or an unsupported field or modifier.
    #[error("{0}")]
    Query(String),
    /// The same for a collection whose module responds to such queries in another way.
    #[error("{message}")]
    QueryOf {
        refusal: QueryRefusal,
        message: String,
    },
    /// More than the database can store.
    #[error("{0}")]
    TooLarge(String),
    /// Another transaction changed the same records concurrently; nothing was written.
    #[error("the records were changed by someone else at the same moment; try again")]
    Contended,
    /// The database exceeded a time limit.
    #[error("the database took too long")]
    Timeout(Fault),
    /// A search was cancelled at its time limit.
    #[error(
        "The search was stopped after {0} s; narrow it: with a further condition, with more letters \
         before or beside *, or with a field that has an index"
    )]
    TooSlow(u64),
    /// The database serves nobody now, or accepts no writes.
    #[error("the database is unavailable")]
    Unavailable(Outage, Fault),
    /// Too much work of this kind is running or waiting; the message names the remedy.
    #[error("{0}")]
    Busy(&'static str),
    /// A fault of the server, which a client cannot resolve.
    #[error("{0}")]
    Fault(Fault),
}

impl StoreError {
    /// A fault of the server, described without values.
    #[track_caller]
    pub fn fault(reason: impl std::fmt::Display) -> StoreError {
        StoreError::Fault(Fault::new(reason))
    }

    /// A document written by this program cannot be parsed or serialized.
    #[track_caller]
    pub fn json(error: serde_json::Error) -> StoreError {
        StoreError::Fault(error.into())
    }

    /// Whether a retry may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            StoreError::Contended
                | StoreError::Timeout(_)
                | StoreError::TooSlow(_)
                | StoreError::Unavailable(..)
                | StoreError::Busy(_)
        )
    }
}

impl From<serde_json::Error> for StoreError {
    /// For documents that this program wrote; errors in what a client sent are handled elsewhere.
    #[track_caller]
    fn from(error: serde_json::Error) -> StoreError {
        StoreError::json(error)
    }
}

impl From<DatabaseError> for StoreError {
    #[track_caller]
    fn from(error: DatabaseError) -> StoreError {
        let at = Location::caller();
        let fault = |error| Fault::at(at, Cause::Database(error));
        match error {
            DatabaseError::Unavailable { outage, .. } => {
                StoreError::Unavailable(outage, fault(error))
            }
            DatabaseError::Timeout { .. } => StoreError::Timeout(fault(error)),
            DatabaseError::TooSlow { limit } => StoreError::TooSlow(limit.as_secs().max(1)),
            DatabaseError::Busy { what } => StoreError::Busy(what),
            DatabaseError::Serialization | DatabaseError::Deadlock => StoreError::Contended,
            DatabaseError::TooLarge { message, .. } => StoreError::TooLarge(format!(
                "The request holds a value that is too large for the database: {message}"
            )),
            // The message may quote what the client sent: it goes to the client and never to the
            // log.
            DatabaseError::InvalidValue { message, .. } => StoreError::Query(message),
            other => StoreError::Fault(fault(other)),
        }
    }
}

/// Words a database error of a write as FOLIO's message; `status` is that for duplicates and
/// invalid references.
#[track_caller]
pub(crate) fn refused(error: DatabaseError, collection: &Collection, status: u16) -> StoreError {
    match error {
        DatabaseError::Unique {
            constraint, detail, ..
        } => duplicate(&constraint, &detail, collection, status),
        DatabaseError::ForeignKey {
            constraint,
            table,
            detail,
        } => reference(&constraint, &table, &detail, collection, status),
        other => other.into(),
    }
}

/// The most bytes of a b-tree's row: a third of a page.
const INDEXED_BYTES_MAX: usize = 2_704;

/// The same for these documents: when a key was too long for its index, its property is named.
/// PostgreSQL names it only sometimes, and accepts long keys that it can compress.
#[track_caller]
pub(crate) fn refused_of<'a>(
    error: DatabaseError,
    collection: &Collection,
    status: u16,
    documents: impl Iterator<Item = &'a Map<String, Value>>,
) -> StoreError {
    let of_index = matches!(error, DatabaseError::TooLarge { of_index, .. } if of_index);
    let longest = of_index.then(|| longest_key(collection, documents));
    match longest.flatten() {
        Some((field, bytes)) if bytes > INDEXED_BYTES_MAX => StoreError::Invalid(vec![Violation {
            message: format!("is too long: at most {INDEXED_BYTES_MAX} bytes are indexed"),
            code: "-1",
            path: field.to_owned(),
            value: format!("{bytes} bytes"),
        }]),
        _ => refused(error, collection, status),
    }
}

fn longest_key<'a, 'c>(
    collection: &'c Collection,
    documents: impl Iterator<Item = &'a Map<String, Value>>,
) -> Option<(&'c str, usize)> {
    let keys: Vec<&str> = collection
        .indexes
        .iter()
        .filter(|index| index.kind == IndexKind::UniqueIndex)
        .flat_map(|index| index.fields.iter().chain(&index.with).chain([&index.field]))
        .map(String::as_str)
        .collect();
    documents
        .flat_map(|document| {
            keys.iter()
                .map(move |key| (*key, text_bytes(document, key)))
        })
        .max_by_key(|(_, bytes)| *bytes)
}

fn text_bytes(document: &Map<String, Value>, path: &str) -> usize {
    let mut names = path.split('.');
    let first = names.next().and_then(|name| document.get(name));
    names
        .fold(first, |value, name| value?.get(name))
        .and_then(Value::as_str)
        .map_or(0, str::len)
}

fn duplicate(constraint: &str, detail: &str, collection: &Collection, status: u16) -> StoreError {
    let value = key_value(detail);
    let found = collection
        .indexes
        .iter()
        .find(|index| index_name(collection, index) == constraint);
    let expression = found.map_or_else(|| "id".to_owned(), as_folio_prints);
    let field = found.map_or("id", |index| index.field.as_str()).to_owned();
    let message = match found.and_then(|index| index.refusal.clone()) {
        Some(message) => message,
        None => {
            format!(
                "{expression} value already exists in table {}: {value}",
                collection.table
            )
        }
    };
    // FOLIO's generic message names the expression; one with a message of its own names the field.
    let key = if found.is_some_and(|index| index.refusal.is_some()) {
        field
    } else {
        expression
    };
    StoreError::Duplicate {
        status,
        message,
        field: key,
        value,
    }
}

fn reference(
    constraint: &str,
    table: &str,
    detail: &str,
    collection: &Collection,
    status: u16,
) -> StoreError {
    let value = key_value(detail);
    if detail.contains("still referenced") {
        let message = format!(
            "Cannot delete {}.id = {value} because id is still referenced from table {table}.",
            collection.table
        );
        return StoreError::StillReferenced {
            message,
            table: table.to_owned(),
        };
    }
    let found = collection.references.iter().find(|reference| {
        constraint == format!("{}_{}_fkey", collection.table, reference.column())
    });
    let (column, target) = match found {
        Some(reference) => (reference.column(), reference.table.as_str()),
        // A key of the area's own table, which follows this one's documents.
        None => (key_column(detail, constraint), missing_from(detail)),
    };
    let message = format!(
        "Cannot set {}.{column} = {value} because it does not exist in {target}.id.",
        collection.table
    );
    StoreError::MissingReference {
        status,
        message,
        field: format!("{}.{column}", collection.table),
        value,
    }
}

/// The column in PostgreSQL's `Key (column)=(value) is not present in table "table".`
fn key_column(detail: &str, constraint: &str) -> String {
    let inside = detail.split_once("Key (").map(|(_, rest)| rest);
    let column = inside.and_then(|rest| rest.split_once(")=("));
    column.map_or(constraint, |(column, _)| column).to_owned()
}

/// The table in the same.
fn missing_from(detail: &str) -> &str {
    let named = detail.split_once("in table \"").map(|(_, rest)| rest);
    named.and_then(|rest| rest.split('"').next()).unwrap_or("")
}

/// The value in PostgreSQL's `Key (expression)=(value) already exists.`
fn key_value(detail: &str) -> String {
    let Some((_, rest)) = detail.split_once(")=(") else {
        return String::new();
    };
    let end = rest
        .rfind(") already exists")
        .or_else(|| rest.rfind(") is not present"))
        .or_else(|| rest.rfind(") is still referenced"))
        .unwrap_or(rest.len());
    rest[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Index;

    fn collection() -> Collection {
        Collection::new(
            "material_type",
            "mtypes",
            "id uuid\nname string\nsourceId uuid\n",
        )
        .reference("sourceId", "source")
        .index(Index::unique("name"))
        .index(Index::unique("code").refusing("This code is taken"))
    }

    fn unique(constraint: &str, detail: &str) -> String {
        let error = DatabaseError::Unique {
            constraint: constraint.to_owned(),
            table: "material_type".to_owned(),
            detail: detail.to_owned(),
        };
        refused(error, &collection(), 422).to_string()
    }

    #[test]
    fn duplicates_read_as_in_folio() {
        assert_eq!(
            unique(
                "material_type_name_idx_unique",
                "Key (lower(public.f_unaccent(jsonb ->> 'name'::text)))=(a)=(b) already exists."
            ),
            "lower(f_unaccent(jsonb ->> 'name'::text)) value already exists in table \
             material_type: a)=(b"
        );
        assert_eq!(
            unique(
                "material_type_code_idx_unique",
                "Key (x)=(y) already exists."
            ),
            "This code is taken"
        );
        assert_eq!(
            unique("material_type_pkey", "Key (id)=(7) already exists."),
            "id value already exists in table material_type: 7"
        );
    }

    #[test]
    fn broken_references_read_as_in_folio() {
        let error = |table: &str, detail: &str| {
            let error = DatabaseError::ForeignKey {
                constraint: "material_type_sourceid_fkey".to_owned(),
                table: table.to_owned(),
                detail: detail.to_owned(),
            };
            refused(error, &collection(), 422).to_string()
        };
        assert_eq!(
            error(
                "material_type",
                "Key (sourceid)=(7) is not present in table \"source\"."
            ),
            "Cannot set material_type.sourceid = 7 because it does not exist in source.id."
        );
        let followed = DatabaseError::ForeignKey {
            constraint: "material_type_code_code_id_fkey".to_owned(),
            table: "material_type_code".to_owned(),
            detail: "Key (code_id)=(7) is not present in table \"code\".".to_owned(),
        };
        assert_eq!(
            refused(followed, &collection(), 422).to_string(),
            "Cannot set material_type.code_id = 7 because it does not exist in code.id."
        );
        assert_eq!(
            error(
                "item",
                "Key (id)=(7) is still referenced from table \"item\"."
            ),
            "Cannot delete material_type.id = 7 because id is still referenced from table item."
        );
    }
}
