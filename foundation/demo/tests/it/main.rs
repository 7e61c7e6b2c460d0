//! What both libraries promise: determinism, references that resolve, uniqueness, complete records.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;
mod marc;
mod sample;
mod shelving;
mod small;
