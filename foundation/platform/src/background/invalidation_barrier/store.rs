//! The two statements of the barrier.

use octavo_postgres::{Database, DatabaseError};

use super::CHANNEL;

/// Sends a question; returns the ids of the listening processes.
pub(super) async fn ask(
    database: &Database,
    payload: &str,
    name: &str,
) -> Result<Vec<String>, DatabaseError> {
    // The listening processes are read before the question is sent: one that starts later loads
    // everything anew.
    let sql = "SELECT array(SELECT substr(application_name, length($3) + 1)
                 FROM pg_stat_activity WHERE datname = current_database()
                   AND starts_with(application_name, $3)) AS listening,
               pg_notify($1, $2)";
    let rows = database.query(sql, &[&CHANNEL, &payload, &name]).await?;
    Ok(rows
        .first()
        .map(|row| row.get("listening"))
        .unwrap_or_default())
}

pub(super) async fn notify(database: &Database, payload: &str) -> Result<(), DatabaseError> {
    let sql = "SELECT pg_notify($1, $2)";
    database.query(sql, &[&CHANNEL, &payload]).await?;
    Ok(())
}
