//! Predicates for FOLIO's parameters of source records, which are not CQL.

use std::sync::LazyLock;

use jiff::Timestamp;
use octavo_records::expression::{key, keys, text_at};
use octavo_records::plan::{Predicate, SortTerm, TextMatch};
use octavo_records::{Collection, Index, IndexKind, instant};
use uuid::Uuid;

use crate::collections;

/// The type of an id in a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdType {
    /// All generations of a record: `matchedId`.
    Record,
    /// One generation.
    SrsRecord,
    /// The described record.
    External,
    Instance,
    Holdings,
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

    /// The records with one of these ids: one value to bind for each property that holds such an
    /// id, however many ids there are.
    #[must_use]
    pub fn among(self, ids: &[Uuid]) -> Predicate {
        let held = |field: &str| one_of(field, ids);
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

/// The b-tree on all records that begins with a property.
fn index_on(field: &str) -> Option<&'static Index> {
    RECORDS.indexes.iter().find(|index| {
        index.field == field
            && index.condition.is_none()
            && matches!(index.kind, IndexKind::Index | IndexKind::UniqueIndex)
    })
}

/// A property equal to this text.
#[must_use]
pub fn equal(field: &str, value: &str) -> Predicate {
    Predicate::Text(compared(field, value))
}

fn compared(field: &str, value: &str) -> TextMatch {
    match index_on(field) {
        Some(index) => TextMatch::declared(index.clone(), "=", value),
        None => TextMatch::undeclared(Index::plain(field).keep_accents(), "=", value),
    }
}

/// A property equal to one of these ids, as one bound list.
fn one_of(field: &str, ids: &[Uuid]) -> Predicate {
    match ids {
        [id] => equal(field, &id.to_string()),
        many => {
            let values = many.iter().map(Uuid::to_string).collect();
            Predicate::TextIn(compared(field, ""), values)
        }
    }
}

/// Suppressed records, or the others.
#[must_use]
pub fn suppressed(suppressed: bool) -> Predicate {
    match suppressed {
        true => Predicate::Text(TextMatch::declared(collections::suppressed(), "=", "true")),
        false => equal(collections::SUPPRESSED, "false"),
    }
}

/// The order of the ids as the index over the suppressed records has it: a page of few suppressed
/// records is then read without a sort.
#[must_use]
pub fn order_of_suppressed() -> Option<SortTerm> {
    let expression = keys(&collections::suppressed()).into_iter().nth(1)?;
    Some(SortTerm {
        expression,
        descending: false,
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
    Predicate::Text(TextMatch {
        operator,
        ..compared("metadata.updatedDate", &instant::format(at))
    })
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
        "order" => collections::ORDER.to_owned(),
        "generation" => "(jsonb->>'generation')::bigint".to_owned(),
        name @ ("snapshotId"
        | "matchedId"
        | "recordType"
        | "state"
        | "leaderRecordStatus"
        | "status"
        | "processingStartedDate") => by_text(name),
        name @ ("createdDate" | "updatedDate") => by_text(&format!("metadata.{name}")),
        name @ ("instanceId" | "instanceHrid" | "holdingsId" | "holdingsHrid") => {
            by_text(&format!("externalIdsHolder.{name}"))
        }
        _ => return None,
    };
    Some(SortTerm {
        expression,
        descending,
    })
}

/// The sort expression of a text: that of an index, if there is one, so that the index gives the order.
fn by_text(field: &str) -> String {
    match index_on(field) {
        Some(index) => key(index),
        None => format!("({}) COLLATE \"C\"", text_at(field)),
    }
}

#[cfg(test)]
mod tests {
    use octavo_records::plan::Sql;

    use super::*;

    #[test]
    fn searches_use_the_declared_indexes() {
        for field in ["matchedId", INSTANCE_ID, HOLDINGS_ID, AUTHORITY_ID, "state"] {
            match equal(field, "x") {
                Predicate::Text(text) => assert!(text.by.is_some(), "{field}"),
                other => panic!("{other:?}"),
            }
        }
        match updated(">=", Timestamp::UNIX_EPOCH) {
            Predicate::Text(text) => assert!(text.by.is_some() && text.operator == ">="),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn many_ids_are_few_values_to_bind() {
        let ids: Vec<Uuid> = (0..30_000).map(Uuid::from_u128).collect();
        for (kind, lists) in [
            (IdType::Record, 1),
            (IdType::SrsRecord, 1),
            (IdType::External, 3),
            (IdType::Authority, 1),
        ] {
            let mut sql = Sql::default();
            sql.filter("tenant_diku", &kind.among(&ids));
            assert_eq!(sql.parameters.len(), lists, "{kind:?}");
            assert_eq!(sql.text.matches(" = ANY(").count(), lists, "{}", sql.text);
        }
    }

    #[test]
    fn an_order_is_that_of_the_index_where_there_is_one() {
        for (name, expression) in [
            ("order", "(jsonb->>'order')::bigint"),
            (
                "updatedDate",
                "left(jsonb->'metadata'->>'updatedDate', 600) COLLATE \"C\"",
            ),
            (
                "createdDate",
                "(jsonb->'metadata'->>'createdDate') COLLATE \"C\"",
            ),
            ("matchedId", "(lower(jsonb->>'matchedId')) COLLATE \"C\""),
        ] {
            let term = order(name).expect("an order");
            assert_eq!(term.expression, expression, "{name}");
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
