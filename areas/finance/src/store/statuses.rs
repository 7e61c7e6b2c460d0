//! The funds of a ledger, locked.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Tables;
use super::accounts::object;

/// The funds of a ledger with their ids, locked in the order of these.
#[boxed]
pub async fn hold_funds_of_ledger(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ledger: Uuid,
) -> Result<Vec<(Uuid, Map<String, Value>)>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE ledgerid = $1 ORDER BY id FOR NO KEY UPDATE",
        tables.table("fund")
    );
    let rows = executor.rows(&sql, &[&ledger]).await?;
    let funds = rows
        .iter()
        .map(|row| (row.get("id"), object(row.get("jsonb"))));
    Ok(funds.collect())
}
