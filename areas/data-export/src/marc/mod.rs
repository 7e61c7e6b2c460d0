//! Exported MARC, without I/O: change detection, the form of a record, and its bytes in each format.

mod form;
mod format;
mod insert;
mod kept;
mod quick;

pub use form::{Form, Leaving, Now, Shaping, StoredRecord, shape};
pub use format::{Format, Unwritable, footer, header, write};
pub use insert::{insert_in_place, without_fields};
pub use kept::{is_own, is_unchanged};
pub use quick::unchanged_by_text;
