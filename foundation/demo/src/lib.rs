//! A library's data as FOLIO records: the small demo library, and large ones generated from a seed.
//!
//! Pure and deterministic: the same seed, time and policies give the same documents, byte for byte.
//! Nothing here does I/O or knows a database; the caller copies the documents into tables.
//! Reference data (types, groups, service points, policies) must already be loaded: the documents
//! refer to the ids that FOLIO ships.

mod barcode;
mod calendars;
mod clock;
mod document;
mod identity;
mod json;
mod locations;
mod policies;
mod record;
pub mod reference;
mod sample;
mod small;

pub use barcode::{item_barcode, patron_barcode};
pub use document::{Document, PLACE_TABLES, table};
pub use locations::locations;
pub use policies::Policies;
pub use sample::{SampleError, SampleLibrary, SampleOrders, SampleSize, sample_library};
pub use small::small_library;
