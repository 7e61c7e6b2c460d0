//! Guarantees of both libraries: determinism, valid references, uniqueness, complete records.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;
mod marc;
mod sample;
mod shelving;
mod small;
