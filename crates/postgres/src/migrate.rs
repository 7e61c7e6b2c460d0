//! Numbered changes to a schema, each applied once, by whichever process comes first.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::error::DatabaseError;
use crate::transaction::Transaction;

/// One step. Its id never changes once released; steps run in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Unique within the schema, for instance `0003-loans`.
    pub id: String,
    /// Statements separated by semicolons, run with `search_path` at the schema, then `public`.
    pub sql: String,
}

impl Migration {
    /// A step.
    pub fn new(id: impl Into<String>, sql: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            sql: sql.into(),
        }
    }
}

/// What [`migrate`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationOutcome {
    /// Ids applied now.
    pub applied: Vec<String>,
    /// Ids applied earlier whose text has changed since. Their new text was not run.
    pub changed: Vec<String>,
}

/// Applies the missing migrations of a schema, making the schema first if need be. Takes an
/// advisory lock for the rest of the transaction, so two processes do not do the same work.
/// All or nothing: the caller commits.
pub async fn migrate(
    transaction: &Transaction,
    schema: &str,
    migrations: &[Migration],
) -> Result<MigrationOutcome, DatabaseError> {
    lock(transaction, schema).await?;
    ensure_schema(transaction, schema).await?;
    let table = format!("{}.octavo_migrations", quote_identifier(schema));
    transaction
        .batch_execute(&format!(
            "CREATE TABLE IF NOT EXISTS {table} (
                id text PRIMARY KEY,
                checksum text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )"
        ))
        .await?;
    let known = known(transaction, &table).await?;
    let mut outcome = MigrationOutcome::default();
    for migration in migrations {
        let checksum = checksum(&migration.sql);
        match known.get(&migration.id) {
            Some(earlier) if *earlier == checksum => {}
            Some(_) => {
                tracing::warn!(
                    schema,
                    migration = migration.id,
                    "a migration changed after it ran"
                );
                outcome.changed.push(migration.id.clone());
            }
            None => {
                apply(transaction, schema, &table, migration, &checksum).await?;
                outcome.applied.push(migration.id.clone());
            }
        }
    }
    Ok(outcome)
}

/// Makes a schema when it is not there.
pub async fn ensure_schema(transaction: &Transaction, schema: &str) -> Result<(), DatabaseError> {
    transaction
        .batch_execute(&format!(
            "CREATE SCHEMA IF NOT EXISTS {}",
            quote_identifier(schema)
        ))
        .await
}

/// An identifier as SQL text, whatever characters it holds. NUL, which PostgreSQL cannot hold,
/// is left out.
pub fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('\0', "").replace('"', "\"\""))
}

/// Migrations take as long as they take; those who wait for them too.
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

async fn known(
    transaction: &Transaction,
    table: &str,
) -> Result<HashMap<String, String>, DatabaseError> {
    let rows = transaction
        .query(&format!("SELECT id, checksum FROM {table}"), &[])
        .await?;
    rows.iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
        .collect()
}

async fn apply(
    transaction: &Transaction,
    schema: &str,
    table: &str,
    migration: &Migration,
    checksum: &str,
) -> Result<(), DatabaseError> {
    let schema = quote_identifier(schema);
    transaction
        .batch_execute(&format!(
            "SET LOCAL search_path = {schema}, public;\n{}",
            migration.sql
        ))
        .await?;
    transaction
        .execute(
            &format!("INSERT INTO {table} (id, checksum) VALUES ($1, $2)"),
            &[&migration.id, &checksum],
        )
        .await?;
    Ok(())
}

fn checksum(sql: &str) -> String {
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
