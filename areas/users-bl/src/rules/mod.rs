//! Decisions and computations, without I/O.

pub mod link;
pub mod locating;
pub mod notification;
pub mod open_transactions;
pub mod parts;

pub use open_transactions::OpenTransactions;
