//! The record types of invoices.

mod exports;
mod invoices;
mod vouchers;

pub use exports::{
    batch_groups, batch_voucher_exports, batch_vouchers, credentials, export_configurations,
};
pub use invoices::{documents, invoice_lines, invoices};
pub use vouchers::{voucher_lines, vouchers};

use octavo_records::Collection;

/// mod-invoice-storage counts this many records exactly.
const EXACT_COUNT: i64 = 50_000;

fn list(table: &str, key: &str, shape: &str) -> Collection {
    Collection::new(table, key, shape)
        .exact_count(EXACT_COUNT)
        .plain_conflicts()
}
