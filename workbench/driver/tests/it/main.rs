//! The driver with the test's own servers: a small FOLIO and scripted sockets.

// Clippy's exception for tests covers test functions only, not their helpers.
#![allow(clippy::unwrap_used)]

mod canned;
mod errors;
mod files;
mod groups;
mod hammer;
mod language;
mod marc;
mod mini_folio;
mod open;
mod page;
mod patrons;
mod plan;
mod pools;
mod stages;
mod support;
mod workflows;
