//! Matches records by the values of their fields, for imports.

use octavo_boxed::boxed;
use octavo_records::{Store, StoreError, Tenant};

use super::Context;
use super::keep_terms::{Freshness, freshen};
pub use crate::matching::{Field, Identified, MatchFilter, Matching, Part, Qualifier};
use crate::store::matching;

/// Filters of one request.
pub const FILTERS_MAX: usize = 50;
/// Values of all filters together.
pub const VALUES_MAX: usize = 5_000;
/// Maximal number of matches.
pub const FOUND_MAX: i64 = 100_000;

/// What was found.
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
