//! How far the events of a tenant have been sent.

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_records::store::{Cursor, reader};
use octavo_records::{Executor, StoreError, Tenant};

use super::lease::Token;
use super::parked::Parked;

/// A relay's state for a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub cursor: Cursor,
    /// How many events it has passed on.
    pub events: i64,
    /// When it last did.
    pub sent_at: Option<jiff::Timestamp>,
}

/// The state of the tenant, if the relay has begun with it.
#[boxed]
pub async fn read(
    executor: &dyn Executor,
    tenant: &Tenant,
    name: &str,
) -> Result<Option<Sent>, StoreError> {
    let sql = format!(
        "SELECT read, upto, reached, events, sent_at FROM {}.octavo_relay WHERE name = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(|row| Sent {
        cursor: Cursor::of_row(row),
        events: row.get("events"),
        sent_at: row.get("sent_at"),
    }))
}

/// The state of the tenant, which begins before its first event.
#[boxed]
pub async fn begin(database: &Database, tenant: &Tenant, name: &str) -> Result<Cursor, StoreError> {
    reader::begin_in(database, tenant, "octavo_relay", name).await
}

/// Acknowledges that everything from one cursor up to another has been sent or is parked, in one statement.
/// Gives false, and does nothing, where the lease is another's or the state another one.
#[boxed]
pub async fn acknowledge(
    executor: &dyn Executor,
    tenant: &Tenant,
    (name, token): (&str, Token),
    (from, upto): (&Cursor, &Cursor),
    events: i64,
    parked: &[Parked],
) -> Result<bool, StoreError> {
    let schema = tenant.schema();
    let positions: Vec<i64> = parked.iter().map(|one| one.position).collect();
    let bytes: Vec<i64> = parked.iter().map(|one| one.bytes).collect();
    let reasons: Vec<&str> = parked.iter().map(|one| one.reason.as_str()).collect();
    let sql = format!(
        "WITH sent AS (UPDATE {schema}.octavo_relay SET read = $2, upto = $3, reached = $4, \
           events = events + $5, sent_at = CASE WHEN $5 > 0 THEN clock_timestamp() ELSE sent_at END \
         WHERE name = $1 AND read = $6 AND upto IS NOT DISTINCT FROM $7 \
           AND reached IS NOT DISTINCT FROM $8 \
           AND EXISTS (SELECT FROM octavo.relay_lease AS lease \
             WHERE lease.name = $1 AND lease.holder = $9 AND lease.token = $10) \
         RETURNING name), \
         parked AS (INSERT INTO {schema}.octavo_relay_parked \
           (position, event_id, topic, key, type, bytes, reason, old, new) \
         SELECT event.position, event.event_id, event.topic, event.key, event.type, refused.bytes, \
           refused.reason, CASE WHEN event.was IS NULL THEN event.old \
             ELSE (event.new - coalesce(event.came, '{{}}')) || event.was END, event.new \
         FROM sent, unnest($11::bigint[], $12::bigint[], $13::text[]) \
           AS refused (position, bytes, reason) \
         JOIN {schema}.outbox AS event USING (position) ON CONFLICT (position) DO NOTHING) \
         SELECT name FROM sent"
    );
    let ((upto_old, reached_old), (upto_new, reached_new)) =
        (from.window_columns(), upto.window_columns());
    let rows = executor
        .rows(
            &sql,
            &[
                &name,
                &upto.read,
                &upto_new,
                &reached_new,
                &events,
                &from.read,
                &upto_old,
                &reached_old,
                &token.holder,
                &token.number,
                &positions,
                &bytes,
                &reasons,
            ],
        )
        .await?;
    Ok(!rows.is_empty())
}

/// The last positions that the sequences of these tenants have given, with the tenants' ids: one statement,
/// however many there are. A position says that there may be a new event; its transaction may be open.
#[boxed]
pub async fn positions(
    database: &Database,
    schemas: &[String],
) -> Result<Vec<(String, i64)>, DatabaseError> {
    let sql = "SELECT schema, coalesce(pg_sequence_last_value(sequence), 0) AS last FROM (\
               SELECT schema, to_regclass(schema || '.outbox_position_seq') AS sequence \
               FROM unnest($1::text[]) AS schema) AS named WHERE sequence IS NOT NULL";
    let rows = database.query(sql, &[&schemas]).await?;
    let read = rows.iter().map(|row| (row.get("schema"), row.get("last")));
    Ok(read.collect())
}
