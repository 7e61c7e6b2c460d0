//! The lease: one process at a time relays. Whoever takes it over gets a higher token, and
//! acknowledgements under an earlier one are refused.

use std::time::Duration;

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use uuid::Uuid;

/// The right to relay, as an acknowledgement proves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub holder: Uuid,
    pub number: i64,
}

/// Takes the lease, or extends it; none while another process has it.
#[boxed]
pub async fn take(
    database: &Database,
    name: &str,
    holder: Uuid,
    duration: Duration,
) -> Result<Option<Token>, DatabaseError> {
    let sql = "INSERT INTO octavo.relay_lease AS lease (name, holder, token, until) \
               VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3)) \
               ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until, \
                 token = lease.token + CASE WHEN lease.holder = excluded.holder THEN 0 ELSE 1 END \
               WHERE lease.holder = excluded.holder OR lease.until < clock_timestamp() \
               RETURNING token";
    let seconds = duration.as_secs_f64();
    let rows = database.query(sql, &[&name, &holder, &seconds]).await?;
    Ok(rows.first().map(|row| Token {
        holder,
        number: row.get("token"),
    }))
}

/// Gives the lease back, so that another process need not wait until it ends.
#[boxed]
pub async fn release(database: &Database, name: &str, holder: Uuid) -> Result<(), DatabaseError> {
    let sql = "UPDATE octavo.relay_lease SET until = clock_timestamp() - interval '1 s' \
               WHERE name = $1 AND holder = $2";
    database.execute(sql, &[&name, &holder]).await?;
    Ok(())
}

/// Whether leases are kept here: their table comes with the first server that relays. A statement on a missing one
/// would leave an error in the log of each database without Kafka.
#[boxed]
pub async fn is_kept(database: &Database) -> Result<bool, DatabaseError> {
    let sql = "SELECT to_regclass('octavo.relay_lease') IS NOT NULL AS kept";
    let rows = database.query(sql, &[]).await?;
    Ok(rows.first().is_some_and(|row| row.get("kept")))
}

/// Whether somebody has relayed within so many hours: then events are kept until they are sent.
#[boxed]
pub async fn is_used(database: &Database, name: &str, hours: i32) -> Result<bool, DatabaseError> {
    let sql = "SELECT FROM octavo.relay_lease \
               WHERE name = $1 AND until > clock_timestamp() - make_interval(hours => $2)";
    Ok(!database.query(sql, &[&name, &hours]).await?.is_empty())
}

/// The seconds for which the lease is still held; negative when it has ended, none when nobody ever had it.
#[boxed]
pub async fn remaining(database: &Database, name: &str) -> Result<Option<f64>, DatabaseError> {
    let sql = "SELECT extract(epoch FROM until - clock_timestamp())::double precision AS remaining \
               FROM octavo.relay_lease WHERE name = $1";
    let rows = database.query(sql, &[&name]).await?;
    Ok(rows.first().map(|row| row.get("remaining")))
}
