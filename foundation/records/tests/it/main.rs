//! The record store on a real PostgreSQL, as one binary: no HTTP, no area.

#![allow(
    clippy::unwrap_used,
    reason = "clippy's exception for tests does not reach helpers"
)]

mod advice;
mod aside;
mod backfill;
mod declared;
mod dialect;
mod kinds;
mod often_updated;
mod outbox;
mod pages;
mod search_rows;
mod shelf;
mod streams;
mod texts;
mod totals;
mod upgrades;
mod writes;
mod writes_many;
