//! The topics that were made, so that those of a purged tenant or module are found again.

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};

/// A topic that was made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MadeTopic {
    pub tenant: String,
    pub module: String,
    /// The full name.
    pub topic: String,
    /// False while nobody knows whether it was made.
    pub made: bool,
}

/// All of them.
#[boxed]
pub async fn all(database: &Database) -> Result<Vec<MadeTopic>, DatabaseError> {
    let sql = "SELECT tenant, module, topic, made FROM octavo.relay_topic ORDER BY topic";
    let rows = database.query(sql, &[]).await?;
    let made = rows.iter().map(|row| MadeTopic {
        tenant: row.get("tenant"),
        module: row.get("module"),
        topic: row.get("topic"),
        made: row.get("made"),
    });
    Ok(made.collect())
}

/// Notes topics before they are made: whatever happens then, they are removed with their tenant.
#[boxed]
pub async fn note(database: &Database, made: &[MadeTopic]) -> Result<(), DatabaseError> {
    let column = |part: fn(&MadeTopic) -> &str| made.iter().map(part).collect::<Vec<&str>>();
    let tenants = column(|one| &one.tenant);
    let modules = column(|one| &one.module);
    let topics = column(|one| &one.topic);
    let sql = "INSERT INTO octavo.relay_topic (tenant, module, topic) \
               SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) \
               ON CONFLICT (topic) DO NOTHING";
    database
        .execute(sql, &[&tenants, &modules, &topics])
        .await?;
    Ok(())
}

/// Notes that topics are made.
#[boxed]
pub async fn note_made(database: &Database, topics: &[String]) -> Result<(), DatabaseError> {
    let sql = "UPDATE octavo.relay_topic SET made = true WHERE topic = ANY($1)";
    database.execute(sql, &[&topics]).await?;
    Ok(())
}

/// Forgets topics that were removed.
#[boxed]
pub async fn forget(database: &Database, topics: &[String]) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM octavo.relay_topic WHERE topic = ANY($1)";
    database.execute(sql, &[&topics]).await?;
    Ok(())
}

/// A tenant or one of its modules that was purged, and whose topics are to be removed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Purge {
    pub number: i64,
    pub tenant: String,
    /// None for the whole tenant.
    pub module: Option<String>,
}

/// What was purged since topics were last removed.
#[boxed]
pub async fn purges(database: &Database) -> Result<Vec<Purge>, DatabaseError> {
    let sql = "SELECT number, tenant, module FROM octavo.purge ORDER BY number";
    let rows = database.query(sql, &[]).await?;
    let purges = rows.iter().map(|row| Purge {
        number: row.get("number"),
        tenant: row.get("tenant"),
        module: row.get("module"),
    });
    Ok(purges.collect())
}

/// Ends purges whose topics were removed.
#[boxed]
pub async fn end_purges(database: &Database, numbers: &[i64]) -> Result<(), DatabaseError> {
    let sql = "DELETE FROM octavo.purge WHERE number = ANY($1)";
    database.execute(sql, &[&numbers]).await?;
    Ok(())
}
