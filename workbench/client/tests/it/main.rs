//! The client against sockets of the test's own, plain and with TLS.

// Clippy's leave for tests covers test functions only, not what helps them.
#![allow(clippy::unwrap_used)]

mod client;
mod support;
mod tls;
