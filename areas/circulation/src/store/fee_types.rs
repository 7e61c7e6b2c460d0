//! The types of fees that are charged by themselves, looked up by their names: a library that made
//! its own has them with ids of its own, and one that has none is charged nothing of that kind.

use std::collections::HashMap;

use octavo_library::FeeFineTypeId;
use octavo_records::{Executor, StoreError};

use super::Tables;

/// Automatic types that are there: their ids by their names.
pub type FeeTypes = HashMap<String, FeeFineTypeId>;

/// The automatic types of these names that are there; without a name nothing is asked.
pub async fn automatic(
    executor: &dyn Executor,
    tables: Tables<'_>,
    names: &[&str],
) -> Result<FeeTypes, StoreError> {
    if names.is_empty() {
        return Ok(FeeTypes::new());
    }
    // A library has a few dozen types.
    let sql = format!(
        "SELECT jsonb->>'feeFineType' AS fee_fine_type, id FROM {}
         WHERE jsonb->>'feeFineType' = ANY($1) AND jsonb->>'automatic' = 'true' ORDER BY id DESC",
        tables.table("feefines"),
    );
    let rows = executor.rows(&sql, &[&names]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("fee_fine_type"), row.get("id")))
        .collect())
}
