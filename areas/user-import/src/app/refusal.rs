//! Errors that end an import, and the messages of refused users.

use octavo_platform::ApiError;
use octavo_records::{Contention, StoreError};
use octavo_users::Writing;
use octavo_users::app::Refusal;
use serde_json::Value;

/// An error that ends an import.
#[derive(Debug)]
pub enum Fault {
    /// An included record is refused; with FOLIO's message.
    Refused(String),
    /// A database error.
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        Fault::Store(error)
    }
}

impl From<octavo_postgres::DatabaseError> for Fault {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Fault {
        Fault::Store(error.into())
    }
}

impl Contention for Fault {
    fn is_contention(&self) -> bool {
        matches!(self, Fault::Store(error) if error.is_contention())
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Refused(sentence) => f.write_str(sentence),
            Fault::Store(error) => error.fmt(f),
        }
    }
}

/// Whether the error would fail for the next user too.
pub(super) fn is_fault(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Contended
            | StoreError::Timeout(_)
            | StoreError::Unavailable(..)
            | StoreError::Busy(_)
            | StoreError::Fault(_)
    )
}

/// mod-users' message for a refused user.
pub(super) fn sentence(refusal: Refusal, writing: Writing) -> String {
    of_answer(octavo_users::refused(refusal, writing))
}

/// The messages in a response.
pub(super) fn of_answer(answer: ApiError) -> String {
    match answer {
        ApiError::Text(_, sentence) => sentence,
        ApiError::Errors(_, errors) => {
            let each: Vec<String> = errors.iter().map(of_error).collect();
            each.join("; ")
        }
        ApiError::Json(_, error) => of_error(&error),
        other => other.status().to_string(),
    }
}

fn of_error(error: &Value) -> String {
    let message = error["message"].as_str().unwrap_or_default();
    let parameter = &error["parameters"][0];
    match (parameter["key"].as_str(), parameter["value"].as_str()) {
        (Some(key), Some(value)) if !key.is_empty() && !message.contains(value) => {
            format!("{message} ({key}: {value})")
        }
        (Some(key), _) if !key.is_empty() && !message.contains(key) => {
            format!("{message} ({key})")
        }
        _ => message.to_owned(),
    }
}
