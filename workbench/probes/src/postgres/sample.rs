//! One sample of a PostgreSQL server: connections, waits, autovacuum, cache, WAL, lag.

use std::time::Instant;

use tokio_postgres::{Client, Error, Row, Statement};

use crate::recorder::Recorder;

/// One row of counts and seconds as double precision. For a role without access to statistics,
/// other users' connections have no type: those with a database are counted as clients.
const SAMPLE: &str = "SELECT /* octavo-probe */ \
    a.connections, a.active, a.idle_in_transaction, a.waiting, a.vacuuming, \
    d.hits, d.reads, d.transactions, d.deadlocks, d.temporary, \
    CASE WHEN pg_is_in_recovery() THEN NULL \
      ELSE pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 END AS wal, \
    CASE WHEN NOT pg_is_in_recovery() THEN NULL \
      WHEN pg_last_wal_receive_lsn() <= pg_last_wal_replay_lsn() THEN 0 \
      ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 \
      END AS lag \
  FROM (SELECT \
      count(*) FILTER (WHERE client)::float8 AS connections, \
      count(*) FILTER (WHERE client AND state = 'active')::float8 AS active, \
      count(*) FILTER (WHERE state LIKE 'idle in transaction%')::float8 AS idle_in_transaction, \
      count(*) FILTER (WHERE wait_event_type = 'Lock')::float8 AS waiting, \
      count(*) FILTER (WHERE backend_type = 'autovacuum worker')::float8 AS vacuuming \
    FROM (SELECT *, coalesce(backend_type = 'client backend', datid IS NOT NULL) AS client \
      FROM pg_stat_activity WHERE pid <> pg_backend_pid()) every) a, \
    (SELECT sum(blks_hit)::float8 AS hits, sum(blks_read)::float8 AS reads, \
      sum(xact_commit + xact_rollback)::float8 AS transactions, \
      sum(deadlocks)::float8 AS deadlocks, sum(temp_bytes)::float8 AS temporary \
    FROM pg_stat_database) d";

/// The replicas of a primary.
const REPLICAS: &str = "SELECT /* octavo-probe */ \
    coalesce(nullif(application_name, ''), 'replica') AS name, \
    coalesce(host(client_addr), 'local') AS host, \
    pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 AS bytes, \
    extract(epoch FROM replay_lag)::float8 AS seconds \
  FROM pg_stat_replication WHERE state IN ('streaming', 'catchup') \
  ORDER BY 1, 2, backend_start, pid LIMIT 20";

const BYTES_PER_MB: f64 = 1e6;

/// The statements of a sample, prepared on one connection.
pub(super) struct Samples {
    sample: Statement,
    replicas: Statement,
}

/// Counters at the last sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Counters {
    pub at: Instant,
    pub hits: f64,
    pub reads: f64,
    pub transactions: f64,
    pub deadlocks: f64,
    pub temporary: f64,
    pub wal: Option<f64>,
}

impl Samples {
    pub(super) async fn prepare(client: &Client) -> Result<Self, Error> {
        Ok(Self {
            sample: client.prepare(SAMPLE).await?,
            replicas: client.prepare(REPLICAS).await?,
        })
    }

    /// Takes a sample; returns the counters for the next one.
    pub(super) async fn take_sample(
        &self,
        client: &Client,
        recorder: &Recorder,
        source: &str,
        before: Option<Counters>,
    ) -> Result<Counters, Error> {
        let row = client.query_one(&self.sample, &[]).await?;
        let at = Instant::now();
        let number = |name: &str| value(&row, name).unwrap_or(0.0);
        let record = |measure: &str, unit: &str, value: f64| {
            recorder.value(at, source, measure, unit, value);
        };
        record("connections", "connections", number("connections"));
        record("active", "connections", number("active"));
        record(
            "idle-in-transaction",
            "connections",
            number("idle_in_transaction"),
        );
        record("locks-waiting", "connections", number("waiting"));
        record("autovacuum", "workers", number("vacuuming"));
        if let Some(lag) = value(&row, "lag") {
            record("replica-lag", "s", lag.max(0.0));
        }
        let now = Counters {
            at,
            hits: number("hits"),
            reads: number("reads"),
            transactions: number("transactions"),
            deadlocks: number("deadlocks"),
            temporary: number("temporary"),
            wal: value(&row, "wal"),
        };
        for (measure, unit, value) in before.map(|before| rates(before, now)).unwrap_or_default() {
            record(measure, unit, value);
        }
        if now.wal.is_some() {
            let rows = client.query(&self.replicas, &[]).await?;
            replicas(recorder, &rows);
        }
        Ok(now)
    }
}

fn value(row: &Row, name: &str) -> Option<f64> {
    row.try_get::<_, Option<f64>>(name).ok().flatten()
}

/// The growth of counters a second; none of those that were reset meanwhile.
fn rates(before: Counters, now: Counters) -> Vec<(&'static str, &'static str, f64)> {
    let seconds = now.at.saturating_duration_since(before.at).as_secs_f64();
    if seconds <= 0.001 {
        return Vec::new();
    }
    let grown = |before: f64, now: f64| (now >= before).then_some(now - before);
    let mut rates = Vec::new();
    if let (Some(hits), Some(reads)) =
        (grown(before.hits, now.hits), grown(before.reads, now.reads))
        && hits + reads > 0.0
    {
        rates.push(("cache-hits", "%", 100.0 * hits / (hits + reads)));
        rates.push(("blocks-read", "/s", reads / seconds));
    }
    if let Some(count) = grown(before.transactions, now.transactions) {
        rates.push(("transactions", "/s", count / seconds));
    }
    if let Some(count) = grown(before.deadlocks, now.deadlocks) {
        rates.push(("deadlocks", "/s", count / seconds));
    }
    if let Some(bytes) = grown(before.temporary, now.temporary) {
        rates.push(("temporary-files", "MB/s", bytes / BYTES_PER_MB / seconds));
    }
    if let (Some(before), Some(now)) = (before.wal, now.wal)
        && let Some(bytes) = grown(before, now)
    {
        rates.push(("wal", "MB/s", bytes / BYTES_PER_MB / seconds));
    }
    rates
}

fn replicas(recorder: &Recorder, rows: &[Row]) {
    let at = Instant::now();
    let mut names: Vec<String> = Vec::new();
    for row in rows {
        let text = |column| row.try_get::<_, String>(column).unwrap_or_default();
        let name = format!("replica {}@{}", text("name"), text("host"));
        let same = names.iter().filter(|known| **known == name).count();
        let source = match same {
            0 => name.clone(),
            _ => format!("{name} {}", same + 1),
        };
        names.push(name);
        let number = |column| row.try_get::<_, Option<f64>>(column).ok().flatten();
        let bytes = number("bytes");
        if let Some(bytes) = bytes {
            let megabytes = bytes.max(0.0) / BYTES_PER_MB;
            recorder.value(at, &source, "replica-lag-bytes", "MB", megabytes);
        }
        // A replica that has replayed everything has no lag in time any more.
        let seconds = number("seconds").or_else(|| (bytes? <= 0.0).then_some(0.0));
        if let Some(seconds) = seconds {
            recorder.value(at, &source, "replica-lag", "s", seconds.max(0.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn counters_become_rates_and_resets_nothing() {
        let at = Instant::now();
        let before = Counters {
            at,
            hits: 100.0,
            reads: 10.0,
            transactions: 50.0,
            deadlocks: 1.0,
            temporary: 0.0,
            wal: Some(0.0),
        };
        let now = Counters {
            at: at + Duration::from_secs(2),
            hits: 190.0,
            reads: 20.0,
            transactions: 10.0,
            deadlocks: 3.0,
            temporary: 4e6,
            wal: Some(8e6),
        };
        let expected = [
            ("cache-hits", "%", 90.0),
            ("blocks-read", "/s", 5.0),
            ("deadlocks", "/s", 1.0),
            ("temporary-files", "MB/s", 2.0),
            ("wal", "MB/s", 4.0),
        ];
        assert_eq!(rates(before, now), expected);
        assert_eq!(rates(before, before), []);
    }
}
