//! Hooks: what a collection's routes do besides the generic operations. An area declares them with
//! the routes; the defaults follow FOLIO's storage modules.

use axum::response::Response;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, StoreError, Tables};
use serde_json::Value;
use uuid::Uuid;

use crate::call::{Call, Paging};
use crate::error::{ApiError, of_record};
use crate::respond::created;
use crate::route::Operation;

/// The hooks of one collection's routes.
#[derive(Debug, Clone, Copy)]
pub struct Hooks {
    /// Checks a request before anything else.
    pub arrived: fn(&Call, Operation) -> Result<(), ApiError>,
    /// Parses the parameters of a list.
    pub paging: fn(&Call) -> Result<Paging, ApiError>,
    /// Restricts or orders a list.
    pub plan: Option<ChangePlan>,
    /// The view for the rows of a list; stored records without it.
    pub page: Option<View>,
    /// The view for a single record, also in the response to its creation.
    pub one: Option<View>,
    /// Whether the caller may see a record; otherwise the response is 404.
    pub visible: Option<fn(&Call, &Value) -> bool>,
    /// Parses the id in the path.
    pub id: fn(&Call) -> Result<Uuid, ApiError>,
    /// Parses the body.
    pub body: fn(&Call, Write) -> Result<Value, ApiError>,
    /// Checks and completes a document before it is stored.
    pub before: fn(&Call, Write, &mut Value) -> Result<(), ApiError>,
    /// Follow-up work after a document is stored.
    pub after: Option<After>,
    /// Maps an error of the store to a response.
    pub wording: fn(Refused<'_>) -> ApiError,
    /// Changes the form of errors that arise before the store is called.
    pub form: fn(ApiError) -> ApiError,
    /// The response to a creation.
    pub created: fn(&Collection, Uuid, Bytes) -> Response,
    /// The response to a replacement.
    pub replaced: Replaced,
}

/// SQL that composes what clients see of the records that a plan finds; the last arguments are
/// limit and offset.
pub type View = fn(Tables<'_>, &Plan, i64, i64) -> Sql;

/// Changes the plan of a list.
pub type ChangePlan = fn(&Call, &Collection, &mut Plan) -> Result<(), ApiError>;

/// Follow-up work after a write, before its response.
pub type After = for<'a> fn(&'a Call, Write) -> BoxFuture<'a, Result<(), ApiError>>;

/// Which document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// A new record.
    Create,
    /// A replacement of the record with this id.
    Replace(Uuid),
}

/// The response to a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// 204.
    Nothing,
    /// 200 with the record.
    Record,
}

/// An error of the store with its context.
#[derive(Debug)]
pub struct Refused<'a> {
    pub call: &'a Call,
    pub collection: &'a Collection,
    pub operation: Operation,
    /// The id in the path, if there is one.
    pub id: Option<Uuid>,
    pub error: StoreError,
}

impl Refused<'_> {
    /// The response of FOLIO's storage modules to this error.
    #[must_use]
    pub fn as_stored(self) -> ApiError {
        let missing = self.collection.missing;
        match self.operation {
            Operation::Read => of_record(self.error, missing.read),
            Operation::Replace | Operation::Delete => of_record(self.error, missing.change),
            _ => self.error.into(),
        }
    }

    /// The id in the path, for messages that name the missing record.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id.unwrap_or_default()
    }
}

impl Hooks {
    /// The generic operations without hooks.
    pub const NONE: Hooks = Hooks {
        arrived: |_, _| Ok(()),
        paging: Call::paging,
        plan: None,
        page: None,
        one: None,
        visible: None,
        id: Call::id,
        body: |call, _| call.record(),
        before: |_, _, _| Ok(()),
        after: None,
        wording: |refused| refused.as_stored(),
        form: |error| error,
        created: |collection, id, stored| created(stored, &collection.location_of(id)),
        replaced: Replaced::Nothing,
    };
}
