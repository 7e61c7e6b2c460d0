//! The timers' statements. One process at a time holds the lease of a timer and renews it while it
//! works.

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

/// A lease that is not renewed for so long expires.
const LEASE_SECONDS: f64 = 30.0;

/// The stored state of a timer.
#[derive(Debug, Clone, Default)]
pub struct TimerRow {
    pub tenant: String,
    /// Product and number, `mod-users_0`.
    pub id: String,
    /// The operator's schedule, which replaces the module's.
    pub patch: Option<Value>,
    pub next_run: Option<Timestamp>,
    pub last_started: Option<Timestamp>,
    /// The duration of the last run, once it has ended.
    pub last_seconds: Option<f64>,
    /// The error of the last run, if it failed.
    pub last_error: Option<String>,
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

/// Creates the table if it does not exist.
///
/// # Errors
/// When the database does not allow it.
#[boxed]
pub async fn prepare(database: &Database) -> Result<(), DatabaseError> {
    database
        .migrate("octavo", &[Migration::new("timers", TABLES)])
        .await?;
    Ok(())
}

/// Adds timers that do not exist yet; existing ones keep their schedule.
#[boxed]
pub async fn add(
    database: &Database,
    timers: &[(String, String, Option<Timestamp>)],
) -> Result<(), DatabaseError> {
    let tenants: Vec<&str> = timers.iter().map(|one| one.0.as_str()).collect();
    let ids: Vec<&str> = timers.iter().map(|one| one.1.as_str()).collect();
    let next: Vec<Option<Timestamp>> = timers.iter().map(|one| one.2).collect();
    // A tenant that was deleted meanwhile gets none.
    let sql = "INSERT INTO octavo.timer (tenant, id, next_run) \
               SELECT wanted.* FROM unnest($1::text[], $2::text[], $3::timestamptz[]) \
                 AS wanted(tenant, id, next_run) \
               JOIN octavo.tenant ON tenant.id = wanted.tenant \
               ON CONFLICT DO NOTHING";
    database.execute(sql, &[&tenants, &ids, &next]).await?;
    Ok(())
}

/// Leases due timers, at most `most`, the longest overdue first.
#[boxed]
pub async fn claim(database: &Database, most: i64) -> Result<Vec<TimerRow>, DatabaseError> {
    let sql = format!(
        // SKIP LOCKED: a timer that another process is leasing at this moment is run by that
        // process.
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

/// Renews a lease.
#[boxed]
pub async fn renew(database: &Database, tenant: &str, id: &str) -> Result<(), DatabaseError> {
    let sql = "UPDATE octavo.timer SET claimed_until = now() + make_interval(secs => $3) \
               WHERE tenant = $1 AND id = $2";
    database
        .execute(sql, &[&tenant, &id, &LEASE_SECONDS])
        .await?;
    Ok(())
}

/// Records the end of a run and releases the lease. A next run that an operator set meanwhile
/// stays.
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

/// Deletes a timer that no module declares any more.
#[boxed]
pub async fn remove(database: &Database, tenant: &str, id: &str) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM octavo.timer WHERE tenant = $1 AND id = $2";
    database.execute(sql, &[&tenant, &id]).await?;
    Ok(())
}

/// Sets or removes the operator's schedule of a timer.
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

/// When the next timer of any tenant is due.
#[boxed]
pub async fn earliest(database: &Database) -> Result<Option<Timestamp>, DatabaseError> {
    let sql = "SELECT next_run FROM octavo.timer WHERE next_run IS NOT NULL \
               AND (claimed_until IS NULL OR claimed_until < now()) ORDER BY next_run LIMIT 1";
    Ok(database
        .query_opt(sql, &[])
        .await?
        .map(|row| row.get("next_run")))
}

#[boxed]
pub async fn of_tenant(database: &Database, tenant: &str) -> Result<Vec<TimerRow>, DatabaseError> {
    let sql = format!("SELECT {COLUMNS} FROM octavo.timer WHERE tenant = $1 ORDER BY id");
    let rows = database.query(&sql, &[&tenant]).await?;
    Ok(rows.iter().map(timer).collect())
}
