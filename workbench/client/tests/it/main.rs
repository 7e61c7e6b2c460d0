//! The client with the test's own servers, plain and with TLS.

// Clippy's exception for tests covers test functions only, not their helpers.
#![allow(clippy::unwrap_used)]

mod client;
mod support;
mod tls;
