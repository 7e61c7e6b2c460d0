//! The arithmetic and the decisions of invoices, without I/O.

pub mod adjustment;
pub mod amount;
pub mod batch_voucher;
pub mod distribution;
pub mod document;
pub mod edifact;
pub mod links;
pub mod parts;
pub mod prorate;
pub mod protected;
pub mod schedule;
pub mod share;
pub mod status;
pub mod totals;
pub mod upload_target;
pub mod voucher_lines;
