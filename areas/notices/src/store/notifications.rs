//! Deletes old notifications.

use octavo_records::{Executor, StoreError, Tables};

/// Deletes a user's seen notifications, optionally only those changed before an instant; returns how
/// many.
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
