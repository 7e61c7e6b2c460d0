//! Events that the broker never takes.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tenant};
use uuid::Uuid;

/// An event to park.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    pub position: i64,
    /// The size of its message.
    pub bytes: i64,
    pub reason: String,
}

/// A parked event, without its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParkedEvent {
    pub position: i64,
    pub event_id: Uuid,
    pub topic: String,
    pub key: Uuid,
    pub kind: String,
    pub bytes: i64,
    pub reason: String,
    pub parked_at: Timestamp,
}

/// The last parked events, and how many there are.
#[boxed]
pub async fn list(
    executor: &dyn Executor,
    tenant: &Tenant,
    most: i64,
) -> Result<(Vec<ParkedEvent>, i64), StoreError> {
    let sql = format!(
        "SELECT position, event_id, topic, key, type, bytes, reason, parked_at, \
           count(*) OVER () AS total \
         FROM {}.octavo_relay_parked ORDER BY position DESC LIMIT $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&most]).await?;
    let total = rows.first().map_or(0, |row| row.get("total"));
    let events = rows.iter().map(|row| ParkedEvent {
        position: row.get("position"),
        event_id: row.get("event_id"),
        topic: row.get("topic"),
        key: row.get("key"),
        kind: row.get("type"),
        bytes: row.get("bytes"),
        reason: row.get("reason"),
        parked_at: row.get("parked_at"),
    });
    Ok((events.collect(), total))
}

/// Deletes those parked more than so many days ago.
#[boxed]
pub async fn delete_old(
    executor: &dyn Executor,
    tenant: &Tenant,
    days: i32,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.octavo_relay_parked WHERE parked_at < now() - make_interval(days => $1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&days]).await?;
    Ok(())
}
