//! What the database knows of tenants, timers and background work, in few statements.

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_records::Tenant;

/// The tenants whose queues one statement reads.
const TENANTS_AT_ONCE: usize = 50;

/// Tenants by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TenantCounts {
    /// They can be served at once.
    pub ready: i64,
    /// They can be served; indexes are still being built.
    pub indexing: i64,
    /// They are upgraded before they are served.
    pub waiting: i64,
}

/// The states of all tenants; `fingerprint` is that of this release.
#[boxed]
pub async fn tenants(
    database: &Database,
    fingerprint: &str,
) -> Result<TenantCounts, DatabaseError> {
    let sql = "SELECT count(*) FILTER (WHERE prepared IS DISTINCT FROM $1) AS waiting, \
                 count(*) FILTER (WHERE prepared = $1 AND indexed) AS ready, \
                 count(*) FILTER (WHERE prepared = $1 AND NOT indexed) AS indexing \
               FROM octavo.tenant";
    let rows = database.query(sql, &[&fingerprint]).await?;
    Ok(rows
        .first()
        .map_or_else(TenantCounts::default, |row| TenantCounts {
            ready: row.get("ready"),
            indexing: row.get("indexing"),
            waiting: row.get("waiting"),
        }))
}

/// Timers of all tenants.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TimerCounts {
    pub all: i64,
    /// Those whose last run failed.
    pub failed: i64,
    /// Those that run at this moment.
    pub running: i64,
    /// How late the most overdue one is, in seconds.
    pub late_seconds: f64,
    /// Runs since they were declared.
    pub runs: i64,
}

/// The state of all timers.
#[boxed]
pub async fn timers(database: &Database) -> Result<TimerCounts, DatabaseError> {
    let sql = "SELECT count(*) AS all, count(*) FILTER (WHERE last_error IS NOT NULL) AS failed, \
                 count(*) FILTER (WHERE claimed_until > clock_timestamp()) AS running, \
                 coalesce(sum(runs), 0)::bigint AS runs, \
                 coalesce(extract(epoch FROM clock_timestamp() - min(next_run) FILTER \
                   (WHERE claimed_until IS NULL OR claimed_until < clock_timestamp())), 0) \
                   ::double precision AS late FROM octavo.timer";
    let rows = database.query(sql, &[]).await?;
    Ok(rows
        .first()
        .map_or_else(TimerCounts::default, |row| TimerCounts {
            all: row.get("all"),
            failed: row.get("failed"),
            running: row.get("running"),
            late_seconds: row.get::<_, f64>("late").max(0.0),
            runs: row.get("runs"),
        }))
}

/// A queue of background work, of all tenants together.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueCounts {
    pub queue: String,
    pub jobs: i64,
    /// Jobs whose last portion was not finished.
    pub retried: i64,
    /// The age of the oldest job, in seconds.
    pub oldest_seconds: f64,
}

/// The queues of these tenants.
#[boxed]
pub async fn queues(
    database: &Database,
    tenants: &[Tenant],
) -> Result<Vec<QueueCounts>, DatabaseError> {
    let mut all: Vec<QueueCounts> = Vec::new();
    for portion in tenants.chunks(TENANTS_AT_ONCE) {
        let each: Vec<String> = portion
            .iter()
            .map(|tenant| {
                let schema = tenant.schema();
                format!(
                    "SELECT job.queue, job.added, attempt.attempts FROM {schema}.octavo_job AS job \
                     LEFT JOIN {schema}.octavo_job_attempt AS attempt USING (queue, id)"
                )
            })
            .collect();
        let sql = format!(
            "SELECT queue, count(*) AS jobs, count(*) FILTER (WHERE attempts > 0) AS retried, \
               extract(epoch FROM clock_timestamp() - min(added))::double precision AS oldest \
             FROM ({}) AS job GROUP BY queue ORDER BY queue",
            each.join(" UNION ALL ")
        );
        for row in database.query(&sql, &[]).await? {
            let one = QueueCounts {
                queue: row.get("queue"),
                jobs: row.get("jobs"),
                retried: row.get("retried"),
                oldest_seconds: row.get("oldest"),
            };
            match all.iter_mut().find(|known| known.queue == one.queue) {
                Some(known) => {
                    known.jobs += one.jobs;
                    known.retried += one.retried;
                    known.oldest_seconds = known.oldest_seconds.max(one.oldest_seconds);
                }
                None => all.push(one),
            }
        }
    }
    Ok(all)
}

/// The number of events that these tenants have written so far.
#[boxed]
pub async fn events(database: &Database, tenants: &[Tenant]) -> Result<i64, DatabaseError> {
    let schemas: Vec<&str> = tenants.iter().map(Tenant::schema).collect();
    let sql = "SELECT coalesce(sum(pg_sequence_last_value(sequence)), 0)::bigint AS events FROM (\
               SELECT to_regclass(schema || '.outbox_position_seq') AS sequence \
               FROM unnest($1::text[]) AS schema) AS named WHERE sequence IS NOT NULL";
    let rows = database.query(sql, &[&schemas]).await?;
    Ok(rows.first().map_or(0, |row| row.get("events")))
}
