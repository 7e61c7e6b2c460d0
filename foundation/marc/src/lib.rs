//! MARC 21 records: ISO 2709, MARCXML and FOLIO's MARC in JSON.
//!
//! Reading is lenient (real files have wrong lengths and character sets) and never stops at one
//! malformed record; writing is strict. This crate knows the formats only, not what a field means
//! to a library, and does no I/O beyond the reader that it is given.

mod charset;
mod error;
mod frame;
mod iso2709;
mod json;
mod json_read;
mod json_write;
mod leader;
mod marc8;
mod open;
mod record;
mod tag;
mod text;
mod xml;

pub use error::{Malformed, RecordError, Warning, WriteError};
pub use frame::{RECORD_BYTES_MAX, RECORD_FIELDS_MAX};
pub use iso2709::{Iso2709Reader, parse as parse_iso2709, write as write_iso2709};
pub use json::JsonError;
pub use leader::Leader;
pub use marc8::decode as decode_marc8;
pub use open::{Format, MarcReader};
pub use record::{ControlField, DataField, Field, Record, Subfield};
pub use tag::Tag;
pub use text::{TextError, parse as parse_text};
pub use xml::{XmlReader, write_collection as write_xml_collection, write_record as write_xml};
