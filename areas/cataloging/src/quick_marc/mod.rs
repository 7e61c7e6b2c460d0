//! MARC records in the form of FOLIO's editor, quickMARC: the leader as text, fields as text with `$a
//! …`, and the fixed fields 006, 007 and 008 split by the type of material. Significant blanks are shown
//! as `\`. No I/O.

mod elements;
mod read;
mod write;

pub use read::{ReadError, Today, read_record, subfields_of};
pub use write::{content_of, write_fields, write_leader};

use octavo_mapping::RecordKind;

/// The editor's name of a kind of records.
#[must_use]
pub fn format_of(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Bib => "BIBLIOGRAPHIC",
        RecordKind::Holdings => "HOLDINGS",
        RecordKind::Authority => "AUTHORITY",
    }
}

/// The kind of this name.
#[must_use]
pub fn kind_of(format: &str) -> Option<RecordKind> {
    [RecordKind::Bib, RecordKind::Holdings, RecordKind::Authority]
        .into_iter()
        .find(|kind| format_of(*kind) == format)
}

/// The sign for a blank.
const BLANK: char = '\\';
/// The escape for a dollar sign in a value.
const DOLLAR: &str = "{dollar}";

fn masked(text: &str) -> String {
    text.replace(' ', "\\")
}

fn unmasked(text: &str) -> String {
    text.replace(BLANK, " ")
}

#[cfg(test)]
mod tests;
