//! Assigns permissions to a user.

use octavo_records::{Executor, Stamp, StoreError};
use serde_json::json;
use uuid::Uuid;

use super::Tables;

/// The permissions assigned to a user, locked against changes by others until the transaction ends.
pub async fn held(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Uuid,
) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT array(SELECT jsonb_array_elements_text(jsonb->'permissions')) AS names FROM {} \
         WHERE {} FOR NO KEY UPDATE",
        tables.table("permissions_users"),
        tables.equals("permissions_users", "userId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(rows.first().map(|row| row.get("names")).unwrap_or_default())
}

/// Replaces the permissions of a user.
pub async fn give(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Uuid,
    names: &[String],
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let sql = format!(
        "WITH changed AS (
           UPDATE {table} SET jsonb = jsonb || jsonb_build_object('permissions', $2::jsonb,
             'metadata', coalesce(jsonb->'metadata', '{{}}') || $3::jsonb)
           WHERE {by_user} RETURNING id)
         INSERT INTO {table} (id, jsonb) SELECT $4::uuid, $5::jsonb
         WHERE NOT EXISTS (SELECT FROM changed)",
        table = tables.table("permissions_users"),
        by_user = tables.equals("permissions_users", "userId", "$1::text"),
    );
    let (id, names) = (Uuid::new_v4(), json!(names));
    let document = json!({"id": id, "userId": user_id, "permissions": names,
                          "metadata": stamp.created()});
    let user = user_id.to_string();
    executor
        .rows(&sql, &[&user, &names, &stamp.updated(), &id, &document])
        .await?;
    Ok(())
}
