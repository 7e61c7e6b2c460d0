//! The driver against servers of the test's own: a small FOLIO and scripted sockets.

// Clippy's leave for tests covers test functions only, not what helps them.
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
