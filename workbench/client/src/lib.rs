//! A small HTTP/1.1 client that costs little: one connection a virtual user, requests as ready
//! bytes, answers read into one reused buffer. It follows no redirect and knows no FOLIO.

mod client;
mod endpoint;
mod response;
mod stream;
mod tls;

pub use client::{Client, Exchange, Fault, Limits};
pub use endpoint::{Endpoint, EndpointError, Trust};
pub use tls::connector;

/// More header lines than this in an answer are an error.
pub const HEADERS_MAX: usize = 64;
