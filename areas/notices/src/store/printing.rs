//! Print entries.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// Stores or replaces the document of an entry.
pub async fn keep_content(
    executor: &impl Executor,
    tenant: &Tenant,
    id: Uuid,
    content: &str,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.printing_content (id, content) VALUES ($1, $2) \
         ON CONFLICT (id) DO UPDATE SET content = excluded.content",
        tenant.schema()
    );
    executor.rows(&sql, &[&id, &content]).await?;
    Ok(())
}

/// An entry with its document.
pub async fn entry(
    executor: &impl Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<(Value, String)>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT p.jsonb, coalesce(c.content, '') AS content FROM {schema}.printing p \
         LEFT JOIN {schema}.printing_content c ON c.id = p.id WHERE p.id = $1"
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows
        .first()
        .map(|row| (row.get("jsonb"), row.get("content"))))
}

/// Deletes entries; missing ones are ignored.
pub async fn delete(
    executor: &impl Executor,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.printing WHERE id = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}

/// Takes the tenant's lock on merging letters until the transaction ends.
pub async fn take_turn(executor: &impl Executor, tenant: &Tenant) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    let name = format!("{} printing", tenant.schema());
    executor.rows(sql, &[&name]).await?;
    Ok(())
}

/// A letter to merge.
#[derive(Debug)]
pub struct Waiting {
    /// The entry.
    pub id: Uuid,
    /// Its document.
    pub content: String,
}

/// The limits of a portion.
#[derive(Debug, Clone, Copy)]
pub struct Portion {
    /// Letters at most.
    pub letters: i64,
    /// Maximal size of all their contents in characters; at least one letter is taken.
    pub characters: i64,
}

/// The letters created after an instant, except some, in the order of printing, and locked.
pub async fn waiting(
    executor: &impl Executor,
    tenant: &Tenant,
    after: &str,
    but: &[Uuid],
    portion: Portion,
) -> Result<Vec<Waiting>, StoreError> {
    let schema = tenant.schema();
    // The first letter is taken even if it exceeds the limit: otherwise it would block all others.
    let sql = format!(
        "WITH due AS (SELECT p.id, row_number() OVER own AS place, \
           sum(octet_length(c.content)) OVER own AS characters \
         FROM {schema}.printing p JOIN {schema}.printing_content c ON c.id = p.id \
         WHERE p.jsonb->>'type' = 'SINGLE' AND (p.jsonb->>'created') COLLATE \"C\" > $1 \
           AND p.id <> ALL($2) \
         WINDOW own AS (ORDER BY p.jsonb->>'sortingField', (p.jsonb->>'created') COLLATE \"C\", p.id)) \
         SELECT p.id, c.content FROM due JOIN {schema}.printing p ON p.id = due.id \
         JOIN {schema}.printing_content c ON c.id = p.id \
         WHERE due.place <= $3 AND (due.place = 1 OR due.characters <= $4) \
         ORDER BY due.place FOR UPDATE OF p"
    );
    let values: [&(dyn octavo_postgres::ToSql + Sync); 4] =
        [&after, &but, &portion.letters, &portion.characters];
    let rows = executor.rows(&sql, &values).await?;
    let waiting = |row: &octavo_postgres::Row| Waiting {
        id: row.get("id"),
        content: row.get("content"),
    };
    Ok(rows.iter().map(waiting).collect())
}
