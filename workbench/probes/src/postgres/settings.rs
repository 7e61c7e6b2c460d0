//! The facts of a PostgreSQL server: version, size, the settings that determine its speed.

use tokio_postgres::{Client, Error};

use crate::recorder::Recorder;

const FACTS: &str = "SELECT /* octavo-probe */ current_setting('server_version') AS version, \
    pg_size_pretty(pg_database_size(current_database())) AS size, pg_is_in_recovery(), \
    coalesce((SELECT rolsuper OR pg_has_role(oid, 'pg_read_all_stats', 'USAGE') \
      FROM pg_roles WHERE rolname = current_user), false) AS sees_all";

const SETTINGS: &str = "SELECT /* octavo-probe */ name, current_setting(name) AS value \
    FROM pg_settings WHERE name = ANY ($1) ORDER BY array_position($1, name)";

/// In the order of the report.
const NAMES: [&str; 20] = [
    "shared_buffers",
    "effective_cache_size",
    "work_mem",
    "maintenance_work_mem",
    "max_connections",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_level",
    "wal_compression",
    "max_wal_size",
    "checkpoint_timeout",
    "random_page_cost",
    "effective_io_concurrency",
    "max_parallel_workers_per_gather",
    "autovacuum",
    "autovacuum_naptime",
    "jit",
    "huge_pages",
    "shared_preload_libraries",
];

/// Records them; false when the role cannot see other users' statistics.
pub(super) async fn describe(
    client: &Client,
    recorder: &Recorder,
    source: &str,
) -> Result<bool, Error> {
    let row = client.query_one(FACTS, &[]).await?;
    let (version, size): (String, String) = (row.try_get("version")?, row.try_get("size")?);
    let role = match row.try_get("pg_is_in_recovery")? {
        true => ", replica",
        false => "",
    };
    recorder.infrastructure(
        &format!("{source} version"),
        format!("PostgreSQL {version}{role}"),
    );
    recorder.infrastructure(&format!("{source} database size"), size);
    let names: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    for row in client.query(SETTINGS, &[&names]).await? {
        let (name, value): (String, String) = (row.try_get("name")?, row.try_get("value")?);
        recorder.infrastructure(&format!("{source} {name}"), value);
    }
    row.try_get("sees_all")
}
