//! The record: a leader and flat, ordered fields.
//!
//! Order is preserved and tags may repeat and interleave, because catalogues rely on both.

use crate::{Leader, Tag};

/// A MARC record: leader and fields in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub leader: Leader,
    /// The fields in the record's order.
    pub fields: Vec<Field>,
}

/// A field: a bare value or subfields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// A control field such as 001 or 008.
    Control(ControlField),
    /// A field with indicators and subfields.
    Data(DataField),
}

/// A field with a bare value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ControlField {
    pub tag: Tag,
    pub value: String,
}

/// A field with two indicators and ordered subfields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataField {
    pub tag: Tag,
    /// The two indicators; blank is a space.
    pub indicators: [char; 2],
    /// The subfields in the field's order.
    pub subfields: Vec<Subfield>,
}

/// A coded part of a data field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Subfield {
    /// The code, such as `a`.
    pub code: char,
    pub value: String,
}

impl Record {
    /// The value of the first control field of this tag.
    pub fn control(&self, tag: &str) -> Option<&str> {
        self.fields.iter().find_map(|field| match field {
            Field::Control(control) if control.tag == tag => Some(control.value.as_str()),
            _ => None,
        })
    }

    /// All data fields, in order.
    pub fn data_fields(&self) -> impl Iterator<Item = &DataField> {
        self.fields.iter().filter_map(|field| match field {
            Field::Data(data) => Some(data),
            Field::Control(_) => None,
        })
    }

    /// The data fields of this tag, in order.
    pub fn data<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a DataField> {
        self.data_fields().filter(move |field| field.tag == tag)
    }
}

impl Field {
    pub fn tag(&self) -> Tag {
        match self {
            Field::Control(control) => control.tag,
            Field::Data(data) => data.tag,
        }
    }
}

impl DataField {
    /// The first subfield value of this code.
    pub fn get(&self, code: char) -> Option<&str> {
        self.values(code).next()
    }

    /// The subfield values of this code, in order.
    pub fn values(&self, code: char) -> impl Iterator<Item = &str> {
        self.subfields
            .iter()
            .filter(move |subfield| subfield.code == code)
            .map(|subfield| subfield.value.as_str())
    }
}
