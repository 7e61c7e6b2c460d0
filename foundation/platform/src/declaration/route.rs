//! Routes: method, path pattern, access, and handler.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::response::Response;
use http::Method;
use octavo_records::retried;

use crate::call::Call;
use crate::error::ApiError;
use crate::records_http::Hooks;

#[derive(Debug)]
pub struct Route {
    pub method: Method,
    /// FOLIO's pattern; `{id}` stands for one segment.
    pub pattern: &'static str,
    pub access: Access,
    /// Permissions that the handler checks if the user has them.
    pub desired: &'static [&'static str],
    pub handler: Handler,
    /// The hooks of a generic operation.
    pub hooks: &'static Hooks,
    /// Whether the handler reads the body as a stream, with [`Call::upload`].
    pub streamed: bool,
    /// The request body, where an area's own function takes a declared record.
    pub takes: Option<Content>,
    /// The body of successful responses, where an area's own function returns declared records.
    pub answers: Option<Content>,
}

/// The content of a body. The program only describes it; tests compare every body with it
/// ([`Governance::checks_contents`](crate::Governance)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A record of a table.
    Record(&'static str),
    /// A page of a table's records.
    List(&'static str),
    /// A shape of its own, declared by [`Module::shapes`](crate::Module::shapes).
    Shape(&'static str),
}

impl Content {
    /// The table or the shape.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Content::Record(name) | Content::List(name) | Content::Shape(name) => name,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Anyone, with or without a token.
    Public,
    /// Any user of the tenant with a valid token.
    LoggedIn,
    /// A user who has this permission.
    Permission(String),
}

/// The future of a response.
pub type Answer = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;

type Function = Arc<dyn Fn(Call) -> Answer + Send + Sync>;

#[derive(Clone)]
pub enum Handler {
    /// A generic operation on the collection of a table.
    Records(Operation, &'static str),
    /// A function of an area.
    Call(Function),
}

/// The generic operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A page of records by CQL.
    List,
    Read,
    Create,
    Replace,
    Delete,
    /// Deletes all records that match a query.
    DeleteByQuery,
    /// Deletes all records that match a query, or all records without one.
    Clear,
}

impl Handler {
    /// A handler that is a function of an area.
    pub fn call<F, R>(function: F) -> Handler
    where
        F: Fn(Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Response, ApiError>> + Send + 'static,
    {
        Handler::Call(Arc::new(move |call| Box::pin(function(call))))
    }

    /// A handler that is one transaction as a whole. After a conflict that rolled it back it is
    /// called again with the same request.
    pub fn transaction<F, R>(function: F) -> Handler
    where
        F: Fn(Call) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Response, ApiError>> + Send + 'static,
    {
        let function = Arc::new(function);
        Handler::call(move |call: Call| {
            let function = Arc::clone(&function);
            async move { retried(|| function(call.clone())).await }
        })
    }

    #[must_use]
    pub fn list(table: &'static str) -> Handler {
        Handler::Records(Operation::List, table)
    }

    #[must_use]
    pub fn read(table: &'static str) -> Handler {
        Handler::Records(Operation::Read, table)
    }

    #[must_use]
    pub fn create(table: &'static str) -> Handler {
        Handler::Records(Operation::Create, table)
    }

    #[must_use]
    pub fn replace(table: &'static str) -> Handler {
        Handler::Records(Operation::Replace, table)
    }

    #[must_use]
    pub fn delete(table: &'static str) -> Handler {
        Handler::Records(Operation::Delete, table)
    }

    #[must_use]
    pub fn delete_by_query(table: &'static str) -> Handler {
        Handler::Records(Operation::DeleteByQuery, table)
    }

    #[must_use]
    pub fn clear(table: &'static str) -> Handler {
        Handler::Records(Operation::Clear, table)
    }
}

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Handler::Records(operation, table) => write!(f, "{operation:?} {table}"),
            Handler::Call(_) => f.write_str("call"),
        }
    }
}
