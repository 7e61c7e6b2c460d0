//! Users who run exports and create profiles.

use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// A user in jobs and profiles.
#[derive(Debug, Clone, Default)]
pub struct Person {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    /// The name to log in with.
    pub username: Option<String>,
}

/// The user of this id; empty for a deleted one.
pub async fn person(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Option<Uuid>,
) -> Result<Person, StoreError> {
    let sql = format!(
        "SELECT jsonb->'personal'->>'firstName' AS first_name, \
         jsonb->'personal'->>'lastName' AS last_name, \
         jsonb->>'username' AS username FROM {}.users WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map_or_else(Person::default, |row| Person {
        first_name: row.get("first_name"),
        last_name: row.get("last_name"),
        username: row.get("username"),
    }))
}

/// Everyone who has run an export: id, first name, last name.
pub async fn runners(
    executor: &dyn Executor,
    tenant: &Tenant,
) -> Result<Vec<(String, Option<String>, Option<String>)>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT ON (jsonb->'runBy'->>'userId') jsonb->'runBy'->>'userId' AS user_id, \
         jsonb->'runBy'->>'firstName' AS first_name, jsonb->'runBy'->>'lastName' AS last_name \
         FROM {}.data_export_job_executions WHERE jsonb->'runBy'->>'userId' IS NOT NULL \
         ORDER BY jsonb->'runBy'->>'userId' LIMIT 10000",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    let read_person = |row: &octavo_postgres::Row| {
        (
            row.get("user_id"),
            row.get("first_name"),
            row.get("last_name"),
        )
    };
    Ok(rows.iter().map(read_person).collect())
}
