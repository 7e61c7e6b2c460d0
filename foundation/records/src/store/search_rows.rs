//! A sorted page of what a search for words finds, read by narrow rows: what is found is sorted where it is
//! little, and met along the order where it is much. Which it is shows when it is looked up, for what the
//! planner believes of words that begin so is often far off.

use octavo_postgres::{RawJson, Row};

use super::Store;
use super::page::{Search, WHOLE_RECORDS_MAX};
use crate::collection::Collection;
use crate::error::StoreError;
use crate::plan::rows::RowSearch;
use crate::plan::{Plan, Sql};
use crate::tenant::Tenant;

impl Store {
    /// The records of a page, where narrow rows serve the search.
    pub(super) async fn by_search_rows(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        plan: &Plan,
        search: Search<'_>,
    ) -> Result<Option<Vec<Row>>, StoreError> {
        let by_key = plan.predicate.at_most().is_some() || plan.predicate.is_narrow();
        if by_key || !(1..=WHOLE_RECORDS_MAX).contains(&search.limit) {
            return Ok(None);
        }
        let Some(rows) = RowSearch::of(collection, plan) else {
            return Ok(None);
        };
        let (schema, limit, offset) = (tenant.schema(), search.limit, search.offset);
        let sorted = async |most| {
            let sql = rows.sorted(schema, most, limit, offset);
            let found = self.row_statement(&sql).await?;
            let hits: i64 = found.first().map_or(0, |row| row.get("hits"));
            let records = found
                .into_iter()
                .filter(|row| row.get::<_, Option<RawJson<'_>>>("jsonb").is_some());
            Ok::<_, StoreError>((hits <= most).then(|| records.collect()))
        };
        if let Some(found) = sorted(rows.sorted_max()).await? {
            return Ok(Some(found));
        }
        if !rows.has_order() {
            // An index on the records may have the order.
            return Ok(None);
        }
        let met = self
            .row_statement(&rows.walked(schema, limit, offset))
            .await?;
        if met.len() as i64 == limit {
            return Ok(Some(met));
        }
        sorted(i64::MAX - 1).await
    }

    async fn row_statement(&self, sql: &Sql) -> Result<Vec<Row>, StoreError> {
        Ok(self.database.query_fresh(&sql.text, &sql.typed()).await?)
    }
}
