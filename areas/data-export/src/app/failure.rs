//! A record that could not be exported, and why.

use uuid::Uuid;

use crate::marc::Unwritable;

/// A record that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub id: Uuid,
    /// Why.
    pub reason: Reason,
}

/// Why a record is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// There is none of this id.
    Missing,
    /// It is marked for deletion, and the export takes none such.
    Deleted,
    /// It is not marked for deletion, and the export takes only such.
    NotDeleted,
    /// The format cannot hold it.
    Unwritable(Unwritable),
    /// What is kept is no MARC.
    Broken(String),
    /// More belongs to it than leaves with one record.
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
