//! UN/EDIFACT interchanges (ISO 9735), such as the invoices (INVOIC D.96A) that booksellers send: parsed into
//! segments, split into messages, shown as FOLIO's JSON, and looked into by segment paths. It knows syntax, and
//! nothing of what a message means.

mod error;
mod json;
mod messages;
mod path;
mod segment;
mod tokens;

pub use error::{EdifactError, Fault};
pub use messages::{Message, messages};
pub use path::{PathError, SegmentPath};
pub use segment::Segment;
pub use tokens::parse;

/// Bytes of an interchange at most: it is held in memory as a whole.
pub const INTERCHANGE_BYTES_MAX: usize = 16 * 1024 * 1024;
