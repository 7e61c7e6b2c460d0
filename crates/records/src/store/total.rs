//! How many records match: counted where the page does not already prove it, estimated where
//! counting would cost more than the answer is worth (FOLIO's rule, without its cost).

use serde_json::Value;

use super::Store;
use crate::collection::Collection;
use crate::error::StoreError;
use crate::plan::{Predicate, Sql};
use crate::tenant::Tenant;

/// Searches are counted exactly up to here, as FOLIO's default `exactCount` does.
const EXACT_UP_TO: i64 = 1_000;
/// A whole table is counted exactly while the planner believes it to be at most this large.
const WHOLE_TABLE_UP_TO: i64 = 25_000;

/// What a client wants to know about the number of matching records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Totals {
    /// Exact when that is cheap, else an estimate.
    #[default]
    Auto,
    /// Exact.
    Exact,
    /// What the planner believes.
    Estimated,
    /// Nothing.
    None,
}

impl Store {
    /// The total to report for a page of `returned` records.
    pub(super) async fn total(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        page: PageFacts,
    ) -> Result<Option<i64>, StoreError> {
        let PageFacts {
            limit,
            offset,
            returned,
            totals,
        } = page;
        if totals == Totals::None {
            return Ok(None);
        }
        // A page that is not full is the last one: its end is the total.
        if returned < limit && (returned > 0 || offset == 0) {
            return Ok(Some(offset + returned));
        }
        if limit == 0 || totals == Totals::Exact {
            return self
                .count(tenant, collection, predicate, None)
                .await
                .map(Some);
        }
        // A search by an id finds few: counting them costs less than asking the planner.
        if totals == Totals::Auto && predicate.is_narrow() {
            let counted = self
                .count(tenant, collection, predicate, Some(EXACT_UP_TO))
                .await?;
            if counted < EXACT_UP_TO {
                return Ok(Some(counted.max(offset + returned)));
            }
        }
        let estimate = self.estimate(tenant, collection, predicate).await?;
        let believed = if totals == Totals::Estimated {
            estimate
        } else if *predicate == Predicate::Everything {
            match estimate > WHOLE_TABLE_UP_TO {
                true => estimate,
                false => self.count(tenant, collection, predicate, None).await?,
            }
        } else if estimate > 4 * EXACT_UP_TO {
            estimate
        } else {
            match self
                .count(tenant, collection, predicate, Some(EXACT_UP_TO))
                .await?
            {
                counted if counted < EXACT_UP_TO => counted,
                _ => estimate.max(EXACT_UP_TO),
            }
        };
        Ok(Some(if returned == 0 {
            believed.min(offset)
        } else {
            believed.max(offset + returned)
        }))
    }

    async fn count(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        most: Option<i64>,
    ) -> Result<i64, StoreError> {
        let sql = Sql::count(tenant.schema(), &collection.table, predicate, most);
        let rows = self.database.query(&sql.text, &sql.bound()).await?;
        Ok(rows.first().map_or(0, |row| row.get(0)))
    }

    async fn estimate(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
    ) -> Result<i64, StoreError> {
        let sql = Sql::estimate(tenant.schema(), &collection.table, predicate);
        let rows = self.database.query(&sql.text, &sql.bound()).await?;
        let plan: Option<Value> = rows.first().map(|row| row.get(0));
        Ok(plan
            .and_then(|plan| plan[0]["Plan"]["Plan Rows"].as_f64())
            .unwrap_or(0.0) as i64)
    }
}

/// What is known after a page was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFacts {
    pub limit: i64,
    pub offset: i64,
    pub returned: i64,
    pub totals: Totals,
}
