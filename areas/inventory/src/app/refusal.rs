//! Refusals of inventory's operations, with FOLIO's messages. `http` decides the status.

use octavo_postgres::DatabaseError;
use octavo_records::Contention;
use octavo_records::{StoreError, Violation};
use serde_json::Value;
use uuid::Uuid;

use crate::rules::hrid;
use crate::rules::instance_form::FormRefusal;
use crate::rules::notes::LongNote;

/// An error quotes at most this many characters of a note.
const QUOTED_CHARS_MAX: usize = 200;

/// Why an operation was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The same as plain text, for interfaces that declare no error list.
    #[error("{0}")]
    InPlainText(StoreError),
    /// A rule forbids the request; answered with plain text.
    #[error("{0}")]
    Forbidden(String),
    /// A property has a value that a rule forbids.
    #[error("{message}")]
    Property {
        /// FOLIO's message.
        message: String,
        /// The property.
        key: String,
        value: String,
    },
    /// More records than one request may carry.
    #[error("Expected a maximum of {most} records to prevent out of memory but got {sent}")]
    TooMany {
        /// The limit.
        most: usize,
        /// The number sent.
        sent: usize,
    },
    /// A referenced record is missing or unsuitable; answered with plain text.
    #[error("{0}")]
    Unprocessable(String),
    /// The record that the request is about does not exist.
    #[error("{0}")]
    Missing(&'static str),
    /// The same, with a message that names it.
    #[error("{0}")]
    MissingNamed(String),
    /// Several rules are violated; all are reported.
    #[error("{}", .0.first().map_or("refused", |wrong| wrong.message.as_str()))]
    Listed(Vec<Wrong>),
    /// FOLIO's text where it answers a client's error with 500.
    #[error("{0}")]
    AsFault(&'static str),
    /// A violated rule as an error list with status 400.
    #[error("{}", .0.message)]
    Illegal(Wrong),
}

/// A violated rule in an error list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// FOLIO's code.
    pub code: &'static str,
    /// FOLIO's message.
    pub message: String,
    /// The parameters: keys, with values if FOLIO has them.
    pub about: Vec<(String, Option<String>)>,
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Store(error) if error.is_contention())
    }
}

impl From<DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}

impl From<FormRefusal> for Refusal {
    fn from(refusal: FormRefusal) -> Refusal {
        match refusal {
            FormRefusal::Property(message, key) => Refusal::property(message, key, "null"),
        }
    }
}

impl Refusal {
    /// A property that does not follow a rule.
    pub(crate) fn property(
        message: impl Into<String>,
        key: impl Into<String>,
        value: impl Into<String>,
    ) -> Refusal {
        Refusal::Property {
            message: message.into(),
            key: key.into(),
            value: value.into(),
        }
    }

    pub(super) fn violations(violations: Vec<Violation>) -> Refusal {
        Refusal::Store(StoreError::Invalid(violations))
    }

    pub(super) fn long_note(long: &LongNote<'_>) -> Refusal {
        let quoted: String = long.note.chars().take(QUOTED_CHARS_MAX).collect();
        Refusal::property(LongNote::MESSAGE, long.property, quoted)
    }

    /// An item of holdings that do not exist.
    pub(super) fn without_holdings(holdings_id: Option<Uuid>) -> Refusal {
        let id = holdings_id.map_or_else(|| "null".to_owned(), |id| id.to_string());
        Refusal::property("Holdings record does not exist", "holdingsRecordId", id)
    }

    /// Turns duplicates and broken references of an item into plain text, for interfaces without an
    /// error list.
    #[must_use]
    pub fn in_plain_text(self) -> Refusal {
        match self {
            Refusal::Store(StoreError::MissingReference {
                status,
                message,
                field,
                value,
            }) => Refusal::InPlainText(StoreError::MissingReference {
                status,
                message,
                field,
                value,
            }),
            Refusal::Store(error @ StoreError::Duplicate { .. }) => Refusal::InPlainText(error),
            other => other,
        }
    }

    /// Whether the reason is that another record has this value of a unique property.
    #[must_use]
    pub fn is_taken(&self, property: &str) -> bool {
        match self {
            Refusal::Store(StoreError::Duplicate { field, .. })
            | Refusal::InPlainText(StoreError::Duplicate { field, .. }) => {
                field.contains(&format!("'{property}'"))
            }
            _ => false,
        }
    }
}

/// The message of FOLIO's storage for a missing record.
pub(super) const NOT_FOUND: Refusal = Refusal::Missing("Not found");

/// A patch must have a version.
pub(super) fn require_version(patch: &Value) -> Result<(), Refusal> {
    if patch
        .get("_version")
        .is_some_and(|version| !version.is_null())
    {
        return Ok(());
    }
    Err(Refusal::property("must not be null", "_version", "null"))
}

/// The managed forms' refusal of another human-readable id; the storage has its own message.
pub(super) fn keep_hrid(new: &Value, old: &Value) -> Result<(), Refusal> {
    if hrid::refuse_change(new, old).is_none() {
        return Ok(());
    }
    let sent = new.get("hrid").and_then(Value::as_str).unwrap_or("null");
    Err(Refusal::property("HRID can not be updated", "hrid", sent))
}
