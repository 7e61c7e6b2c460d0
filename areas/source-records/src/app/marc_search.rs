//! Searching in MARC by FOLIO's expressions.

use octavo_boxed::boxed;
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

use super::Context;
use super::keep_terms::{Freshness, freshen};
use crate::expression::{Expression, ExpressionError, parse};
use crate::store::marc_known::TermStatistics;
use crate::store::marc_search::{COMMON_MIN, MarcSearch, Probe, is_exact};
use crate::terms::Entry;

/// Factor by which matches may be sparser than statistics suggest before the scan in order is given up:
/// comparisons that are each common may rarely hold together.
const UNEVEN: i64 = 4;
/// Rows that such a scan reads in any case.
const COMMON_ROWS: i64 = 2_000;

/// Why a search is refused.
#[derive(Debug, thiserror::Error)]
pub enum SearchRefusal {
    /// An expression is invalid.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// There is no expression.
    #[error("The 'leaderSearchExpression' and the 'fieldsSearchExpression' are missing")]
    Missing,
    /// Records of this type have no MARC.
    #[error("Unknown record type {0}")]
    RecordType(String),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The parameters of a search.
#[derive(Debug, Clone, Copy)]
pub struct MarcQuery<'a> {
    /// The leader's expression.
    pub leader: Option<&'a str>,
    /// The fields' expression.
    pub fields: Option<&'a str>,
    /// `MARC_BIB`, `MARC_HOLDING` or `MARC_AUTHORITY`.
    pub record_type: &'a str,
    /// With `false`, deleted records are not found.
    pub deleted: Option<bool>,
    /// Whether they are hidden from discovery.
    pub suppressed: Option<bool>,
}

impl<'a> MarcQuery<'a> {
    /// Searches bibliographic records that are not deleted by an expression on their fields.
    #[must_use]
    pub fn bibs(fields: &'a str) -> MarcQuery<'a> {
        MarcQuery {
            leader: None,
            fields: Some(fields),
            record_type: "MARC_BIB",
            deleted: Some(false),
            suppressed: None,
        }
    }

    /// Reads the expressions.
    ///
    /// # Errors
    /// When one of them is invalid.
    pub fn read(&self) -> Result<MarcSearch, SearchRefusal> {
        let leader = self
            .leader
            .map(|text| parse(text, "leaderSearchExpression"));
        let fields = self
            .fields
            .map(|text| parse(text, "marcFieldSearchExpression"));
        let expression = match (leader.transpose()?, fields.transpose()?) {
            (None, None) => return Err(SearchRefusal::Missing),
            (Some(only), None) | (None, Some(only)) => only,
            (Some(leader), Some(fields)) => Expression::All(vec![leader, fields]),
        };
        let kind = Entry::kind(self.record_type)
            .ok_or_else(|| SearchRefusal::RecordType(self.record_type.to_owned()))?;
        Ok(MarcSearch {
            expression,
            kind,
            with_deleted: self.deleted != Some(false),
            suppressed: self.suppressed,
        })
    }
}

/// The number of matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// The number.
    pub things: i64,
    /// Whether it is an estimate.
    pub estimated: bool,
}

/// A page of what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarcSearchResult {
    /// The external ids (of instances, holdings, authorities), in order.
    pub ids: Vec<Uuid>,
    /// How many there are.
    pub total: Total,
    /// Whether everything saved before was searched.
    pub freshness: Freshness,
}

/// The ids of the instances, holdings or authorities whose records match, in order: a page of at most
/// `limit`. Includes everything saved before, except during large loads, see [`Freshness`].
///
/// # Errors
/// When an expression is invalid.
#[boxed]
pub async fn marc_search(
    context: &Context<'_>,
    wanted: MarcQuery<'_>,
    limit: i64,
    offset: i64,
) -> Result<MarcSearchResult, SearchRefusal> {
    let search = wanted.read()?;
    let freshness = freshen(context.store, context.tenant).await?;
    let page = page(context.store, context.tenant, &search, limit, offset).await?;
    Ok(MarcSearchResult { freshness, ..page })
}

/// A page of a parsed search, without checking freshness.
#[boxed]
pub async fn page(
    store: &Store,
    tenant: &Tenant,
    search: &MarcSearch,
    limit: i64,
    offset: i64,
) -> Result<MarcSearchResult, StoreError> {
    let database = &store.database;
    let complete = |ids, total| MarcSearchResult {
        ids,
        total,
        freshness: Freshness::Complete,
    };
    if let Some(known) = common(store, tenant, search).await? {
        let shown = offset.saturating_add(limit);
        let rows = known.rows_to(&search.expression, shown);
        let rows = rows.saturating_mul(UNEVEN).saturating_add(COMMON_ROWS);
        let walked = search.walk(database, tenant, (limit, offset), Some(rows));
        let ids = walked.await?;
        if ids.len() as i64 == limit {
            let estimate = known.matches(&search.expression);
            return Ok(complete(ids, estimated(search, estimate, shown)));
        }
    }
    let probe = search.probe(database, tenant, limit, offset).await?;
    match total_of(search, &probe) {
        Some(total) => Ok(complete(probe.ids, total)),
        None => {
            let (ids, estimate) = tokio::try_join!(
                search.walk(database, tenant, (limit, offset), None),
                search.estimate(database, tenant)
            )?;
            let shown = offset.saturating_add(ids.len() as i64);
            // On the last page the total is known.
            let is_last = (ids.len() as i64) < limit && (offset == 0 || !ids.is_empty());
            let total = match is_last {
                true => Total {
                    things: shown,
                    estimated: false,
                },
                false => estimated(search, estimate, shown),
            };
            Ok(complete(ids, total))
        }
    }
}

/// The total without a page.
#[boxed]
pub async fn total(
    store: &Store,
    tenant: &Tenant,
    search: &MarcSearch,
) -> Result<Total, StoreError> {
    if let Some(known) = common(store, tenant, search).await? {
        let estimate = known.matches(&search.expression);
        return Ok(estimated(search, estimate, 0));
    }
    let probe = search.probe(&store.database, tenant, 0, 0).await?;
    match total_of(search, &probe) {
        Some(total) => Ok(total),
        None => {
            let estimate = search.estimate(&store.database, tenant).await?;
            Ok(estimated(search, estimate, 0))
        }
    }
}

/// The statistics of the terms, if these show that matches are common. The planner's estimate is not
/// used: for unknown terms it assumes half a percent of all records.
async fn common(
    store: &Store,
    tenant: &Tenant,
    search: &MarcSearch,
) -> Result<Option<TermStatistics>, StoreError> {
    if !is_exact(&search.expression) {
        return Ok(None);
    }
    let known = TermStatistics::read(&store.database, tenant, &search.expression).await?;
    Ok((known.matches(&search.expression) >= COMMON_MIN).then_some(known))
}

/// The total, if the probe reached the end of the matches.
fn total_of(search: &MarcSearch, probe: &Probe) -> Option<Total> {
    (probe.found <= search.counted_max()).then_some(Total {
        things: probe.things,
        estimated: false,
    })
}

fn estimated(search: &MarcSearch, estimate: i64, shown: i64) -> Total {
    Total {
        things: estimate.max(search.counted_max() + 1).max(shown),
        estimated: true,
    }
}
