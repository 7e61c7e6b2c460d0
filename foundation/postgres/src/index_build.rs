//! Builds, replaces and drops indexes of a live table without blocking writers, by one process at a
//! time, with progress. Does not know what an index is for.

use std::pin::pin;
use std::time::Duration;

use octavo_boxed::boxed;
use tokio::time::Instant;

use crate::connection::Connection;
use crate::database::Database;
use crate::error::DatabaseError;
use crate::migrate::{checksum, forget_step_sql, note_step, quote_identifier};
use crate::transaction::Transaction;

/// The lock is polled and not waited for: a statement that waits in the database holds a snapshot,
/// and the build that holds the lock waits for old snapshots to end.
const POLL_EVERY: Duration = Duration::from_millis(250);
/// How often the progress of a build is reported.
const REPORT_EVERY: Duration = Duration::from_secs(2);
/// How often it is logged.
const LOG_EVERY: Duration = Duration::from_secs(10);
/// After this long PostgreSQL aborts a build whose process has died.
const ORPHANED_AFTER_MS: u32 = 2_000;

/// The least memory of a build: PostgreSQL's default of 64 MB writes the entries of a large full-text
/// index to disk in many parts.
const MEMORY_KB_MIN: i64 = 128 * 1024;
/// Raises the memory of a build to the least, unless the server is set to more.
const MEMORY: &str = "SELECT set_config('maintenance_work_mem', \
     greatest(setting::bigint, $1)::text || 'kB', false), pg_backend_pid() AS backend \
     FROM pg_settings WHERE name = 'maintenance_work_mem'";

/// The empty copy of a table on which [`IndexBuilder::definition`] creates an index.
pub const SCRATCH: &str = "pg_temp.octavo_scratch";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexState {
    pub name: String,
    pub table: String,
    /// Whether searches can use it: false during a build and after a failed one.
    pub valid: bool,
    /// Whether it belongs to a constraint, such as a primary key.
    pub of_constraint: bool,
    pub size_bytes: i64,
    /// How often it was used since the statistics were reset.
    pub scans: i64,
    /// `pg_get_indexdef`.
    pub definition: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildPhase {
    Started,
    Running,
    /// The index is in use.
    Finished,
}

/// The progress of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    pub schema: String,
    pub table: String,
    pub index: String,
    pub phase: BuildPhase,
    /// PostgreSQL's name of the phase, such as `building index: scanning table`.
    pub step: String,
    /// Blocks of the table read in this phase.
    pub blocks_done: i64,
    /// Blocks to read in this phase; 0 when it reads none.
    pub blocks_total: i64,
    /// Time since the build began.
    pub elapsed: Duration,
}

/// The right to build indexes in a schema, which one process has at a time. Its advisory lock is
/// held by a connection of its own, so it is released with the process, however that ends.
#[derive(Debug)]
pub struct IndexBuilder {
    database: Database,
    connection: Connection,
    schema: String,
    backend: i32,
}

impl IndexBuilder {
    /// Waits until no other process builds indexes in this schema; `waiting` is called once if one
    /// does.
    pub async fn begin(
        database: &Database,
        schema: &str,
        waiting: impl FnOnce(),
    ) -> Result<IndexBuilder, DatabaseError> {
        let builder = IndexBuilder::connect(database, schema).await?;
        let mut waiting = Some(waiting);
        while !builder.try_lock().await? {
            if let Some(waiting) = waiting.take() {
                waiting();
            }
            tokio::time::sleep(POLL_EVERY).await;
        }
        Ok(builder)
    }

    /// The right, unless another process has it.
    pub async fn try_begin(
        database: &Database,
        schema: &str,
    ) -> Result<Option<IndexBuilder>, DatabaseError> {
        let builder = IndexBuilder::connect(database, schema).await?;
        Ok(builder.try_lock().await?.then_some(builder))
    }

    /// A second connection that builds under the right of this one, at the same time.
    pub async fn beside(&self) -> Result<IndexBuilder, DatabaseError> {
        IndexBuilder::connect(&self.database, &self.schema).await
    }

    async fn connect(database: &Database, schema: &str) -> Result<IndexBuilder, DatabaseError> {
        let connection = database.connection().await?;
        connection
            .batch_execute("SET statement_timeout = 0; SET lock_timeout = 0")
            .await?;
        // On systems that do not support this, a build continues to its end without its process.
        let watch = format!("SET client_connection_check_interval = {ORPHANED_AFTER_MS}");
        if let Err(error) = connection.batch_execute(&watch).await {
            tracing::debug!(%error, "a build will outlive its process");
        }
        let rows = connection.query(MEMORY, &[&MEMORY_KB_MIN]).await?;
        let row = rows
            .first()
            .expect("invariant: maintenance_work_mem is a setting");
        Ok(IndexBuilder {
            database: database.clone(),
            backend: row.try_get("backend")?,
            connection,
            schema: schema.to_owned(),
        })
    }

    async fn try_lock(&self) -> Result<bool, DatabaseError> {
        let key = index_lock(&self.schema);
        let sql = "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked";
        let rows = self.connection.query(sql, &[&key]).await?;
        Ok(rows.first().is_some_and(|row| row.get("locked")))
    }

    #[boxed]
    pub async fn indexes(&self) -> Result<Vec<IndexState>, DatabaseError> {
        indexes(&self.database, &self.schema).await
    }

    /// Records a migration as applied with this text.
    #[boxed]
    pub async fn record(&self, id: &str, sql: &str) -> Result<(), DatabaseError> {
        let checksum = checksum(sql);
        self.connection
            .execute(&note_step(&self.schema), &[&id, &checksum])
            .await?;
        Ok(())
    }

    /// Deletes the record of a migration.
    #[boxed]
    pub async fn forget_step(&self, id: &str) -> Result<(), DatabaseError> {
        self.connection
            .execute(&forget_step_sql(&self.schema), &[&id])
            .await?;
        Ok(())
    }

    /// Runs a `CREATE INDEX CONCURRENTLY`. The invalid index of a failed build is dropped, if the
    /// connection still works: every writer would have to update it, and no search could use it.
    ///
    /// # Errors
    /// [`DatabaseError::Unique`] when a unique key occurs twice.
    #[boxed]
    pub async fn build(
        &self,
        table: &str,
        index: &str,
        sql: &str,
        report: &(dyn Fn(&BuildProgress) + Send + Sync),
    ) -> Result<(), DatabaseError> {
        let began = Instant::now();
        let mut news = BuildProgress {
            schema: self.schema.clone(),
            table: table.to_owned(),
            index: index.to_owned(),
            phase: BuildPhase::Started,
            step: "starting".to_owned(),
            blocks_done: 0,
            blocks_total: 0,
            elapsed: Duration::ZERO,
        };
        log(&news);
        report(&news);
        news.phase = BuildPhase::Running;
        let mut logged = Instant::now();
        let mut building = pin!(self.connection.batch_execute(sql));
        let built = loop {
            // `building` is polled again after a time-out: the statement keeps running meanwhile.
            if let Ok(built) = tokio::time::timeout(REPORT_EVERY, &mut building).await {
                break built;
            }
            self.read_progress(&mut news).await;
            news.elapsed = began.elapsed();
            report(&news);
            if logged.elapsed() >= LOG_EVERY {
                log(&news);
                logged = Instant::now();
            }
        };
        if let Err(error) = built {
            if let Err(left) = self.drop_index(index).await {
                tracing::debug!(error = %left, index, "the invalid index of a failed build could not be dropped yet");
            }
            return Err(error);
        }
        news.phase = BuildPhase::Finished;
        news.step = "done".to_owned();
        news.elapsed = began.elapsed();
        log(&news);
        report(&news);
        Ok(())
    }

    /// Reads the progress from PostgreSQL; keeps the last one when there is none.
    async fn read_progress(&self, news: &mut BuildProgress) {
        let sql = "SELECT phase, blocks_done, blocks_total FROM pg_stat_progress_create_index \
                   WHERE pid = $1";
        let Ok(rows) = self.database.query(sql, &[&self.backend]).await else {
            return;
        };
        if let Some(row) = rows.first() {
            news.step = row.try_get("phase").unwrap_or_default();
            news.blocks_done = row.try_get("blocks_done").unwrap_or_default();
            news.blocks_total = row.try_get("blocks_total").unwrap_or_default();
        }
    }

    /// Drops an index if it exists, without blocking readers and writers of its table.
    #[boxed]
    pub async fn drop_index(&self, index: &str) -> Result<(), DatabaseError> {
        self.connection
            .batch_execute(&format!(
                "DROP INDEX CONCURRENTLY IF EXISTS {}.{}",
                quote_identifier(&self.schema),
                quote_identifier(index)
            ))
            .await
    }

    /// Renames an index.
    ///
    /// # Errors
    /// When it does not exist, or the name is taken.
    #[boxed]
    pub async fn rename(&self, from: &str, to: &str) -> Result<(), DatabaseError> {
        self.connection
            .batch_execute(&format!(
                "ALTER INDEX {}.{} RENAME TO {}",
                quote_identifier(&self.schema),
                quote_identifier(from),
                quote_identifier(to)
            ))
            .await
    }

    /// Runs ANALYZE on a table; without statistics the planner misjudges a new expression index.
    #[boxed]
    pub async fn analyze(&self, table: &str) -> Result<(), DatabaseError> {
        self.connection
            .batch_execute(&format!(
                "ANALYZE {}.{}",
                quote_identifier(&self.schema),
                quote_identifier(table)
            ))
            .await
    }

    /// An index in PostgreSQL's notation, as `pg_get_indexdef` would return it but for names:
    /// `statement` creates it on [`SCRATCH`], an empty temporary copy of the table.
    ///
    /// # Errors
    /// When the statement is wrong.
    #[boxed]
    pub async fn definition(&self, table: &str, statement: &str) -> Result<String, DatabaseError> {
        let transaction = self.database.transaction().await?;
        transaction
            .batch_execute(&format!(
                "CREATE TEMPORARY TABLE octavo_scratch (LIKE {}.{}) ON COMMIT DROP; {statement}",
                quote_identifier(&self.schema),
                quote_identifier(table),
            ))
            .await?;
        let rows = transaction
            .query(
                "SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index \
                 WHERE indrelid = to_regclass($1)",
                &[&SCRATCH],
            )
            .await?;
        Ok(rows
            .first()
            .map(|row| row.try_get("definition"))
            .transpose()?
            .unwrap_or_default())
    }
}

/// The name of the advisory lock for building indexes in a schema. A transaction that changes
/// tables there takes it too: otherwise it and a build would wait for each other.
pub fn index_lock(schema: &str) -> String {
    format!("octavo indexes {schema}")
}

/// Cancels the statement with which another process is building an index in a schema, if there is
/// one.
#[boxed]
pub async fn cancel_builds(database: &Database, schema: &str) -> Result<(), DatabaseError> {
    let key = index_lock(schema);
    database
        .query(
            // pg_locks shows a 64-bit advisory key in two halves, classid and objid, and marks it
            // by objsubid = 1.
            "SELECT pg_cancel_backend(pid) FROM pg_locks \
             WHERE locktype = 'advisory' AND granted AND objsubid = 1 \
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
               AND ((classid::bigint << 32) | objid::bigint) = hashtextextended($1, 0)",
            &[&key],
        )
        .await?;
    Ok(())
}

/// Waits until no process builds indexes in a schema; none begins before the surrounding
/// transaction ends.
pub(crate) async fn hold_off_builds(
    transaction: &Transaction,
    schema: &str,
) -> Result<(), DatabaseError> {
    let key = index_lock(schema);
    let mut logged = false;
    loop {
        let rows = transaction
            .query(
                "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked",
                &[&key],
            )
            .await?;
        if rows.first().is_some_and(|row| row.get("locked")) {
            return Ok(());
        }
        if !logged {
            logged = true;
            tracing::info!(schema, "waiting for another process that builds indexes");
        }
        tokio::time::sleep(POLL_EVERY).await;
    }
}

/// The indexes of a schema, by table and name.
#[boxed]
pub async fn indexes(database: &Database, schema: &str) -> Result<Vec<IndexState>, DatabaseError> {
    let rows = database
        .query(
            "SELECT i.relname::text AS name, t.relname::text AS of_table, x.indisvalid AS valid, \
               EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = x.indexrelid) \
               AS of_constraint, \
               pg_relation_size(x.indexrelid) AS size_bytes, coalesce(s.idx_scan, 0) AS scans, \
               pg_get_indexdef(x.indexrelid) AS definition \
             FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid \
               JOIN pg_class t ON t.oid = x.indrelid \
               JOIN pg_namespace n ON n.oid = t.relnamespace \
               LEFT JOIN pg_stat_user_indexes s ON s.indexrelid = x.indexrelid \
             WHERE n.nspname = $1 ORDER BY 2, 1",
            &[&schema],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(IndexState {
                name: row.try_get("name")?,
                table: row.try_get("of_table")?,
                valid: row.try_get("valid")?,
                of_constraint: row.try_get("of_constraint")?,
                size_bytes: row
                    .try_get::<_, Option<i64>>("size_bytes")?
                    .unwrap_or_default(),
                scans: row.try_get("scans")?,
                definition: row
                    .try_get::<_, Option<String>>("definition")?
                    .unwrap_or_default(),
            })
        })
        .collect()
}

fn log(news: &BuildProgress) {
    tracing::info!(
        schema = news.schema,
        table = news.table,
        index = news.index,
        phase = news.step,
        blocks_done = news.blocks_done,
        blocks_total = news.blocks_total,
        seconds = news.elapsed.as_secs(),
        "{}",
        match news.phase {
            BuildPhase::Started => "making an index beside the table's readers and writers",
            BuildPhase::Running => "still making an index",
            BuildPhase::Finished => "an index is built",
        }
    );
}
