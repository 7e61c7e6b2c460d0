//! Backfills the search tables with older records.

use octavo_postgres::Transaction;
use octavo_records::store::backfill::{self, Backfill, Portion};
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use super::SearchTables;

/// Records of a portion: they are share-locked meanwhile, so changes of them wait.
const PORTION: i64 = 200;

/// Writes the search rows of the next records of a kind.
struct Fill;

impl Backfill for Fill {
    const TABLE: &'static str = "search_fill";
    const KIND: &'static str = "kind";

    async fn portion(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        kind: &str,
        after: Uuid,
    ) -> Result<Portion, StoreError> {
        let schema = tenant.schema();
        let (table, above, put) = match kind {
            "instance" => ("instance", "", "search_instance_put(next.id, next.jsonb)"),
            "authority" => ("authority", "", "search_authority_put(next.id, next.jsonb)"),
            "holdings" => (
                "holdings_record",
                ", instanceid",
                "search_holdings_put(next.id, next.instanceid, next.jsonb)",
            ),
            _ => {
                hold_holdings(transaction, schema, after).await?;
                (
                    "item",
                    ", holdingsrecordid",
                    "search_item_put(next.id, next.holdingsrecordid, next.jsonb)",
                )
            }
        };
        let sql = format!(
            "WITH next AS MATERIALIZED (SELECT id, jsonb{above} FROM {schema}.{table} \
             WHERE id > $1 ORDER BY id LIMIT $2 FOR SHARE) \
             SELECT next.id FROM next CROSS JOIN LATERAL {schema}.{put} AS written ORDER BY next.id"
        );
        let rows = transaction.query(&sql, &[&after, &PORTION]).await?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.get("id")).collect();
        Ok(Portion::of(&ids, PORTION))
    }
}

/// Locks the holdings of the next items. Lock order: holdings before items, as everywhere.
async fn hold_holdings(
    transaction: &Transaction,
    schema: &str,
    after: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT FROM {schema}.holdings_record WHERE id IN (SELECT holdingsrecordid \
         FROM (SELECT holdingsrecordid FROM {schema}.item WHERE id > $1 ORDER BY id LIMIT $2) \
         AS next) ORDER BY id FOR SHARE"
    );
    transaction.execute(&sql, &[&after, &PORTION]).await?;
    Ok(())
}

impl SearchTables<'_> {
    /// Backfills all remaining records; returns the number of portions.
    ///
    /// # Errors
    /// On a database error; finished portions are kept.
    pub async fn fill(&self) -> Result<usize, StoreError> {
        backfill::fill(&Fill, &self.store.database, self.tenant).await
    }

    /// Runs ANALYZE: after a bulk change the planner's statistics are useless.
    pub async fn learn(&self) -> Result<(), StoreError> {
        for table in [
            "search_instance",
            "search_facet",
            "search_holdings",
            "search_item",
            "browse_heading",
            "browse_call_number",
            "search_authority",
        ] {
            let sql = format!("ANALYZE {}.{table}", self.schema());
            self.store.database.execute(&sql, &[]).await?;
        }
        Ok(())
    }
}
