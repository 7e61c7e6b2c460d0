//! What source records are searched by: FOLIO's parameters, which are no CQL.

use std::sync::LazyLock;

use jiff::Timestamp;
use octavo_records::expression::key;
use octavo_records::plan::{Predicate, SortTerm, TextMatch};
use octavo_records::{Collection, Index, IndexKind, instant};
use uuid::Uuid;

use crate::collections;

/// What an id in a path is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdType {
    /// All generations of a record: `matchedId`.
    Record,
    /// One generation.
    SrsRecord,
    /// Whatever the record describes.
    External,
    /// Its instance.
    Instance,
    /// Its holdings.
    Holdings,
    /// Its authority.
    Authority,
}

impl IdType {
    /// The type of this name; without a name a record.
    #[must_use]
    pub fn parse(name: &str) -> Option<IdType> {
        Some(match name {
            "" | "RECORD" => IdType::Record,
            "SRS_RECORD" => IdType::SrsRecord,
            "EXTERNAL" => IdType::External,
            "INSTANCE" => IdType::Instance,
            "HOLDINGS" => IdType::Holdings,
            "AUTHORITY" => IdType::Authority,
            _ => return None,
        })
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            IdType::Record => "RECORD",
            IdType::SrsRecord => "SRS_RECORD",
            IdType::External => "EXTERNAL",
            IdType::Instance => "INSTANCE",
            IdType::Holdings => "HOLDINGS",
            IdType::Authority => "AUTHORITY",
        }
    }

    /// The records with one of these ids.
    #[must_use]
    pub fn among(self, ids: &[Uuid]) -> Predicate {
        let held = |field: &str| {
            Predicate::Any(ids.iter().map(|id| equal(field, &id.to_string())).collect())
        };
        match self {
            _ if ids.is_empty() => Predicate::Nothing,
            IdType::SrsRecord => Predicate::IdIn("id".to_owned(), ids.to_vec()),
            IdType::Record => held("matchedId"),
            IdType::Instance => held(INSTANCE_ID),
            IdType::Holdings => held(HOLDINGS_ID),
            IdType::Authority => held(AUTHORITY_ID),
            IdType::External => {
                Predicate::Any([INSTANCE_ID, HOLDINGS_ID, AUTHORITY_ID].map(held).into())
            }
        }
    }
}

const INSTANCE_ID: &str = "externalIdsHolder.instanceId";
const INSTANCE_HRID: &str = "externalIdsHolder.instanceHrid";
const HOLDINGS_ID: &str = "externalIdsHolder.holdingsId";
const AUTHORITY_ID: &str = "externalIdsHolder.authorityId";

/// The key of the index on the human-readable id of instances.
pub(crate) static HRID_KEY: LazyLock<String> =
    LazyLock::new(|| key(&Index::plain(INSTANCE_HRID).keep_accents()));

static RECORDS: LazyLock<Collection> = LazyLock::new(collections::records);

/// A property that is this text.
#[must_use]
pub fn equal(field: &str, value: &str) -> Predicate {
    let usable = |index: &&Index| {
        index.field == field && matches!(index.kind, IndexKind::Index | IndexKind::UniqueIndex)
    };
    Predicate::Text(match RECORDS.indexes.iter().find(usable) {
        Some(index) => TextMatch::declared(index.clone(), "=", value),
        None => TextMatch::undeclared(Index::plain(field).keep_accents(), "=", value),
    })
}

/// The current generation of what is not deleted; with deleted records those too.
#[must_use]
pub fn current(with_deleted: bool) -> Predicate {
    let actual = equal("state", "ACTUAL");
    if with_deleted {
        Predicate::Any(vec![actual, equal("state", "DELETED")])
    } else {
        actual
    }
}

/// Records that have been parsed.
#[must_use]
pub fn parsed() -> Predicate {
    Predicate::Present("parsedRecord".to_owned())
}

/// Changed at this instant or later (`>=`), or earlier (`<=`).
#[must_use]
pub fn updated(operator: &'static str, at: Timestamp) -> Predicate {
    let index = Index::plain("metadata.updatedDate")
        .case_sensitive()
        .keep_accents();
    Predicate::Text(TextMatch::undeclared(index, operator, instant::format(at)))
}

/// Reads `field`, `field,ASC` or `field,DESC`.
#[must_use]
pub fn order(text: &str) -> Option<SortTerm> {
    let (field, direction) = text.split_once(',').unwrap_or((text, "ASC"));
    let descending = match direction.trim().to_ascii_uppercase().as_str() {
        "" | "ASC" => false,
        "DESC" => true,
        _ => return None,
    };
    let expression = match field.trim() {
        "id" => "id".to_owned(),
        "order" | "generation" => format!("(jsonb->>'{}')::bigint", field.trim()),
        name @ ("snapshotId"
        | "matchedId"
        | "recordType"
        | "state"
        | "leaderRecordStatus"
        | "status"
        | "processingStartedDate") => format!("(jsonb->>'{name}') COLLATE \"C\""),
        name @ ("createdDate" | "updatedDate") => {
            format!("(jsonb->'metadata'->>'{name}') COLLATE \"C\"")
        }
        name @ ("instanceId" | "instanceHrid" | "holdingsId" | "holdingsHrid") => {
            format!("(jsonb->'externalIdsHolder'->>'{name}') COLLATE \"C\"")
        }
        _ => return None,
    };
    Some(SortTerm {
        expression,
        descending,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_use_the_declared_indexes() {
        for field in ["matchedId", INSTANCE_ID, HOLDINGS_ID, AUTHORITY_ID, "state"] {
            match equal(field, "x") {
                Predicate::Text(text) => assert!(text.by.is_some(), "{field}"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn only_known_fields_are_ordered_by() {
        assert!(order("order").is_some_and(|term| !term.descending));
        assert!(order("updatedDate,desc").is_some_and(|term| term.descending));
        assert_eq!(order("order,sideways"), None);
        assert_eq!(order("1; DROP TABLE"), None);
    }
}
