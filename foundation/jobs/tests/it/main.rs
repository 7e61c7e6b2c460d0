//! The queue's promises, on real PostgreSQL: each portion once, whoever dies when.
#![allow(clippy::unwrap_used)]

mod counting;
mod order;
mod portions;
mod retries;
mod runtime;
mod stopping;
