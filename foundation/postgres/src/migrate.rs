//! Migrations: numbered changes to a schema, each applied once, by whichever process comes first.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use tokio_postgres::Row;

use crate::error::DatabaseError;
use crate::index_build::hold_off_builds;
use crate::transaction::Transaction;

/// One migration. Its id never changes once released; migrations run in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Unique within the schema, for instance `0003-loans`.
    pub id: String,
    /// Statements separated by semicolons, run with `search_path` at the schema, then `public`.
    pub sql: String,
}

impl Migration {
    pub fn new(id: impl Into<String>, sql: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            sql: sql.into(),
        }
    }
}

/// The result of [`migrate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationOutcome {
    /// Ids applied by this run.
    pub applied: Vec<String>,
    /// Ids applied earlier whose text has changed since. The new text was not run.
    pub changed: Vec<String>,
}

/// So many bytes of statements are sent at once: few round trips for a schema of thousands of
/// statements, and a text that a server's log can show when one of them fails.
const BATCH_BYTES: usize = 64 * 1024;

/// The steps of one schema, inside a transaction: which were applied, and the next ones. Holds an
/// advisory lock for the rest of the transaction, so two processes do not do the same work.
/// Statements are gathered and sent many at once; [`Migrator::finish`] sends the last ones.
/// All or nothing: the caller commits.
#[derive(Debug)]
pub struct Migrator<'a> {
    transaction: &'a Transaction,
    schema: String,
    known: HashMap<String, String>,
    waiting: Waiting,
    outcome: MigrationOutcome,
}

/// What was not sent yet.
#[derive(Debug, Default)]
struct Waiting {
    statements: String,
    /// Ids and checksums of the steps to be noted; of one id the last counts.
    notes: BTreeMap<String, String>,
}

impl<'a> Migrator<'a> {
    /// Takes the lock, and creates the schema and its list of migrations if necessary.
    pub async fn begin(
        transaction: &'a Transaction,
        schema: &str,
    ) -> Result<Migrator<'a>, DatabaseError> {
        lock(transaction, schema).await?;
        // Only under the lock: two concurrent CREATE ... IF NOT EXISTS can both find nothing, and
        // then one of them fails.
        ensure_schema(transaction, schema).await?;
        let table = steps_table(schema);
        transaction
            .batch_execute(&format!(
                "CREATE TABLE IF NOT EXISTS {table} (
                    id text PRIMARY KEY,
                    checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT now()
                )"
            ))
            .await?;
        let rows = transaction.query(&known_steps(schema), &[]).await?;
        Ok(Migrator {
            transaction,
            schema: schema.to_owned(),
            known: steps_of(&rows)?,
            waiting: Waiting::default(),
            outcome: MigrationOutcome::default(),
        })
    }

    /// Whether a migration with this id was applied, whatever its text was.
    pub fn knows(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// Whether a migration with this id was applied with this text.
    pub fn is_current(&self, id: &str, sql: &str) -> bool {
        self.known
            .get(id)
            .is_some_and(|earlier| *earlier == checksum(sql))
    }

    /// Applies a migration unless it was applied. One whose text has changed since is reported and
    /// not run.
    pub async fn step(&mut self, migration: &Migration) -> Result<(), DatabaseError> {
        if self.is_current(&migration.id, &migration.sql) {
            return Ok(());
        }
        if self.knows(&migration.id) {
            tracing::warn!(
                schema = self.schema,
                migration = migration.id,
                "a migration changed after it ran"
            );
            self.outcome.changed.push(migration.id.clone());
            return Ok(());
        }
        self.run(&migration.sql).await?;
        self.record(&migration.id, &migration.sql);
        self.outcome.applied.push(migration.id.clone());
        Ok(())
    }

    /// Waits until no process builds indexes in the schema; none begins before the transaction
    /// ends. For changes to existing tables: otherwise such a change and a build would wait for
    /// each other.
    pub async fn hold_off_builds(&self) -> Result<(), DatabaseError> {
        hold_off_builds(self.transaction, &self.schema).await
    }

    /// Runs statements that are no step by themselves, with `search_path` as for steps: by the end of
    /// [`Migrator::finish`], behind all that were handed in before.
    pub async fn run(&mut self, sql: &str) -> Result<(), DatabaseError> {
        let statements = &mut self.waiting.statements;
        statements.push_str(sql);
        // Behind a comment at the end of the line, too; an empty statement is none.
        statements.push_str("\n;\n");
        if statements.len() >= BATCH_BYTES {
            self.send().await?;
        }
        Ok(())
    }

    /// Notes a step as applied with this text, also when it was noted with another.
    pub fn record(&mut self, id: &str, sql: &str) {
        let checksum = checksum(sql);
        self.waiting.notes.insert(id.to_owned(), checksum.clone());
        self.known.insert(id.to_owned(), checksum);
    }

    async fn send(&mut self) -> Result<(), DatabaseError> {
        let statements = std::mem::take(&mut self.waiting.statements);
        if statements.is_empty() {
            return Ok(());
        }
        let schema = quote_identifier(&self.schema);
        let sql = format!("SET LOCAL search_path = {schema}, public;\n{statements}");
        self.transaction.batch_execute(&sql).await
    }

    /// Notes all steps by one statement.
    async fn send_notes(&mut self) -> Result<(), DatabaseError> {
        let notes = std::mem::take(&mut self.waiting.notes);
        if notes.is_empty() {
            return Ok(());
        }
        let (ids, checksums): (Vec<String>, Vec<String>) = notes.into_iter().unzip();
        self.transaction
            .execute(&note_steps(&self.schema), &[&ids, &checksums])
            .await?;
        Ok(())
    }

    /// Adds an id to [`MigrationOutcome::applied`].
    pub fn applied(&mut self, id: impl Into<String>) {
        self.outcome.applied.push(id.into());
    }

    /// Sends what was not sent yet; gives what was done.
    pub async fn finish(mut self) -> Result<MigrationOutcome, DatabaseError> {
        self.send().await?;
        self.send_notes().await?;
        Ok(self.outcome)
    }
}

/// Applies the missing migrations of a schema, creating it if necessary; see [`Migrator`].
pub async fn migrate(
    transaction: &Transaction,
    schema: &str,
    migrations: &[Migration],
) -> Result<MigrationOutcome, DatabaseError> {
    let mut migrator = Migrator::begin(transaction, schema).await?;
    for migration in migrations {
        migrator.step(migration).await?;
    }
    migrator.finish().await
}

fn steps_table(schema: &str) -> String {
    format!("{}.octavo_migrations", quote_identifier(schema))
}

/// The query for the migrations applied to a schema; see [`steps_of`].
pub(crate) fn known_steps(schema: &str) -> String {
    format!("SELECT id, checksum FROM {}", steps_table(schema))
}

/// Checksums of applied migrations by id, from the rows of [`known_steps`].
pub(crate) fn steps_of(rows: &[Row]) -> Result<HashMap<String, String>, DatabaseError> {
    rows.iter()
        .map(|row| Ok((row.try_get("id")?, row.try_get("checksum")?)))
        .collect()
}

/// The statement that records a migration, given id and checksum, as applied now.
pub(crate) fn note_step(schema: &str) -> String {
    note("VALUES ($1, $2)", schema)
}

/// The same for many, given their ids and checksums.
fn note_steps(schema: &str) -> String {
    note("SELECT * FROM unnest($1::text[], $2::text[])", schema)
}

fn note(steps: &str, schema: &str) -> String {
    format!(
        "INSERT INTO {} AS step (id, checksum) {steps} ON CONFLICT (id) DO UPDATE \
         SET checksum = excluded.checksum, applied_at = now()",
        steps_table(schema)
    )
}

/// The statement that deletes the record of a migration, given its id.
pub(crate) fn forget_step_sql(schema: &str) -> String {
    format!("DELETE FROM {} WHERE id = $1", steps_table(schema))
}

/// Creates a schema if it does not exist.
pub async fn ensure_schema(transaction: &Transaction, schema: &str) -> Result<(), DatabaseError> {
    transaction
        .batch_execute(&format!(
            "CREATE SCHEMA IF NOT EXISTS {}",
            quote_identifier(schema)
        ))
        .await
}

/// An identifier as SQL text, with any characters. NUL, which PostgreSQL cannot store, is left out.
pub fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('\0', "").replace('"', "\"\""))
}

/// Takes the advisory lock, without time-out: a migration may run long, and others have to wait for
/// it.
async fn lock(transaction: &Transaction, schema: &str) -> Result<(), DatabaseError> {
    transaction
        .batch_execute(
            "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0",
        )
        .await?;
    let key = format!("octavo migrate {schema}");
    transaction
        .execute(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            &[&key],
        )
        .await?;
    Ok(())
}

/// The checksum of a migration's text.
pub fn checksum(sql: &str) -> String {
    Sha256::digest(sql)
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_quoted_whatever_they_hold() {
        assert_eq!(quote_identifier("diku_users"), "\"diku_users\"");
        assert_eq!(quote_identifier("a\"; DROP"), "\"a\"\"; DROP\"");
        assert_eq!(quote_identifier("a\0b"), "\"ab\"");
    }
}
