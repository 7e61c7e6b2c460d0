//! Jobs that return the ids of a query's hits. Only the query is stored: it runs when the ids are read,
//! so that they are current.

use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::SearchTables;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: Uuid,
    /// The query.
    pub query: String,
    /// `INSTANCE`, `HOLDINGS` or `AUTHORITY`.
    pub entity_type: String,
    /// `COMPLETED`, `ERROR`, or `DEPRECATED` once its ids were read.
    pub status: String,
    /// When it was made, as FOLIO writes instants.
    pub created: String,
}

const COLUMNS: &str = "id, query, entity_type, status, \
     to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"') AS created";

impl SearchTables<'_> {
    /// Stores a job, and deletes some that are older than a day.
    pub async fn add_job(
        &self,
        query: &str,
        entity_type: &str,
        status: &str,
    ) -> Result<Option<Job>, StoreError> {
        let schema = self.schema();
        let sql = format!(
            "WITH old AS (DELETE FROM {schema}.search_job WHERE id IN (SELECT id \
             FROM {schema}.search_job WHERE created < now() - interval '1 day' LIMIT 100 \
             FOR UPDATE SKIP LOCKED)) \
             INSERT INTO {schema}.search_job (query, entity_type, status) VALUES ($1, $2, $3) \
             RETURNING {COLUMNS}"
        );
        self.one(&sql, &[&query, &entity_type, &status]).await
    }

    /// Marks a job's ids as read.
    pub async fn use_up(&self, id: Uuid) -> Result<(), StoreError> {
        let sql = format!(
            "UPDATE {}.search_job SET status = 'DEPRECATED' WHERE id = $1",
            self.schema()
        );
        self.store.database.rows(&sql, &[&id]).await?;
        Ok(())
    }

    pub async fn job(&self, id: Uuid) -> Result<Option<Job>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM {}.search_job WHERE id = $1",
            self.schema()
        );
        self.one(&sql, &[&id]).await
    }

    async fn one(
        &self,
        sql: &str,
        values: octavo_records::Values<'_>,
    ) -> Result<Option<Job>, StoreError> {
        let rows = self.store.database.rows(sql, values).await?;
        Ok(rows.first().map(|row| Job {
            id: row.get("id"),
            query: row.get("query"),
            entity_type: row.get("entity_type"),
            status: row.get("status"),
            created: row.get("created"),
        }))
    }
}
