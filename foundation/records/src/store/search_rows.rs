//! A page of what a search for words finds, read by narrow rows: what is found is sorted where it is little,
//! and met along the order where it is much. Which it is some rows say that are looked at first, and then
//! what is found: what the planner believes of words that begin so is often far off.

use octavo_postgres::{RawJson, Row};

use super::Store;
use super::page::{Search, WHOLE_RECORDS_MAX};
use crate::collection::Collection;
use crate::error::StoreError;
use crate::plan::rows::{RowSearch, Sample};
use crate::plan::{Plan, Sql};
use crate::tenant::Tenant;

/// A page as narrow rows give it.
pub(super) struct FoundRows {
    /// The records.
    pub rows: Vec<Row>,
    /// How many there are.
    pub hits: Hits,
}

/// How many records a search finds, as far as reading a page showed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hits {
    /// So many.
    Exactly(i64),
    /// About so many: not worth counting.
    About(i64),
    /// It did not.
    Unknown,
}

impl Store {
    /// The records of a page, where narrow rows serve the search.
    pub(super) async fn by_search_rows(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        plan: &Plan,
        search: Search<'_>,
    ) -> Result<Option<FoundRows>, StoreError> {
        let by_key = plan.predicate.at_most().is_some() || plan.predicate.is_narrow();
        if by_key || !(1..=WHOLE_RECORDS_MAX).contains(&search.limit) {
            return Ok(None);
        }
        let Some(rows) = RowSearch::of(collection, plan) else {
            return Ok(None);
        };
        let schema = tenant.schema();
        let sample = self.row_statement(&rows.sample(schema)).await?;
        let Some(sample) = sample
            .first()
            .map(|row| sample_of(row, rows.sampled_parts()))
        else {
            return Ok(None);
        };
        let many = sample.believed() > rows.sorted_max();
        if !many
            && let Some(found) = self
                .sorted_rows(schema, &rows, &sample, rows.sorted_max(), search)
                .await?
        {
            return Ok(Some(found));
        }
        if !rows.has_order() {
            // An index on the records may have the order.
            return Ok(None);
        }
        let sql = rows.walked(schema, search.limit, search.offset);
        let met = self.row_statement(&sql).await?;
        if met.len() as i64 == search.limit {
            let about = sample.believed().max(rows.sorted_max());
            return Ok(Some(FoundRows {
                rows: met,
                hits: Hits::About(about),
            }));
        }
        self.sorted_rows(schema, &rows, &sample, i64::MAX - 1, search)
            .await
    }

    /// All that is found, sorted; nothing where there are more than `most` rows.
    async fn sorted_rows(
        &self,
        schema: &str,
        rows: &RowSearch<'_>,
        sample: &Sample,
        most: i64,
        search: Search<'_>,
    ) -> Result<Option<FoundRows>, StoreError> {
        let sql = rows.sorted(schema, sample, most, (search.limit, search.offset));
        let found = self.row_statement(&sql).await?;
        let Some(first) = found.first() else {
            return Ok(None);
        };
        let met: i64 = first.get("hits");
        if met > most {
            return Ok(None);
        }
        // A page behind the last record does not have how many there are.
        let total: Option<i64> = first.get("total");
        let hits = match total {
            _ if rows.is_exact() || met == 0 => Hits::Exactly(met),
            Some(total) => Hits::Exactly(total),
            None => Hits::Unknown,
        };
        let records = found
            .into_iter()
            .filter(|row| row.get::<_, Option<RawJson<'_>>>("jsonb").is_some());
        Ok(Some(FoundRows {
            rows: records.collect(),
            hits,
        }))
    }

    async fn row_statement(&self, sql: &Sql) -> Result<Vec<Row>, StoreError> {
        Ok(self.database.query_fresh(&sql.text, &sql.typed()).await?)
    }
}

/// What a sample says of so many conditions.
fn sample_of(row: &Row, parts: usize) -> Sample {
    let part = |at: usize| row.get(format!("hits_{at}").as_str());
    let by_part = (1..=parts).map(part).collect();
    Sample::of(
        row.get("pages"),
        row.get("sampled"),
        row.get("hits"),
        by_part,
    )
}
