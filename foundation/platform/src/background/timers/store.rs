//! The timers' statements. A timer is claimed by one process at a time, for as long as that process
//! says that it is at work.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Migration};
use serde_json::Value;

const TABLES: &str = "
CREATE TABLE octavo.timer (
  tenant text NOT NULL REFERENCES octavo.tenant (id) ON DELETE CASCADE,
  id text NOT NULL,
  patch jsonb,
  next_run timestamptz,
  claimed_until timestamptz,
  last_started timestamptz,
  last_seconds double precision,
  last_error text,
  runs bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX timer_next_run ON octavo.timer (next_run) WHERE next_run IS NOT NULL;
";

/// A process that says nothing for so long has lost its claim.
const LEASE_SECONDS: f64 = 30.0;

/// What is kept of one timer.
#[derive(Debug, Clone, Default)]
pub struct TimerRow {
    /// Whose it is.
    pub tenant: String,
    /// Product and number, `mod-users_0`.
    pub id: String,
    /// The times that an operator gave in place of the module's.
    pub patch: Option<Value>,
    /// When it runs next.
    pub next_run: Option<Timestamp>,
    /// When it last began.
    pub last_started: Option<Timestamp>,
    /// How long that took, when it is over.
    pub last_seconds: Option<f64>,
    /// Why it failed, if it did.
    pub last_error: Option<String>,
    /// How often it ran.
    pub runs: i64,
}

const COLUMNS: &str = "tenant, id, patch, next_run, last_started, last_seconds, last_error, runs";

fn timer(row: &octavo_postgres::Row) -> TimerRow {
    TimerRow {
        tenant: row.get("tenant"),
        id: row.get("id"),
        patch: row.get("patch"),
        next_run: row.get("next_run"),
        last_started: row.get("last_started"),
        last_seconds: row.get("last_seconds"),
        last_error: row.get("last_error"),
        runs: row.get("runs"),
    }
}

/// Makes the table, once.
///
/// # Errors
/// When the database does not answer or does not allow it.
#[boxed]
pub async fn prepare(database: &Database) -> Result<(), DatabaseError> {
    database
        .migrate("octavo", &[Migration::new("timers", TABLES)])
        .await?;
    Ok(())
}

/// Adds timers that are not there yet; those that are keep their times.
#[boxed]
pub async fn add(
    database: &Database,
    timers: &[(String, String, Option<Timestamp>)],
) -> Result<(), DatabaseError> {
    let tenants: Vec<&str> = timers.iter().map(|one| one.0.as_str()).collect();
    let ids: Vec<&str> = timers.iter().map(|one| one.1.as_str()).collect();
    let next: Vec<Option<Timestamp>> = timers.iter().map(|one| one.2).collect();
    // A tenant that was purged meanwhile has none.
    let sql = "INSERT INTO octavo.timer (tenant, id, next_run) \
               SELECT wanted.* FROM unnest($1::text[], $2::text[], $3::timestamptz[]) \
                 AS wanted(tenant, id, next_run) \
               JOIN octavo.tenant ON tenant.id = wanted.tenant \
               ON CONFLICT DO NOTHING";
    database.execute(sql, &[&tenants, &ids, &next]).await?;
    Ok(())
}

/// Claims timers that are due, at most `most`, the longest due first.
#[boxed]
pub async fn claim(database: &Database, most: i64) -> Result<Vec<TimerRow>, DatabaseError> {
    let sql = format!(
        "WITH due AS (
           SELECT tenant, id FROM octavo.timer
           WHERE next_run <= now() AND (claimed_until IS NULL OR claimed_until < now())
           ORDER BY next_run LIMIT $1 FOR UPDATE SKIP LOCKED)
         UPDATE octavo.timer SET claimed_until = now() + make_interval(secs => $2),
           last_started = now(), last_seconds = NULL
         FROM due WHERE timer.tenant = due.tenant AND timer.id = due.id
         RETURNING timer.{}",
        COLUMNS.replace(", ", ", timer.")
    );
    let rows = database.query(&sql, &[&most, &LEASE_SECONDS]).await?;
    Ok(rows.iter().map(timer).collect())
}

/// Keeps a claim.
#[boxed]
pub async fn keep(database: &Database, tenant: &str, id: &str) -> Result<(), DatabaseError> {
    let sql = "UPDATE octavo.timer SET claimed_until = now() + make_interval(secs => $3) \
               WHERE tenant = $1 AND id = $2";
    database
        .execute(sql, &[&tenant, &id, &LEASE_SECONDS])
        .await?;
    Ok(())
}

/// Notes that a timer ran, and gives the claim up. An instant that an operator chose meanwhile stays.
#[boxed]
pub async fn finish(
    database: &Database,
    ran: &TimerRow,
    next: Option<Timestamp>,
    seconds: f64,
    error: Option<&str>,
) -> Result<(), DatabaseError> {
    let sql = "UPDATE octavo.timer SET claimed_until = NULL, last_seconds = $5, last_error = $6, \
               runs = runs + 1, next_run = CASE WHEN next_run IS NOT DISTINCT FROM $4 THEN $3 ELSE next_run END \
               WHERE tenant = $1 AND id = $2";
    database
        .execute(
            sql,
            &[&ran.tenant, &ran.id, &next, &ran.next_run, &seconds, &error],
        )
        .await?;
    Ok(())
}

/// Forgets a timer that no module has any more.
#[boxed]
pub async fn remove(database: &Database, tenant: &str, id: &str) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM octavo.timer WHERE tenant = $1 AND id = $2";
    database.execute(sql, &[&tenant, &id]).await?;
    Ok(())
}

/// Gives a timer other times, or its module's again.
#[boxed]
pub async fn patch(
    database: &Database,
    tenant: &str,
    id: &str,
    patch: Option<&Value>,
    next: Option<Timestamp>,
) -> Result<(), DatabaseError> {
    let sql = "INSERT INTO octavo.timer (tenant, id, patch, next_run) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (tenant, id) DO UPDATE SET patch = $3, next_run = $4";
    database
        .execute(sql, &[&tenant, &id, &patch, &next])
        .await?;
    Ok(())
}

/// When the next timer of all is due.
#[boxed]
pub async fn earliest(database: &Database) -> Result<Option<Timestamp>, DatabaseError> {
    let sql = "SELECT next_run FROM octavo.timer WHERE next_run IS NOT NULL \
               AND (claimed_until IS NULL OR claimed_until < now()) ORDER BY next_run LIMIT 1";
    Ok(database
        .query_opt(sql, &[])
        .await?
        .map(|row| row.get("next_run")))
}

/// A tenant's timers.
#[boxed]
pub async fn of_tenant(database: &Database, tenant: &str) -> Result<Vec<TimerRow>, DatabaseError> {
    let sql = format!("SELECT {COLUMNS} FROM octavo.timer WHERE tenant = $1 ORDER BY id");
    let rows = database.query(&sql, &[&tenant]).await?;
    Ok(rows.iter().map(timer).collect())
}
