//! Events, queued for their subscribers, and what became of them.

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_records::{Executor, StoreError, Tables, Tenant};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

/// Rows that a history has at most.
const HISTORY_MAX: i64 = 50_000;

/// A published event, as the jobs that deliver it store it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PublishedEvent {
    pub event: Uuid,
    pub kind: String,
    pub payload: String,
    pub correlation: Option<String>,
    pub creator: Option<String>,
    pub publisher: Option<String>,
}

/// What happened to an event.
#[derive(Debug, Clone, Copy)]
pub enum State<'a> {
    Created,
    Delivered,
    Rejected(&'a str),
}

/// Notes what happened to an event.
#[boxed]
pub async fn note(
    executor: &dyn Executor,
    tables: Tables<'_>,
    published: &PublishedEvent,
    state: State<'_>,
) -> Result<(), StoreError> {
    let (state, message) = match state {
        State::Created => ("CREATED", None),
        State::Delivered => ("DELIVERED", None),
        State::Rejected(message) => ("REJECTED", Some(message)),
    };
    let sql = format!(
        "INSERT INTO {} (event_id, event_type, correlation_id, created_by, published_by, state, \
         error_message) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        tables.table("pubsub_audit_message")
    );
    let values: octavo_records::Values<'_> = &[
        &published.event,
        &published.kind,
        &published.correlation,
        &published.creator,
        &published.publisher,
        &state,
        &message,
    ];
    executor.rows(&sql, values).await?;
    Ok(())
}

/// Lines an event up for its subscribers.
#[boxed]
pub async fn enqueue(
    executor: &dyn Executor,
    tables: Tables<'_>,
    published: &PublishedEvent,
) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT {}.pubsub_enqueue($1, $2, $3, $4, $5, $6) AS many",
        tables.tenant.schema()
    );
    let values: octavo_records::Values<'_> = &[
        &published.event,
        &published.kind,
        &published.payload,
        &published.correlation,
        &published.creator,
        &published.publisher,
    ];
    executor.rows(&sql, values).await?;
    Ok(())
}

/// What a history is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct Narrowed {
    pub first: String,
    pub last: String,
    pub event: Option<Uuid>,
    pub kind: Option<String>,
    pub correlation: Option<String>,
}

/// What became of events, oldest first, and how many rows there are.
#[boxed]
pub async fn history(
    executor: &dyn Executor,
    tables: Tables<'_>,
    narrowed: &Narrowed,
) -> Result<(Vec<Value>, i64), StoreError> {
    let mut condition = "audit_date BETWEEN $1::text::timestamptz AND $2::text::timestamptz \
                         AND ($3::text IS NULL OR event_type = $3) \
                         AND ($4::text IS NULL OR correlation_id = $4)"
        .to_owned();
    let (first, last) = (&narrowed.first, &narrowed.last);
    let mut values: Vec<&(dyn octavo_postgres::ToSql + Sync)> =
        vec![first, last, &narrowed.kind, &narrowed.correlation];
    if let Some(event) = &narrowed.event {
        condition.push_str(" AND event_id = $5");
        values.push(event);
    }
    let table = tables.table("pubsub_audit_message");
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'eventId', event_id, \
         'eventType', event_type, 'correlationId', correlation_id, 'createdBy', created_by, \
         'publishedBy', published_by, 'state', state, 'errorMessage', error_message, 'auditDate', \
         to_char(audit_date AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'))) AS message, \
         count(*) OVER () AS total \
         FROM {table} WHERE {condition} ORDER BY audit_date LIMIT {HISTORY_MAX}"
    );
    let rows = executor.rows(&sql, &values).await?;
    let total = rows.first().map_or(0, |row| row.get("total"));
    Ok((rows.iter().map(|row| row.get("message")).collect(), total))
}

/// Deletes what became of events more than so many days ago, `most` rows at most. Gives how many.
#[boxed]
pub async fn delete_old(
    database: &Database,
    tenant: &Tenant,
    days: i32,
    most: i64,
) -> Result<u64, DatabaseError> {
    let table = format!("{}.pubsub_audit_message", tenant.schema());
    let sql = format!(
        "DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} \
         WHERE audit_date < now() - make_interval(days => $1) ORDER BY audit_date LIMIT $2))"
    );
    database.execute(&sql, &[&days, &most]).await
}
