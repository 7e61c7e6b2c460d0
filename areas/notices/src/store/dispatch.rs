//! The queue of messages: claimed by one worker at a time, and updated after an attempt.

use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

/// The lease of a claimed message; after it another worker may claim it.
pub const CLAIM_SECONDS: f64 = 300.0;

/// A claimed message.
#[derive(Clone)]
pub struct ClaimedMessage {
    /// Its record.
    pub id: Uuid,
    /// Its channel.
    pub channel: String,
    /// The record, as stored.
    pub record: Value,
}

impl std::fmt::Debug for ClaimedMessage {
    /// Without address and text, for logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Taken")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// When a message is tried again after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Never: it was delivered, or has no attempts left.
    Never,
    /// With the next round of retries.
    Retry,
}

/// Queues messages whose records are stored in the same transaction; with a claim the caller has their
/// lease at once.
pub async fn line_up(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[Uuid],
    channels: &[&str],
    claim: Option<Uuid>,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {}.email_dispatch (email_id, channel, due, claim) \
         SELECT id, channel, CASE WHEN $3::uuid IS NULL THEN now() \
         ELSE now() + make_interval(secs => $4::float8) END, $3::uuid \
         FROM unnest($1::uuid[], $2::text[]) AS _ (id, channel)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&ids, &channels, &claim, &CLAIM_SECONDS])
        .await?;
    Ok(())
}

/// Whether anything is to be rendered or sent now: a cheap check, since mostly there is nothing.
pub async fn is_anything(executor: &dyn Executor, tenant: &Tenant) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {schema}.outgoing_notice) \
         OR EXISTS (SELECT 1 FROM {schema}.email_dispatch WHERE due <= now()) AS found"
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows.first().is_some_and(|row| row.get("found")))
}

/// Claims due messages, oldest first, skipping those that another worker is claiming.
pub async fn take(
    executor: &dyn Executor,
    tenant: &Tenant,
    claim: Uuid,
    at_most: i64,
) -> Result<Vec<ClaimedMessage>, StoreError> {
    let schema = tenant.schema();
    // The new `due` is the end of the lease: if this worker dies, the messages become due again.
    let sql = format!(
        "WITH due AS MATERIALIZED (SELECT email_id FROM {schema}.email_dispatch \
         WHERE due <= now() ORDER BY due LIMIT $1 FOR UPDATE SKIP LOCKED), \
         taken AS (UPDATE {schema}.email_dispatch AS line \
         SET due = now() + make_interval(secs => $3::float8), claim = $2 \
         FROM due WHERE line.email_id = due.email_id RETURNING line.email_id, line.channel) \
         SELECT email.id, taken.channel, email.jsonb FROM taken \
         JOIN {schema}.email_statistics AS email ON email.id = taken.email_id"
    );
    let rows = executor
        .rows(&sql, &[&at_most, &claim, &CLAIM_SECONDS])
        .await?;
    let taken = rows.iter().map(|row| ClaimedMessage {
        id: row.get("id"),
        channel: row.get("channel"),
        record: row.get("jsonb"),
    });
    Ok(taken.collect())
}

/// Releases claimed messages that were not tried.
pub async fn give_back(
    executor: &dyn Executor,
    tenant: &Tenant,
    claim: Uuid,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.email_dispatch SET due = now(), claim = NULL \
         WHERE email_id = ANY($1) AND claim = $2",
        tenant.schema()
    );
    executor.rows(&sql, &[&ids, &claim]).await?;
    Ok(())
}

/// The result of an attempt at a message.
#[derive(Debug, Clone)]
pub struct Tried {
    /// The message's record.
    pub id: Uuid,
    /// What changes in the record.
    pub changes: Value,
    /// When it is tried again.
    pub next: Next,
}

/// Records the results of messages in one statement, without those that another worker has claimed meanwhile.
pub async fn note(
    executor: &dyn Executor,
    tenant: &Tenant,
    claim: Uuid,
    tried: &[Tried],
) -> Result<(), StoreError> {
    let ids: Vec<Uuid> = tried.iter().map(|one| one.id).collect();
    let changes: Vec<&Value> = tried.iter().map(|one| &one.changes).collect();
    let again: Vec<bool> = tried.iter().map(|one| one.next == Next::Retry).collect();
    let schema = tenant.schema();
    // `infinity`: not due until `wake_failed`.
    let sql = format!(
        "WITH tried AS MATERIALIZED (SELECT * FROM unnest($2::uuid[], $3::jsonb[], $4::boolean[]) \
         AS _ (id, changes, again)), \
         gone AS (DELETE FROM {schema}.email_dispatch AS line USING tried \
         WHERE NOT again AND line.email_id = tried.id AND line.claim = $1 RETURNING id, changes), \
         kept AS (UPDATE {schema}.email_dispatch AS line SET due = 'infinity', claim = NULL FROM tried \
         WHERE again AND line.email_id = tried.id AND line.claim = $1 RETURNING id, changes) \
         UPDATE {schema}.email_statistics AS email SET jsonb = email.jsonb || line.changes \
         FROM (SELECT * FROM gone UNION ALL SELECT * FROM kept) AS line WHERE email.id = line.id"
    );
    executor
        .rows(&sql, &[&claim, &ids, &changes, &again])
        .await?;
    Ok(())
}

/// Makes failed messages with attempts left due again; returns how many.
pub async fn wake_failed(executor: &dyn Executor, tenant: &Tenant) -> Result<usize, StoreError> {
    let sql = format!(
        "UPDATE {}.email_dispatch SET due = now() WHERE due = 'infinity' RETURNING email_id",
        tenant.schema()
    );
    Ok(executor.rows(&sql, &[]).await?.len())
}

/// Deletes messages of a status that were tried before an instant, a limited number; returns how many.
pub async fn delete_before(
    executor: &dyn Executor,
    tenant: &Tenant,
    status: &str,
    before: &str,
    at_most: i64,
) -> Result<i64, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "WITH old AS MATERIALIZED (SELECT id FROM {schema}.email_statistics \
         WHERE jsonb->>'status' = $1 AND (jsonb->>'date') COLLATE \"C\" < $2 \
         ORDER BY (jsonb->>'date') COLLATE \"C\" LIMIT $3), \
         gone AS (DELETE FROM {schema}.email_statistics AS email USING old \
         WHERE email.id = old.id RETURNING email.id) SELECT count(*) FROM gone"
    );
    let rows = executor.rows(&sql, &[&status, &before, &at_most]).await?;
    Ok(rows.first().map_or(0, |row| row.get("count")))
}
