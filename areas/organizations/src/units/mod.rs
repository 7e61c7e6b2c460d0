//! Acquisitions units: who may see and change which records of acquisitions.
//!
//! The decision knows no database. The units and memberships are records of orders, an area to the right,
//! and are read by the names of their tables, so that organizations, finance, orders and invoices share this.

mod decide;
mod store;

pub use decide::{Operation, Restricted, Unit, Units, of_record, readable};
pub use store::{standing, visible};
