//! A record that could not be exported, and why.

use uuid::Uuid;

use crate::marc::Unwritable;

/// A record that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub id: Uuid,
    /// The reason.
    pub reason: Reason,
}

/// Why a record is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// No record has this id.
    Missing,
    /// It is deleted, and the export excludes deleted records.
    Deleted,
    /// It is not deleted, and the export has only deleted records.
    NotDeleted,
    /// The format cannot represent it.
    Unwritable(Unwritable),
    /// The stored record is not MARC.
    Broken(String),
    /// It has too many holdings and items.
    Overfull {
        /// Holdings and items, counted to the limit.
        parts: i64,
        /// Bytes of these.
        bytes: i64,
    },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Missing => f.write_str("there is no such record"),
            Reason::Deleted => f.write_str("the record is marked for deletion"),
            Reason::NotDeleted => f.write_str("the record is not marked for deletion"),
            Reason::Unwritable(reason) => reason.fmt(f),
            Reason::Broken(reason) => write!(f, "what is kept is no MARC: {reason}"),
            Reason::Overfull { parts, bytes } => write!(
                f,
                "it has {parts} holdings and items or more, of {bytes} bytes: more than leaves with \
                 one record"
            ),
        }
    }
}
