//! Database errors, and the one table that maps SQLSTATE to them.
//!
//! `Display` never shows bound values, row contents or passwords: those may be patron data. Code
//! that needs them (a 422 body naming a duplicate barcode) reads the fields.

use std::error::Error as _;
use std::fmt;

use tokio_postgres::error::DbError;

/// A failed call to the database.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The database serves nobody now, or accepts no writes.
    #[error("the database is unavailable: {reason}")]
    Unavailable {
        /// The cause.
        outage: Outage,
        /// Where and why, without credentials.
        reason: String,
    },
    /// A statement, a lock or the wait for a free connection exceeded its limit.
    #[error("the database took too long: {reason}")]
    Timeout {
        /// Which limit was exceeded.
        limit: TimeLimit,
        /// The same in PostgreSQL's words.
        reason: String,
        /// The cancelled statement, if there was one.
        statement: Option<Statement>,
    },
    /// A search on a connection of its own was cancelled at the limit for statements.
    #[error("a search was stopped after {}", limit_text(limit))]
    TooSlow { limit: std::time::Duration },
    /// Too many searches of this asker are running or waiting.
    #[error("{what}")]
    Busy {
        /// A message with the remedy.
        what: &'static str,
    },
    /// A unique index or an exclusion constraint already holds such a row.
    #[error("constraint {constraint} on {table} already holds such a row")]
    Unique {
        /// Name of the constraint or unique index.
        constraint: String,
        /// Unqualified table name.
        table: String,
        /// PostgreSQL's detail, with the key's values. May hold patron data.
        detail: String,
    },
    /// A foreign key references nothing, or the row to be deleted is still referenced.
    #[error("foreign key {constraint} on {table} is not satisfied")]
    ForeignKey {
        /// Name of the foreign key.
        constraint: String,
        /// Unqualified name of the referencing table.
        table: String,
        /// PostgreSQL's detail, with the key's values.
        detail: String,
    },
    /// A check constraint or a NOT NULL rejected the row.
    #[error("check {constraint} on {table} refused the row")]
    Check {
        /// Name of the check, or of the column for NOT NULL.
        constraint: String,
        /// Unqualified table name.
        table: String,
        /// The rejected statement, where it is known.
        statement: Option<Statement>,
    },
    /// A serialization conflict with another transaction; a retry may succeed.
    #[error("the transaction could not be serialized with another one")]
    Serialization,
    /// The transaction was the victim of a deadlock; a retry may succeed.
    #[error("the transaction was ended to break a deadlock")]
    Deadlock,
    /// A statement or commit was attempted after an earlier statement had failed.
    #[error("the transaction had already failed; nothing was committed")]
    Aborted,
    /// A value has the wrong form for its type (SQLSTATE class 22).
    #[error("a value was refused (SQLSTATE {code})")]
    InvalidValue {
        /// SQLSTATE, five characters.
        code: String,
        /// PostgreSQL's message, which may quote the value.
        message: String,
    },
    /// A value or a statement exceeds one of PostgreSQL's limits (SQLSTATE class 54).
    #[error("a value or statement is too large for the database (SQLSTATE {code})")]
    TooLarge {
        /// SQLSTATE, five characters.
        code: String,
        /// Whether the limit is that of a row in an index.
        of_index: bool,
        /// PostgreSQL's message.
        message: String,
    },
    /// Anything else: usually an error in our SQL.
    #[error("query failed: {source}")]
    Query {
        /// What PostgreSQL or the driver said.
        source: QueryFailure,
    },
}

/// Why the database cannot work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    /// It cannot be reached, is starting or stopping, or refuses connections.
    Unreachable,
    /// The connection in use was lost. After a lost `COMMIT` the outcome is unknown.
    ConnectionLost,
    /// Its disk has no room: nothing can be written.
    DiskFull,
    /// It accepts no writes: a primary that became a standby.
    ReadOnly,
    /// It lacks memory, connections or locks.
    OutOfResources,
}

/// The time limits that a call can exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Of one statement; or the statement was cancelled.
    Statement,
    /// Of the wait for a lock.
    Lock,
    /// Of an idle transaction.
    IdleTransaction,
    /// Of the wait for a free connection.
    Connection,
}

/// The beginning of a statement's text, on one line. It contains no values: these are bound.
#[derive(Clone, PartialEq, Eq)]
pub struct Statement(Box<str>);

/// How many characters of a statement are kept.
const STATEMENT_CHARS_MAX: usize = 300;

impl Statement {
    pub fn new(sql: &str) -> Self {
        let mut text = String::with_capacity(sql.len().min(STATEMENT_CHARS_MAX + 4));
        for (count, word) in sql.split_whitespace().enumerate() {
            if count > 0 {
                text.push(' ');
            }
            text.push_str(word);
            if let Some((end, _)) = text.char_indices().nth(STATEMENT_CHARS_MAX) {
                text.truncate(end);
                text.push('…');
                break;
            }
        }
        Self(text.into())
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A limit in seconds, or in milliseconds where it is not a whole number of seconds.
fn limit_text(limit: &std::time::Duration) -> String {
    match limit.as_secs() {
        0 => format!("{} ms", limit.as_millis()),
        seconds => format!("{seconds} s"),
    }
}

impl DatabaseError {
    /// Classifies the driver's error for this statement.
    pub(crate) fn of(error: tokio_postgres::Error, sql: &str) -> Self {
        let mut error = Self::from(error);
        let known = match &mut error {
            Self::Timeout { statement, .. } | Self::Check { statement, .. } => Some(statement),
            Self::Query { source } => Some(&mut source.statement),
            _ => None,
        };
        if let Some(statement) = known {
            *statement = Some(Statement::new(sql));
        }
        error
    }

    /// The connection was lost, or cannot be opened.
    pub(crate) fn unreachable(reason: impl Into<String>) -> Self {
        Self::Unavailable {
            outage: Outage::Unreachable,
            reason: reason.into(),
        }
    }

    /// Whether the whole transaction may be retried with hope of success.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Serialization | Self::Deadlock)
    }

    /// Whether a statement named a table that does not exist.
    pub fn is_undefined_table(&self) -> bool {
        matches!(self.code(), Some("42P01" | "3F000"))
    }

    /// SQLSTATE of the failure, where PostgreSQL returned one and the variant keeps it.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::InvalidValue { code, .. } | Self::TooLarge { code, .. } => Some(code),
            Self::Query { source } => source.code(),
            _ => None,
        }
    }

    /// The statement that failed, where it is known and the values are not the cause.
    pub fn statement(&self) -> Option<&Statement> {
        match self {
            Self::Timeout { statement, .. } | Self::Check { statement, .. } => statement.as_ref(),
            Self::Query { source } => source.statement.as_ref(),
            _ => None,
        }
    }
}

/// An unclassified failure, complete but displayed without row contents.
pub struct QueryFailure {
    error: tokio_postgres::Error,
    statement: Option<Statement>,
}

impl QueryFailure {
    /// SQLSTATE, when the failure came from PostgreSQL rather than from the driver.
    pub fn code(&self) -> Option<&str> {
        self.error.code().map(|code| code.code())
    }

    /// The driver's error. Its chain may contain row contents: not for logs.
    pub fn inner(&self) -> &tokio_postgres::Error {
        &self.error
    }
}

impl fmt::Display for QueryFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(error) = self.error.as_db_error() else {
            // The driver's own messages name parameters and columns by number, never by value.
            return write!(f, "{}", self.error);
        };
        let code = error.code().code();
        // Class 42 names identifiers of the statement, and our statements contain no values.
        if code.starts_with("42") {
            write!(f, "{} (SQLSTATE {code})", error.message())
        } else {
            write!(f, "SQLSTATE {code}")
        }
    }
}

impl fmt::Debug for QueryFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QueryFailure({self})")
    }
}

impl std::error::Error for QueryFailure {}

/// The classes of SQLSTATEs; see [`classify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Unavailable(Outage),
    Timeout(TimeLimit),
    Unique,
    ForeignKey,
    Check,
    Serialization,
    Deadlock,
    Aborted,
    InvalidValue,
    TooLarge,
    Query,
}

/// The table. Exact codes come before classes (a code's first two characters).
const TABLE: &[(&str, Class)] = &[
    ("23505", Class::Unique),
    ("23P01", Class::Unique),
    ("23503", Class::ForeignKey),
    ("23001", Class::ForeignKey),
    ("23502", Class::Check),
    ("23514", Class::Check),
    ("25006", Class::Unavailable(Outage::ReadOnly)),
    ("25P02", Class::Aborted),
    ("25P03", Class::Timeout(TimeLimit::IdleTransaction)),
    ("3D000", Class::Unavailable(Outage::Unreachable)),
    ("40001", Class::Serialization),
    ("40P01", Class::Deadlock),
    ("53100", Class::Unavailable(Outage::DiskFull)),
    ("55P03", Class::Timeout(TimeLimit::Lock)),
    ("57014", Class::Timeout(TimeLimit::Statement)),
    ("57P01", Class::Unavailable(Outage::ConnectionLost)),
    ("57P02", Class::Unavailable(Outage::ConnectionLost)),
    ("57P03", Class::Unavailable(Outage::Unreachable)),
    ("57P05", Class::Unavailable(Outage::ConnectionLost)),
    ("08", Class::Unavailable(Outage::ConnectionLost)),
    ("22", Class::InvalidValue),
    ("28", Class::Unavailable(Outage::Unreachable)),
    ("53", Class::Unavailable(Outage::OutOfResources)),
    ("54", Class::TooLarge),
];

/// PostgreSQL's routines that build index rows. Its messages are translated on some servers,
/// routine names are not.
const INDEX_ROUTINES: &[&str] = &[
    "_bt_check_third_page",
    "index_form_tuple",
    "index_form_tuple_context",
    "GinFormTuple",
];

fn classify(code: &str) -> Class {
    TABLE
        .iter()
        .find(|(prefix, _)| code.starts_with(prefix))
        .map_or(Class::Query, |(_, class)| *class)
}

impl From<tokio_postgres::Error> for DatabaseError {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(answer) => match from_answer(answer) {
                Some(mapped) => mapped,
                None => unclassified(error),
            },
            None if is_lost(&error) => Self::Unavailable {
                outage: Outage::ConnectionLost,
                reason: describe(&error),
            },
            None => unclassified(error),
        }
    }
}

fn unclassified(error: tokio_postgres::Error) -> DatabaseError {
    let statement = None;
    DatabaseError::Query {
        source: QueryFailure { error, statement },
    }
}

fn from_answer(answer: &DbError) -> Option<DatabaseError> {
    let code = answer.code().code();
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    Some(match classify(code) {
        Class::Unavailable(outage) => DatabaseError::Unavailable {
            outage,
            reason: match outage {
                // PostgreSQL's message would name a file.
                Outage::DiskFull => "its disk is full".to_owned(),
                _ => format!("{} ({code})", answer.message()),
            },
        },
        Class::Timeout(limit) => DatabaseError::Timeout {
            limit,
            reason: answer.message().to_owned(),
            statement: None,
        },
        Class::Unique => DatabaseError::Unique {
            constraint: text(answer.constraint()),
            table: text(answer.table()),
            detail: text(answer.detail()),
        },
        Class::ForeignKey => DatabaseError::ForeignKey {
            constraint: text(answer.constraint()),
            table: text(answer.table()),
            detail: text(answer.detail()),
        },
        Class::Check => DatabaseError::Check {
            constraint: text(answer.constraint().or_else(|| answer.column())),
            table: text(answer.table()),
            statement: None,
        },
        Class::Serialization => DatabaseError::Serialization,
        Class::Deadlock => DatabaseError::Deadlock,
        Class::Aborted => DatabaseError::Aborted,
        Class::InvalidValue => DatabaseError::InvalidValue {
            code: code.to_owned(),
            message: answer.message().to_owned(),
        },
        Class::TooLarge => DatabaseError::TooLarge {
            code: code.to_owned(),
            of_index: answer
                .routine()
                .is_some_and(|one| INDEX_ROUTINES.contains(&one)),
            message: answer.message().to_owned(),
        },
        Class::Query => return None,
    })
}

/// Whether a statement failed because the disk is full.
pub(crate) fn is_disk_full(error: &tokio_postgres::Error) -> bool {
    error
        .code()
        .is_some_and(|code| classify(code.code()) == Class::Unavailable(Outage::DiskFull))
}

/// Whether the driver's error means that the connection is lost.
fn is_lost(error: &tokio_postgres::Error) -> bool {
    if error.is_closed() {
        return true;
    }
    let mut source = error.source();
    while let Some(cause) = source {
        if cause.is::<std::io::Error>() {
            // Parse and encode failures are io errors too, but of these two kinds only.
            return cause.downcast_ref::<std::io::Error>().is_some_and(|io| {
                !matches!(
                    io.kind(),
                    std::io::ErrorKind::InvalidInput | std::io::ErrorKind::InvalidData
                )
            });
        }
        source = cause.source();
    }
    false
}

/// One line for an error and its causes. Only for connection errors, which contain no row contents.
pub(crate) fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(answer) = error.as_db_error() {
        return format!("{} ({})", answer.message(), answer.code().code());
    }
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Whether a prepared statement no longer fits the tables, so that preparing it again helps.
/// PostgreSQL notices before it runs anything.
pub(crate) fn is_stale_statement(error: &tokio_postgres::Error) -> bool {
    error
        .as_db_error()
        .is_some_and(|answer| match answer.code().code() {
            "26000" => true,
            // The message is translated on some servers, the routine name is not.
            "0A000" => answer.routine() == Some("RevalidateCachedQuery"),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_maps_every_listed_code() {
        use Class::{Timeout, Unavailable};
        let cases = [
            ("08006", Unavailable(Outage::ConnectionLost)),
            ("57P01", Unavailable(Outage::ConnectionLost)),
            ("57P03", Unavailable(Outage::Unreachable)),
            ("53100", Unavailable(Outage::DiskFull)),
            ("53200", Unavailable(Outage::OutOfResources)),
            ("53300", Unavailable(Outage::OutOfResources)),
            ("25006", Unavailable(Outage::ReadOnly)),
            ("28P01", Unavailable(Outage::Unreachable)),
            ("3D000", Unavailable(Outage::Unreachable)),
            ("57014", Timeout(TimeLimit::Statement)),
            ("55P03", Timeout(TimeLimit::Lock)),
            ("25P03", Timeout(TimeLimit::IdleTransaction)),
            ("23505", Class::Unique),
            ("23P01", Class::Unique),
            ("23503", Class::ForeignKey),
            ("23001", Class::ForeignKey),
            ("23502", Class::Check),
            ("23514", Class::Check),
            ("40001", Class::Serialization),
            ("40P01", Class::Deadlock),
            ("25P02", Class::Aborted),
            ("22P02", Class::InvalidValue),
            ("22008", Class::InvalidValue),
            ("54000", Class::TooLarge),
            ("54001", Class::TooLarge),
            ("42601", Class::Query),
            ("42P01", Class::Query),
            ("0A000", Class::Query),
            ("25001", Class::Query),
        ];
        for (code, class) in cases {
            assert_eq!(classify(code), class, "{code}");
        }
    }

    #[test]
    fn of_a_statement_the_beginning_is_kept_on_one_line() {
        assert_eq!(
            Statement::new("SELECT a\n  FROM b").to_string(),
            "SELECT a FROM b"
        );
        let long = Statement::new(&"é".repeat(400)).to_string();
        assert_eq!(long.chars().count(), STATEMENT_CHARS_MAX + 1);
        assert!(long.ends_with('…'));
    }
}
