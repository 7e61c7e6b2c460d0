//! The automatic fee types, looked up by name: a library may have its own records with other ids, and
//! without a record such a fee is not charged.

use std::collections::HashMap;

use octavo_library::FeeFineTypeId;
use octavo_records::{Executor, StoreError};

use super::Tables;

/// Ids of existing automatic fee types by name.
pub type FeeTypes = HashMap<String, FeeFineTypeId>;

/// The existing automatic fee types of these names; without names no statement is issued.
pub async fn automatic(
    executor: &dyn Executor,
    tables: Tables<'_>,
    names: &[&str],
) -> Result<FeeTypes, StoreError> {
    if names.is_empty() {
        return Ok(FeeTypes::new());
    }
    // Not indexed by name: a library has a few dozen types.
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
