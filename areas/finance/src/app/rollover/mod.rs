//! Rollovers of ledgers: begun by a request, done in the background. The books are one transaction; orders
//! follow in portions.

mod begin;
mod books;
mod budgets;
mod encumbrances;
mod mail;
mod remove;
mod report;
mod work;

pub use begin::begin;
pub use remove::remove;
pub use work::{QUEUE, Rollovers};
