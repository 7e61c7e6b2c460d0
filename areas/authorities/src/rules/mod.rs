//! Decisions about authorities and their links, without I/O.

pub mod change;
pub mod headings;
pub mod linking;
pub mod source_file;
pub mod suggest;
