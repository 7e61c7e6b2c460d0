//! The total of a search: counted unless the page already proves it, estimated where counting would
//! cost more than the answer is worth (FOLIO's rule at a lower cost).

use octavo_boxed::boxed;
use octavo_postgres::Row;
use serde_json::Value;

use super::Store;
use super::large_totals::LargeTotals;
use super::search_rows::Hits;
use crate::collection::Collection;
use crate::error::StoreError;
use crate::executor::{Executor, Values};
use crate::plan::{Predicate, Sql};
use crate::tenant::Tenant;

/// A whole table is counted exactly while the planner's estimate is at most this many records, or
/// the collection's `exact_count` if that is higher.
const WHOLE_TABLE_UP_TO: i64 = 25_000;

/// In a table of at most this many bytes every search is counted exactly: reading it costs little,
/// and clients that page up to the total lose nothing. In bytes, because the planner's estimate for
/// a table that was just filled is far off.
const SMALL_TABLE_UP_TO: i64 = 4 * 1024 * 1024;

/// How a client wants the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Totals {
    /// Exact when that is cheap, otherwise an estimate.
    #[default]
    Auto,
    Exact,
    /// The planner's estimate.
    Estimated,
    None,
}

impl Store {
    /// The total to report for a page.
    pub(super) async fn total(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        page: PageFacts,
        hits: Hits,
    ) -> Result<Option<Total>, StoreError> {
        if page.totals == Totals::None {
            return Ok(None);
        }
        if let Hits::Exactly(records) = hits {
            return Ok(Some(Total::exact(records)));
        }
        let at_most = predicate
            .at_most()
            .and_then(|most| i64::try_from(most).ok());
        if let Some(records) = page.proves(at_most) {
            return Ok(Some(Total::exact(records)));
        }
        if page.limit == 0 || page.totals == Totals::Exact {
            let counted = self.count(tenant, collection, predicate, None).await?;
            return Ok(Some(Total::exact(counted)));
        }
        let exactly = collection.exact_count;
        // A search by ids matches few records: counting them costs less than asking the planner.
        if page.totals == Totals::Auto && (at_most.is_some() || predicate.is_narrow()) {
            let most = at_most.unwrap_or(0).saturating_add(1).max(exactly);
            let counted = self
                .count(tenant, collection, predicate, Some(most))
                .await?;
            if counted < most {
                return Ok(Some(Total::exact(counted)));
            }
        }
        let asking = Sql::estimate(tenant.schema(), &collection.table, predicate);
        let key = LargeTotals::key(&asking);
        let about = match hits {
            Hits::About(records) => records,
            _ => 0,
        };
        if page.totals == Totals::Auto
            && let Some(kept) = self.large_totals.get(&key)
        {
            return Ok(Some(page.fit(kept.max(about), at_most)));
        }
        let asked = self.database.query(&asking.text, &asking.bound()).await?;
        let planned = planned_rows(&asked);
        let estimate = planned.max(about);
        let (count_to, worth_counting) = match predicate {
            Predicate::Everything => {
                let most = WHOLE_TABLE_UP_TO.max(exactly);
                (most, estimate <= most)
            }
            _ => (exactly, estimate <= exactly.saturating_mul(4)),
        };
        if page.totals == Totals::Estimated {
            return Ok(Some(page.fit(estimate, at_most)));
        }
        if worth_counting {
            let counted = self
                .count(tenant, collection, predicate, Some(count_to))
                .await?;
            if counted < count_to {
                return Ok(Some(Total::exact(counted)));
            }
        }
        if *predicate != Predicate::Everything && self.is_small(tenant, collection).await? {
            // More than fit into a small table, so the limit still applies.
            let most = WHOLE_TABLE_UP_TO;
            let counted = self
                .count(tenant, collection, predicate, Some(most))
                .await?;
            if counted < most {
                return Ok(Some(Total::exact(counted)));
            }
        }
        if !worth_counting {
            self.large_totals.keep(key, planned);
        }
        let least = if worth_counting { count_to } else { 0 };
        Ok(Some(page.fit(estimate.max(least), at_most)))
    }

    /// The total of a page of a list that is no collection: what the page proves, or else what the statement counts in
    /// its column `total`. A number that takes PostgreSQL milliseconds to count is kept for some seconds.
    #[boxed]
    pub async fn total_of_list(
        &self,
        page: PageFacts,
        counting: &str,
        values: Values<'_>,
    ) -> Result<i64, StoreError> {
        if let Some(records) = page.proves(None) {
            return Ok(records);
        }
        let key = format!("{counting} {values:?}");
        if let Some(kept) = self.large_totals.get(&key) {
            return Ok(match page.limit {
                0 => kept,
                _ => page.fit(kept, None).records,
            });
        }
        let rows = self.database.rows(counting, values).await?;
        let records = rows.first().map_or(0, |row| row.get("total"));
        if records > WHOLE_TABLE_UP_TO {
            self.large_totals.keep(key, records);
        }
        Ok(records)
    }

    /// Whether a table is small.
    async fn is_small(&self, tenant: &Tenant, collection: &Collection) -> Result<bool, StoreError> {
        let table = format!("{}.{}", tenant.schema(), collection.table);
        let sql = "SELECT pg_relation_size(to_regclass($1::text)) AS bytes";
        let row = self.database.query_opt(sql, &[&table]).await?;
        // A dropped table has no size.
        let bytes: Option<i64> = row.and_then(|row| row.get("bytes"));
        Ok(bytes.is_some_and(|bytes| bytes <= SMALL_TABLE_UP_TO))
    }

    async fn count(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        most: Option<i64>,
    ) -> Result<i64, StoreError> {
        let sql = Sql::count(tenant.schema(), &collection.table, predicate, most);
        let rows = self.run(predicate, &sql).await?;
        Ok(rows.first().map_or(0, |row| row.get("count")))
    }
}

/// The planner's estimate of a statement's rows, from its `EXPLAIN (FORMAT JSON)`.
#[must_use]
pub fn planned_rows(explained: &[Row]) -> i64 {
    let plan: Option<Value> = explained.first().map(|row| row.get("QUERY PLAN"));
    let rows = plan.and_then(|plan| plan[0]["Plan"]["Plan Rows"].as_f64());
    rows.unwrap_or_default() as i64
}

/// A total, exact or estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Total {
    pub records: i64,
    pub estimated: bool,
}

impl Total {
    pub(super) fn exact(records: i64) -> Total {
        Total {
            records,
            estimated: false,
        }
    }
}

/// What is known after a page was read.
#[derive(Debug, Clone, Copy)]
pub struct PageFacts {
    pub limit: i64,
    pub offset: i64,
    pub returned: i64,
    pub totals: Totals,
}

impl PageFacts {
    /// The total, where the page proves it: it is the last one because it is not full, or because
    /// it ends at the most matches possible (`at_most`).
    fn proves(&self, at_most: Option<i64>) -> Option<i64> {
        if at_most == Some(0) {
            return Some(0);
        }
        let end = self.offset.saturating_add(self.returned);
        let last = self.returned < self.limit || at_most.is_some_and(|most| end >= most);
        (last && (self.returned > 0 || (self.offset == 0 && self.limit > 0))).then_some(end)
    }

    /// An estimate that contradicts neither the page nor the most matches possible.
    fn fit(&self, believed: i64, at_most: Option<i64>) -> Total {
        let believed = believed.min(at_most.unwrap_or(i64::MAX));
        let records = match self.returned {
            0 => believed.min(self.offset),
            some => believed.max(self.offset.saturating_add(some)),
        };
        Total {
            records,
            estimated: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(offset: i64, limit: i64, returned: i64) -> PageFacts {
        PageFacts {
            limit,
            offset,
            returned,
            totals: Totals::Auto,
        }
    }

    #[test]
    fn a_page_proves_the_total_when_it_is_the_last() {
        for (offset, limit, returned, at_most, expected) in [
            (0, 10, 3, None, Some(3)),
            (20, 10, 5, None, Some(25)),
            (0, 10, 0, None, Some(0)),
            // Beyond the end nothing is known but that the total does not exceed the offset.
            (20, 10, 0, None, None),
            (0, 10, 10, None, None),
            (0, 0, 0, None, None),
            (0, 1, 1, Some(1), Some(1)),
            (0, 0, 0, Some(1), None),
            (0, 0, 0, Some(0), Some(0)),
            (5, 10, 0, Some(0), Some(0)),
            (1, 1, 0, Some(1), None),
            (0, 10, 10, Some(20), None),
            (10, 10, 10, Some(20), Some(20)),
            (0, 10, 4, Some(20), Some(4)),
        ] {
            assert_eq!(
                page(offset, limit, returned).proves(at_most),
                expected,
                "offset {offset}, limit {limit}, {returned} returned, at most {at_most:?}"
            );
        }
    }

    #[test]
    fn an_estimate_contradicts_neither_page_nor_bound() {
        for (offset, returned, believed, at_most, expected) in [
            (0, 10, 5_000, None, 5_000),
            (0, 10, 3, None, 10),
            (90, 10, 3, None, 100),
            (50, 0, 5_000, None, 50),
            (50, 0, 7, None, 7),
            (0, 10, 5_000, Some(20), 20),
        ] {
            let total = page(offset, 10, returned).fit(believed, at_most);
            assert_eq!(total.records, expected);
            assert!(total.estimated);
        }
    }
}
