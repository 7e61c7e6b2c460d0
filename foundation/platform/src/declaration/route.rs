//! Routes: method, path pattern, who may call, and what answers.

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

/// One route of an interface.
#[derive(Debug)]
pub struct Route {
    /// The HTTP method.
    pub method: Method,
    /// FOLIO's pattern; `{id}` stands for one segment.
    pub pattern: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Permissions the handler looks at when the user has them.
    pub desired: &'static [&'static str],
    /// What answers.
    pub handler: Handler,
    /// What a generic operation does beside what it always does.
    pub hooks: &'static Hooks,
    /// Whether the handler reads the body as it comes, with [`Call::upload`].
    pub streamed: bool,
    /// What the body of a request holds, where an area's own function takes a declared record.
    pub takes: Option<Content>,
    /// What the body of a good answer holds, where an area's own function gives declared records.
    pub answers: Option<Content>,
}

/// What a body holds, by the table that the record type belongs to. Only described, not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// One record.
    Record(&'static str),
    /// A page of records.
    List(&'static str),
}

/// Who may call a route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Anyone, token or not.
    Public,
    /// Any user of the tenant with a valid token.
    LoggedIn,
    /// A user who has this permission.
    Permission(String),
}

/// The future of an answer.
pub type Answer = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;

type Function = Arc<dyn Fn(Call) -> Answer + Send + Sync>;

/// What answers a route.
#[derive(Clone)]
pub enum Handler {
    /// One of the generic operations on the collection of a table.
    Records(Operation, &'static str),
    /// A function of an area.
    Call(Function),
}

/// The generic operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A page of records by CQL.
    List,
    /// One record.
    Read,
    /// A new record.
    Create,
    /// A record replaced.
    Replace,
    /// A record deleted.
    Delete,
    /// All records that match deleted.
    DeleteByQuery,
    /// The same; without a query all records.
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

    /// A handler that is one transaction, whole: when others were in its way, so that nothing of it
    /// was kept, it is called again with the same request.
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

    /// A page of records.
    #[must_use]
    pub fn list(table: &'static str) -> Handler {
        Handler::Records(Operation::List, table)
    }

    /// One record.
    #[must_use]
    pub fn read(table: &'static str) -> Handler {
        Handler::Records(Operation::Read, table)
    }

    /// A new record.
    #[must_use]
    pub fn create(table: &'static str) -> Handler {
        Handler::Records(Operation::Create, table)
    }

    /// A record replaced.
    #[must_use]
    pub fn replace(table: &'static str) -> Handler {
        Handler::Records(Operation::Replace, table)
    }

    /// A record deleted.
    #[must_use]
    pub fn delete(table: &'static str) -> Handler {
        Handler::Records(Operation::Delete, table)
    }

    /// All records that match a query deleted.
    #[must_use]
    pub fn delete_by_query(table: &'static str) -> Handler {
        Handler::Records(Operation::DeleteByQuery, table)
    }

    /// All records deleted, or those that match a query.
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
