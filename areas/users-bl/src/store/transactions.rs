//! A user's open transactions: loans, requests, charges, blocks, proxies; and statements for deleting a
//! user.

use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;
use crate::rules::OpenTransactions;

/// The user. As a query, because PostgreSQL would plan the statement for each user anew.
const SOUGHT: &str = "(SELECT $1::text)";

/// Counts a user's open transactions in one statement.
///
/// A block is open until it expires; one that does not expire stays open.
pub async fn count(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Uuid,
) -> Result<OpenTransactions, StoreError> {
    let of = |table: &str, field: &str| {
        let table_name = tables.table(table);
        format!(
            "(SELECT count(*) FROM {table_name} WHERE {}",
            tables.equals(table, field, SOUGHT)
        )
    };
    let open = "lower(jsonb->'status'->>'name') = 'open'";
    let sql = format!(
        "SELECT {loans} AND {open}) AS loans, \
         {requests} AND lower(jsonb->>'status') LIKE 'open%') AS requests, \
         {accounts} AND {open}) AS fees_fines, \
         {blocks} AND coalesce((jsonb->>'expirationDate')::timestamptz >= now(), true)) AS blocks, \
         (SELECT count(*) FROM {proxies} WHERE {sponsor} OR {proxy}) AS proxies",
        loans = of("loan", "userId"),
        requests = of("request", "requesterId"),
        accounts = of("accounts", "userId"),
        blocks = of("manualblocks", "userId"),
        proxies = tables.table("proxyfor"),
        sponsor = tables.equals("proxyfor", "userId", SOUGHT),
        proxy = tables.equals("proxyfor", "proxyUserId", SOUGHT),
    );
    let rows = executor.rows(&sql, &[&user_id.to_string()]).await?;
    let row = rows
        .first()
        .ok_or_else(|| StoreError::fault("a count gave no row"))?;
    Ok(OpenTransactions {
        loans: row.get("loans"),
        requests: row.get("requests"),
        fees_fines: row.get("fees_fines"),
        blocks: row.get("blocks"),
        proxies: row.get("proxies"),
    })
}

/// Locks a user against changes and deletion until the transaction ends; returns whether the user
/// exists.
pub async fn hold_user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Uuid,
) -> Result<bool, StoreError> {
    // Only `FOR UPDATE` conflicts with the `FOR KEY SHARE` of a record that is being stored for the user.
    let sql = format!(
        "SELECT 1 FROM {} WHERE id = $1 FOR UPDATE",
        tables.table("users")
    );
    Ok(!executor.rows(&sql, &[&user_id]).await?.is_empty())
}

/// Removes the user's permissions and request preferences.
pub async fn remove_belongings(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user_id: Uuid,
) -> Result<(), StoreError> {
    let sql = format!(
        "WITH permissions AS (DELETE FROM {} WHERE {}) DELETE FROM {} WHERE {}",
        tables.table("permissions_users"),
        tables.equals("permissions_users", "userId", "$1::text"),
        tables.table("user_request_preference"),
        tables.equals("user_request_preference", "userId", "$1::text"),
    );
    executor.rows(&sql, &[&user_id.to_string()]).await?;
    Ok(())
}
