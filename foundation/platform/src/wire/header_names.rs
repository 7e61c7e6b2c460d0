//! The names of Okapi's headers.

use http::HeaderName;

pub const TENANT: HeaderName = HeaderName::from_static("x-okapi-tenant");
/// The header that carries the token, both ways.
pub const TOKEN: HeaderName = HeaderName::from_static("x-okapi-token");
