//! Rows of test data: their source (a CSV file or the tenant itself), who holds them, and where
//! they go afterwards.

mod csv_file;
mod joined;
mod pool;
mod tenant;

use std::sync::Arc;

pub use csv_file::{CsvError, Table, read_rows, read_table};
pub use joined::joined;
pub use pool::{Feeders, HeldRows};
pub use tenant::{FillError, fill};

/// One row: a value for each column of its feeder. Cheap to clone.
pub type Row = Arc<[Box<str>]>;
