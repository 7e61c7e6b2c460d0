//! What records are matched by: filters on the values of their fields, without I/O.

use uuid::Uuid;

use crate::expression::Tag;

/// What is matched.
#[derive(Debug, Clone)]
pub struct Matching {
    /// Whether one filter is enough.
    pub any: bool,
    /// The filters; at least one.
    pub filters: Vec<MatchFilter>,
    /// `MARC_BIB`, `MARC_HOLDING` or `MARC_AUTHORITY`.
    pub record_type: String,
    /// Records at most.
    pub limit: i64,
    /// Records that are passed over.
    pub offset: i64,
}

/// A condition on one field.
#[derive(Debug, Clone)]
pub struct MatchFilter {
    /// The field.
    pub tag: Tag,
    /// Its indicators: a character, a blank, or `*` for any.
    pub indicators: [char; 2],
    /// The subfield; nothing for control fields.
    pub subfield: Option<char>,
    /// One of these is its value.
    pub values: Vec<String>,
    /// What the value must have beside.
    pub qualifier: Option<(Qualifier, String)>,
    /// What of the value is compared; nothing means all.
    pub part: Option<Part>,
}

/// Where a qualifier is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Qualifier {
    /// At the beginning.
    BeginsWith,
    /// At the end.
    EndsWith,
    /// Anywhere.
    Contains,
}

/// What of a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its digits.
    Numerics,
    /// Its letters and digits.
    Alphanumerics,
}

/// What a filter is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The id of a record: 999ff$s.
    MatchedId,
    /// The id of what it describes: 999ff$i.
    ExternalId,
    /// Its human-readable id: 001.
    ExternalHrid,
    /// Any other.
    Marc,
}

impl MatchFilter {
    /// What it is about.
    #[must_use]
    pub fn field(&self) -> Field {
        match (self.tag.as_str(), self.indicators, self.subfield) {
            ("999", ['f', 'f'], Some('s')) => Field::MatchedId,
            ("999", ['f', 'f'], Some('i')) => Field::ExternalId,
            ("001", [' ', ' '], None) => Field::ExternalHrid,
            _ => Field::Marc,
        }
    }
}

/// A record that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identified {
    /// Its own id.
    pub record_id: Uuid,
    /// The id of what it describes.
    pub external_id: Uuid,
}
