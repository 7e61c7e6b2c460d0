//! ISO 2709, the binary interchange format: records framed by terminators.

mod parse;
mod reader;
mod write;

pub use parse::parse;
pub use reader::Iso2709Reader;
pub use write::write;

pub(crate) const RECORD_TERMINATOR: u8 = 0x1D;
const FIELD_TERMINATOR: u8 = 0x1E;
const SUBFIELD_DELIMITER: u8 = 0x1F;
/// A directory entry: tag (3), length (4), start (5).
const ENTRY_LENGTH: usize = 12;
