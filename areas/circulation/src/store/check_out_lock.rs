//! Check-out locks of patrons: at most one, until it is released or too old. Ages are measured by the
//! database's clock, which all processes share.

use octavo_library::UserId;
use octavo_records::expression::key;
use octavo_records::{Executor, IndexKind, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

const TABLE: &str = "check_out_lock";

/// Takes the lock of a patron, also one that is older than the given number of milliseconds; `None` when
/// another client has it. One statement, so that of concurrent attempts exactly one succeeds.
pub async fn take(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: UserId,
    milliseconds: i64,
) -> Result<Option<Value>, StoreError> {
    let collection = tables.catalog.get(TABLE);
    let indexes = collection.map_or(&[][..], |one| &one.indexes);
    let unique = indexes
        .iter()
        .find(|one| one.kind == IndexKind::UniqueIndex);
    let unique = unique.expect("invariant: a patron has one lock at a time");
    // `clock_timestamp()` rather than `now()`: the transaction may have begun long before.
    let sql = format!(
        "INSERT INTO {table} AS lock (id, jsonb)
         SELECT new.id, jsonb_build_object('id', new.id, 'userId', $1::uuid, 'creationDate',
           to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'))
         FROM (SELECT gen_random_uuid() AS id) AS new
         ON CONFLICT ({key}) DO UPDATE SET id = excluded.id, jsonb = excluded.jsonb
           WHERE (lock.jsonb->>'creationDate')::timestamptz
             + $2::bigint * interval '1 millisecond' < clock_timestamp()
         RETURNING jsonb",
        table = tables.table(TABLE),
        key = key(unique),
    );
    let rows = executor.rows(&sql, &[&user_id, &milliseconds]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// The locks of a patron.
pub async fn of_user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: UserId,
    limit: i64,
    offset: i64,
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE {} LIMIT $2 OFFSET $3",
        tables.table(TABLE),
        tables.equals(TABLE, "userId", "$1::text"),
    );
    let user_id = user_id.to_string();
    let rows = executor.rows(&sql, &[&user_id, &limit, &offset]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}

pub async fn by_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = format!("SELECT jsonb FROM {} WHERE id = $1", tables.table(TABLE));
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// Releases a lock; a missing one was released already.
pub async fn give_back(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<(), StoreError> {
    let sql = format!("DELETE FROM {} WHERE id = $1", tables.table(TABLE));
    executor.rows(&sql, &[&id]).await?;
    Ok(())
}
