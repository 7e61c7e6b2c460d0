//! The end of entries that are older than the settings say.

use octavo_boxed::boxed;
use octavo_postgres::Database;
use octavo_records::{StoreError, Tables};

/// Rows that one statement deletes at most, so that none runs long.
const PORTION: i64 = 10_000;

/// Deletes entries about inventory that are older than some days; gives how many.
#[boxed]
pub async fn expire_inventory(
    database: &Database,
    tables: Tables<'_>,
    days: i32,
) -> Result<u64, StoreError> {
    expire(database, &tables.table("audit_inventory"), "true", days).await
}

/// The same for MARC records of a kind.
#[boxed]
pub async fn expire_marc(
    database: &Database,
    tables: Tables<'_>,
    kind: &'static str,
    days: i32,
) -> Result<u64, StoreError> {
    let condition = format!("kind = '{kind}'");
    expire(database, &tables.table("audit_marc"), &condition, days).await
}

async fn expire(
    database: &Database,
    table: &str,
    condition: &str,
    days: i32,
) -> Result<u64, StoreError> {
    let sql = format!(
        "DELETE FROM {table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM {table} \
         WHERE event_date < now() - make_interval(days => $1) AND {condition} LIMIT $2))"
    );
    let mut all = 0;
    loop {
        let deleted = database.execute(&sql, &[&days, &PORTION]).await?;
        all += deleted;
        if deleted < PORTION as u64 {
            return Ok(all);
        }
    }
}
