//! What a collection's routes do beside the generic operations. An area declares it with the routes; what
//! a hook does not say is as FOLIO's storages have it.

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

/// What the routes of one collection do beside the generic operations.
#[derive(Debug, Clone, Copy)]
pub struct Hooks {
    /// Looks at a request before anything else does.
    pub arrived: fn(&Call, Operation) -> Result<(), ApiError>,
    /// Reads the parameters of a list.
    pub paging: fn(&Call) -> Result<Paging, ApiError>,
    /// Narrows or orders what a list's query asks for.
    pub plan: Option<ChangePlan>,
    /// The rows of a list; the stored records without it.
    pub page: Option<View>,
    /// One record by itself, and a new one as it is answered with.
    pub one: Option<View>,
    /// Whether the caller may see a record; one who may not is told that there is none.
    pub visible: Option<fn(&Call, &Value) -> bool>,
    /// Reads the id of the path.
    pub id: fn(&Call) -> Result<Uuid, ApiError>,
    /// Reads the body.
    pub body: fn(&Call, Write) -> Result<Value, ApiError>,
    /// Looks at a document before it is stored, and completes it.
    pub before: fn(&Call, Write, &mut Value) -> Result<(), ApiError>,
    /// What follows when a document is stored.
    pub after: Option<After>,
    /// The words for what the store refuses.
    pub wording: fn(Refused<'_>) -> ApiError,
    /// The form of every refusal of a request before it comes to the store.
    pub form: fn(ApiError) -> ApiError,
    /// The answer to a new record.
    pub created: fn(&Collection, Uuid, Bytes) -> Response,
    /// What a record that was replaced is answered with.
    pub replaced: Replaced,
}

/// SQL that composes what clients see of the records that a plan finds: limit and offset come last.
pub type View = fn(Tables<'_>, &Plan, i64, i64) -> Sql;

/// Changes what a list's query asks for.
pub type ChangePlan = fn(&Call, &Collection, &mut Plan) -> Result<(), ApiError>;

/// What follows a write, before it is answered.
pub type After = for<'a> fn(&'a Call, Write) -> BoxFuture<'a, Result<(), ApiError>>;

/// Which document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// A new one.
    Create,
    /// One in place of the record of this id.
    Replace(Uuid),
}

/// The answer to a record that was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// 204.
    Nothing,
    /// 200 with the record.
    Record,
}

/// What the store refused, and of what.
#[derive(Debug)]
pub struct Refused<'a> {
    /// The request.
    pub call: &'a Call,
    /// The collection that it is about.
    pub collection: &'a Collection,
    /// What it asked for.
    pub operation: Operation,
    /// The id of the path, where there is one.
    pub id: Option<Uuid>,
    /// Why not.
    pub error: StoreError,
}

impl Refused<'_> {
    /// The refusal in the words of FOLIO's storages.
    #[must_use]
    pub fn as_stored(self) -> ApiError {
        let missing = self.collection.missing;
        match self.operation {
            Operation::Read => of_record(self.error, missing.read),
            Operation::Replace | Operation::Delete => of_record(self.error, missing.change),
            _ => self.error.into(),
        }
    }

    /// The id of the path, for sentences that name what is missing.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id.unwrap_or_default()
    }
}

impl Hooks {
    /// The generic operations as they are.
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
