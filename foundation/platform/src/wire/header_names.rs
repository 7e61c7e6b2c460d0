//! The names of the headers that Okapi's clients and modules know.

use http::HeaderName;

/// The header that names the tenant.
pub const TENANT: HeaderName = HeaderName::from_static("x-okapi-tenant");
/// The header that carries the token, both ways.
pub const TOKEN: HeaderName = HeaderName::from_static("x-okapi-token");
