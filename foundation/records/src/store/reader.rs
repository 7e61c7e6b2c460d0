//! Areas that read the outbox for work of their own: how far each is, in the database. What is read in a
//! transaction is acknowledged by it, so that an event is worked on once, whichever process does so.
//!
//! Housekeeping leaves events that a reader has not read, as long as the reader looks ([`unread_by`]).

use octavo_boxed::boxed;
use octavo_postgres::{Database, Transaction};

use super::unread::{Cursor, unread_sql};
use crate::error::StoreError;
use crate::executor::Executor;
use crate::tenant::Tenant;

/// A reader says no more often than this that it looks.
const LOOKS_EVERY: &str = "10 minutes";

/// The table of areas that read.
const READERS: &str = "octavo_reader";

/// Makes a reader known, which begins before the first event.
#[boxed]
pub async fn begin(database: &Database, tenant: &Tenant, name: &str) -> Result<(), StoreError> {
    begin_in(database, tenant, READERS, name).await?;
    Ok(())
}

/// A reader's cursor in a table with the columns of `octavo_reader`; a new one begins before the first event.
///
/// Numbers of transactions mean something in one database cluster only. In a tenant that was restored into
/// another one, the outbox's events get the number of this transaction, and are all read again, more than needed
/// rather than less: who works on them must know events by their ids.
#[boxed]
pub async fn begin_in(
    database: &Database,
    tenant: &Tenant,
    table: &str,
    name: &str,
) -> Result<Cursor, StoreError> {
    let schema = tenant.schema();
    let cluster = cluster(database).await?;
    let beginning = Cursor::beginning().read;
    let transaction = database.transaction().await?;
    let sql = format!(
        "INSERT INTO {schema}.{table} (name, read, cluster) VALUES ($1, $2, $3) \
         ON CONFLICT (name) DO NOTHING"
    );
    transaction
        .execute(&sql, &[&name, &beginning, &cluster])
        .await?;
    let sql = format!(
        "SELECT FROM {schema}.{table} WHERE name = $1 AND (cluster <> $2 \
         OR pg_snapshot_xmax(read::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())) FOR UPDATE"
    );
    if !transaction
        .query(&sql, &[&name, &cluster])
        .await?
        .is_empty()
    {
        tracing::warn!(
            tenant = tenant.id(),
            reader = name,
            "the database is another one than that whose events were read: all that the outbox keeps is read again"
        );
        let sql = format!("UPDATE {schema}.outbox SET xact = pg_current_xact_id()");
        transaction.execute(&sql, &[]).await?;
        let sql = format!(
            "UPDATE {schema}.{table} SET read = $2, upto = NULL, reached = NULL, cluster = $3 \
             WHERE name = $1"
        );
        transaction
            .execute(&sql, &[&name, &beginning, &cluster])
            .await?;
    }
    let sql = format!("SELECT read, upto, reached FROM {schema}.{table} WHERE name = $1");
    let rows = transaction.query(&sql, &[&name]).await?;
    transaction.commit().await?;
    Ok(rows.first().map_or_else(Cursor::beginning, Cursor::of_row))
}

/// Whether there may be events that a reader has not read; none for a reader that has not begun. Says, from time to
/// time, that it looks.
#[boxed]
pub async fn looks(
    executor: &dyn Executor,
    tenant: &Tenant,
    name: &str,
) -> Result<Option<bool>, StoreError> {
    let schema = tenant.schema();
    let unread = unread_sql(schema, "read::pg_snapshot");
    let sql = format!(
        "SELECT upto IS NOT NULL OR EXISTS ({unread}) AS unread, \
           looked_at < now() - interval '{LOOKS_EVERY}' AS silent \
         FROM {schema}.octavo_reader WHERE name = $1"
    );
    let rows = executor.rows(&sql, &[&name]).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    if row.get("silent") {
        let sql = format!("UPDATE {schema}.octavo_reader SET looked_at = now() WHERE name = $1");
        executor.rows(&sql, &[&name]).await?;
    }
    Ok(Some(row.get("unread")))
}

/// A reader's cursor, which this transaction alone moves until it ends; none for a reader that has not begun.
#[boxed]
pub async fn hold(
    transaction: &Transaction,
    tenant: &Tenant,
    name: &str,
) -> Result<Option<Cursor>, StoreError> {
    let sql = format!(
        "SELECT read, upto, reached FROM {}.octavo_reader WHERE name = $1 FOR UPDATE",
        tenant.schema()
    );
    let rows = transaction.rows(&sql, &[&name]).await?;
    Ok(rows.first().map(Cursor::of_row))
}

/// Acknowledges what lies before a cursor, in the transaction that holds the reader.
#[boxed]
pub async fn keep(
    transaction: &Transaction,
    tenant: &Tenant,
    name: &str,
    cursor: &Cursor,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.octavo_reader SET read = $2, upto = $3, reached = $4, looked_at = now() WHERE name = $1",
        tenant.schema()
    );
    let (upto, reached) = cursor.window_columns();
    transaction
        .rows(&sql, &[&name, &cursor.read, &upto, &reached])
        .await?;
    Ok(())
}

/// A condition on a row of the outbox: whether a reader that has looked within some hours has not read it. `hours`
/// is SQL, mostly `$n`.
#[must_use]
pub fn unread_by(schema: &str, hours: &str) -> String {
    format!(
        "EXISTS (SELECT FROM {schema}.octavo_reader AS reader \
         WHERE looked_at > now() - make_interval(hours => {hours}) \
         AND NOT pg_visible_in_snapshot(xact, reader.read::pg_snapshot))"
    )
}

/// The identity of the database cluster; empty where the role may not know it.
async fn cluster(database: &Database) -> Result<String, StoreError> {
    let sql = "SELECT system_identifier::text AS cluster FROM pg_control_system()";
    match database.query(sql, &[]).await {
        Ok(rows) => Ok(rows
            .first()
            .map_or_else(String::new, |row| row.get("cluster"))),
        Err(error) if error.code().is_some() => Ok(String::new()),
        Err(error) => Err(error.into()),
    }
}
