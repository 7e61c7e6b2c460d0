//! What a library sets up before it charges, and blocks: lists whose refusals FOLIO words by hand.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::run;
use octavo_platform::respond::created;
use octavo_platform::{ApiError, Call, Operation};
use octavo_records::StoreError;

use super::collection;

/// Such a list.
#[derive(Debug, Clone, Copy)]
pub struct PlainList {
    /// Its table.
    pub table: &'static str,
    /// What FOLIO calls one of its records where there is none.
    pub object: &'static str,
}

impl PlainList {
    /// One record.
    ///
    /// # Errors
    /// 404 when there is none.
    pub async fn read(self, call: Call) -> Result<Response, ApiError> {
        let read = run(Operation::Read, collection(&call, self.table), call.clone()).await;
        read.map_err(|error| none(error, &self.missing()))
    }

    /// 201 with the record.
    ///
    /// # Errors
    /// 422 when it does not fit, 400 when it is there already or names what is not.
    pub async fn create(self, call: Call) -> Result<Response, ApiError> {
        let document = call.record()?;
        let (store, stamp) = (call.store(), call.stamp());
        let made = store.create(
            &call.tenant,
            collection(&call, self.table),
            document,
            &stamp,
        );
        match made.await {
            Ok((id, stored)) => Ok(created(stored, &id.to_string())),
            Err(StoreError::Duplicate { .. } | StoreError::MissingReference { .. }) => {
                Err(ApiError::bad_request("Unable to process request"))
            }
            Err(other) => Err(other.into()),
        }
    }

    /// 204.
    ///
    /// # Errors
    /// 404 when there is none, 422 when it does not fit.
    pub async fn replace(self, call: Call) -> Result<Response, ApiError> {
        let operation = Operation::Replace;
        let replaced = run(operation, collection(&call, self.table), call.clone()).await;
        replaced.map_err(|error| none(error, NOT_FOUND))
    }

    /// 204.
    ///
    /// # Errors
    /// 404 when there is none, 400 while others name it.
    pub async fn delete(self, call: Call) -> Result<Response, ApiError> {
        let operation = Operation::Delete;
        let deleted = run(operation, collection(&call, self.table), call.clone()).await;
        deleted.map_err(|error| none(error, NOT_FOUND))
    }

    fn missing(self) -> String {
        missing(self.object)
    }
}

/// What is said when a record that is to be changed is none.
pub const NOT_FOUND: &str = "Record Not Found";

/// What is said when a record that is asked for is none.
#[must_use]
pub fn missing(object: &str) -> String {
    format!("{object}Object does not exist")
}

/// The refusal, in these words when there is no such record.
pub fn none(error: ApiError, sentence: &str) -> ApiError {
    match error.status() {
        StatusCode::NOT_FOUND => ApiError::text(StatusCode::NOT_FOUND, sentence),
        _ => error,
    }
}
