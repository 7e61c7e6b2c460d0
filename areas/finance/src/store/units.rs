//! Acquisitions units and memberships, in the tables of orders.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// A unit, for lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub id: Uuid,
    /// Whether the user sees its records: as a member, or because it does not protect from reading.
    pub is_visible: bool,
}

/// All units, in the order of their ids; none where orders is not part of the product.
#[boxed]
pub async fn of_user(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user: Option<Uuid>,
) -> Result<Vec<Unit>, StoreError> {
    if tables.catalog.get("acquisitions_unit").is_none() {
        return Ok(Vec::new());
    }
    let schema = tables.tenant.schema();
    let sql = format!(
        "SELECT unit.id, coalesce((unit.jsonb->>'isDeleted')::boolean, false) \
           OR NOT coalesce((unit.jsonb->>'protectRead')::boolean, false) \
           OR EXISTS (SELECT FROM {schema}.acquisitions_unit_membership AS member \
             WHERE member.acquisitionsunitid = unit.id AND member.jsonb->>'userId' = $1) AS visible \
         FROM {schema}.acquisitions_unit AS unit ORDER BY unit.id"
    );
    let user = user.map(|id| id.to_string());
    let rows = executor.rows(&sql, &[&user]).await?;
    let units = rows.iter().map(|row| Unit {
        id: row.get("id"),
        is_visible: row.get("visible"),
    });
    Ok(units.collect())
}
