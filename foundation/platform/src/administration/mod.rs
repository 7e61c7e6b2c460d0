//! The platform's own routes: Okapi's API, the description of all routes, the audit log, traces, advice about
//! indexes. Nothing
//! else here may know them.

pub(crate) mod audit_log;
pub mod index_advice;
pub(crate) mod okapi;
pub(crate) mod openapi;
pub(crate) mod request_traces;
