//! A failure that the client did not cause: what failed, and the place in the code where it was
//! met. It is logged, and contains no values.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use octavo_postgres::{DatabaseError, Statement};
use tracing::field::{DisplayValue, display};

/// What failed, and where: at the `?` or the call that created this.
#[derive(Clone)]
pub struct Fault {
    cause: Arc<Cause>,
    at: &'static Location<'static>,
}

#[derive(Debug, thiserror::Error)]
pub enum Cause {
    #[error(transparent)]
    Database(DatabaseError),
    /// A document written by this program could not be parsed, or a value could not be serialized.
    #[error(transparent)]
    Json(JsonFault),
    /// A violated invariant of this program.
    #[error("{0}")]
    Own(String),
}

/// An error in JSON, without the values in it.
#[derive(Debug, thiserror::Error)]
#[error("JSON has the wrong form ({category}) at line {line}, column {column}")]
pub struct JsonFault {
    category: &'static str,
    line: usize,
    column: usize,
}

impl From<&serde_json::Error> for JsonFault {
    fn from(error: &serde_json::Error) -> JsonFault {
        use serde_json::error::Category;
        JsonFault {
            category: match error.classify() {
                Category::Io => "input",
                Category::Syntax => "syntax",
                Category::Data => "type of a value",
                Category::Eof => "cut off",
            },
            line: error.line(),
            column: error.column(),
        }
    }
}

impl Fault {
    #[track_caller]
    pub fn new(reason: impl fmt::Display) -> Fault {
        Fault::at(Location::caller(), Cause::Own(reason.to_string()))
    }

    pub(crate) fn at(at: &'static Location<'static>, cause: Cause) -> Fault {
        let cause = Arc::new(cause);
        Fault { cause, at }
    }

    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    /// Logs a failed request with the place, the SQLSTATE and the statement.
    pub fn log(&self) {
        let (sqlstate, statement) = self.statement();
        tracing::error!(error = %self, at = %self.at, sqlstate, statement, "request failed");
    }

    /// The same for a temporary failure: the database is down, or slow.
    pub fn log_outage(&self) {
        let (sqlstate, statement) = self.statement();
        tracing::warn!(error = %self, at = %self.at, sqlstate, statement, "the database did not serve a request");
    }

    fn statement(&self) -> (Option<&str>, Option<DisplayValue<&Statement>>) {
        match self.cause() {
            Cause::Database(error) => (error.code(), error.statement().map(display)),
            Cause::Json(_) | Cause::Own(_) => (None, None),
        }
    }
}

impl From<serde_json::Error> for Fault {
    #[track_caller]
    fn from(error: serde_json::Error) -> Fault {
        Fault::at(Location::caller(), Cause::Json(JsonFault::from(&error)))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({self} at {})", self.at)
    }
}

#[cfg(test)]
mod tests {
    use crate::StoreError;

    fn read(text: &str) -> Result<u32, StoreError> {
        Ok(serde_json::from_str(text)?)
    }

    #[test]
    fn a_fault_says_where_it_arose_and_no_value() {
        let here = line!() - 5;
        let fault = match read(r#""Anna Berg""#) {
            Err(StoreError::Fault(fault)) => format!("{fault:?}"),
            other => panic!("{other:?}"),
        };
        assert!(fault.contains(&format!("fault.rs:{here}:")), "{fault}");
        assert!(!fault.contains("Anna"), "{fault}");
        let made = StoreError::fault("no table").to_string();
        assert_eq!(made, "no table");
    }
}
