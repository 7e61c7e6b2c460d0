//! The platform's own routes: Okapi's API, the OpenAPI description, the audit log, traces, index
//! advice. Other modules of this crate must not use them.

pub(crate) mod audit_log;
pub mod index_advice;
pub(crate) mod okapi;
pub mod openapi;
pub(crate) mod request_traces;
pub(crate) mod timer_runs;
