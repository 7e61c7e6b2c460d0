//! MARCXML: records as XML elements, alone or in a collection, with or without namespaces.

mod parse;
mod reader;
mod write;

pub use reader::XmlReader;
pub use write::{write_collection, write_record};

/// The namespace of MARCXML.
const NAMESPACE: &str = "http://www.loc.gov/MARC21/slim";
