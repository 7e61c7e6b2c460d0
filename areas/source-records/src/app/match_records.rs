//! Matches records by the values of their fields, for imports.

use octavo_boxed::boxed;
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

use super::Context;
use super::keep_terms::{Freshness, freshen};
use crate::expression::Tag;
use crate::store::matching;

/// Filters of one request.
pub const FILTERS_MAX: usize = 50;
/// Values of all filters together.
pub const VALUES_MAX: usize = 5_000;
/// Maximal number of matches.
pub const FOUND_MAX: i64 = 100_000;

/// The matching parameters.
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
    /// Records to skip.
    pub offset: i64,
}

/// A condition on one field.
#[derive(Debug, Clone)]
pub struct MatchFilter {
    /// The field.
    pub tag: Tag,
    /// Its indicators: a character, a blank, or `*` for any.
    pub indicators: [char; 2],
    /// The subfield; `None` for control fields.
    pub subfield: Option<char>,
    /// The values, one of which must match.
    pub values: Vec<String>,
    /// An additional condition on the value.
    pub qualifier: Option<(Qualifier, String)>,
    /// The compared part of the value; `None` for all.
    pub part: Option<Part>,
}

/// The kind of qualifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Qualifier {
    /// At the beginning.
    BeginsWith,
    EndsWith,
    /// Anywhere.
    Contains,
}

/// The compared part of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Its digits.
    Numerics,
    /// Its letters and digits.
    Alphanumerics,
}

/// The subject of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The id of a record: 999ff$s.
    MatchedId,
    /// The external id: 999ff$i.
    ExternalId,
    /// Its human-readable id: 001.
    ExternalHrid,
    /// Any other.
    Marc,
}

impl MatchFilter {
    /// The subject.
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

/// A match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identified {
    /// Its own id.
    pub record_id: Uuid,
    /// The external id.
    pub external_id: Uuid,
}

/// The result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// A page, in the order of the records' ids.
    pub records: Vec<Identified>,
    /// The total, up to [`FOUND_MAX`].
    pub total: i64,
    /// Whether all that was saved before was searched.
    pub freshness: Freshness,
}

/// The current records, deleted or not, that match the filters and have an external id.
#[boxed]
pub async fn match_records(
    context: &Context<'_>,
    matching: &Matching,
) -> Result<Matched, StoreError> {
    let (store, tenant): (&Store, &Tenant) = (context.store, context.tenant);
    let is_marc = |one: &MatchFilter| one.field() == Field::Marc;
    let freshness = if matching.filters.iter().any(is_marc) {
        freshen(store, tenant).await?
    } else {
        Freshness::Complete
    };
    let (records, total) = matching::find(&store.database, tenant, matching, FOUND_MAX).await?;
    Ok(Matched {
        records,
        total,
        freshness,
    })
}
