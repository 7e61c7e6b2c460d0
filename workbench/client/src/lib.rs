//! A small, fast HTTP/1.1 client: one connection for each virtual user, requests as ready bytes,
//! responses read into one reused buffer. It follows no redirects and does not know FOLIO.

mod client;
mod endpoint;
mod response;
mod stream;
mod tls;

pub use client::{Client, Exchange, Fault, Limits};
pub use endpoint::{Endpoint, EndpointError, Trust};
pub use tls::connector;

/// A response with more header lines is an error.
pub const HEADERS_MAX: usize = 64;
