//! The driver against servers of the test's own: a small FOLIO and scripted sockets.

mod client;
mod errors;
mod files;
mod hammer;
mod mini_folio;
mod plan;
mod pools;
mod support;
mod tls;
