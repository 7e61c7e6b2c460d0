//! This area's own statements. It has no tables: it reads those of the other areas.

pub mod composite;
pub mod locate;
pub mod permissions;
pub mod settings;
pub mod transactions;

pub use octavo_records::Tables;
