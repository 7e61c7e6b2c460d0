//! Notifications that nobody needs any more.

use octavo_records::{Executor, StoreError, Tables};

/// Deletes what a user has seen, and was changed before an instant if one is given; returns how many.
pub async fn delete_seen(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user: &str,
    before: Option<&str>,
) -> Result<i64, StoreError> {
    let table = "notify_data";
    let sql = format!(
        "WITH gone AS (DELETE FROM {} WHERE {} AND jsonb->>'seen' = 'true' \
         AND ($2::text IS NULL OR (jsonb->'metadata'->>'updatedDate') COLLATE \"C\" < $2::text) \
         RETURNING id) SELECT count(*) FROM gone",
        tables.table(table),
        tables.equals(table, "recipientId", "$1::text")
    );
    let rows = executor.rows(&sql, &[&user, &before]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}
