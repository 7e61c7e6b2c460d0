//! Taking up the records that were there before the tables for searching.

use octavo_records::{Executor, StoreError};

use super::Place;

/// Records of one portion: they are shared meanwhile, and who changes one of them waits.
const PORTION: i32 = 200;

impl Place<'_> {
    /// The kinds of records that are not all taken up yet.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn unfilled(&self) -> Result<Vec<String>, StoreError> {
        let sql = format!(
            "SELECT kind FROM {}.search_fill WHERE NOT done ORDER BY kind = 'item', kind",
            self.schema()
        );
        let rows = self.store.database.rows(&sql, &[]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Takes up the next records of a kind; whether there are more.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn fill(&self, kind: &str) -> Result<bool, StoreError> {
        let sql = format!("SELECT {}.search_fill_portion($1, $2)", self.schema());
        let rows = self.store.database.rows(&sql, &[&kind, &PORTION]).await?;
        Ok(rows.first().is_some_and(|row| row.get(0)))
    }

    /// Lets the planner know what the tables hold now.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn learn(&self) -> Result<(), StoreError> {
        for table in [
            "search_instance",
            "search_holdings",
            "search_item",
            "browse_heading",
            "browse_call_number",
        ] {
            let sql = format!("ANALYZE {}.{table}", self.schema());
            self.store.database.execute(&sql, &[]).await?;
        }
        Ok(())
    }
}
