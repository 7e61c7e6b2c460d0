//! The statements of orders. Values are bound; tables are named with the tenant's schema.

pub mod classes;
pub mod config;
pub mod imports;
pub mod invariants;
pub mod inventory;
pub mod invoices;
#[cfg(test)]
mod limits;
pub mod lines;
pub mod numbers;
pub mod people;
pub mod pieces;
pub mod rollovers;
pub mod titles;
pub mod units;
pub mod usage;
pub mod views;

pub use octavo_records::Tables;

use octavo_postgres::Row;
use serde_json::Value;

use crate::rules::doc::{Doc, object};

/// The documents of rows.
fn docs(rows: &[Row]) -> Vec<Doc> {
    rows.iter()
        .map(|row| object(row.get::<_, Value>("jsonb")))
        .collect()
}
