//! The platform's own routes: Okapi's API, the description of all routes, advice about indexes. Nothing
//! else here may know them.

pub mod index_advice;
pub(crate) mod okapi;
pub(crate) mod openapi;
