//! Acquisitions units and memberships, in the tables of orders.

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::Tables;

/// A unit, as a user stands to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub id: Uuid,
    pub is_deleted: bool,
    /// Whether the user is a member.
    pub is_member: bool,
    pub protect_create: bool,
    pub protect_read: bool,
    pub protect_update: bool,
    pub protect_delete: bool,
}

/// All units with the memberships of a user; none where orders is not part of the product.
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
    let flag = |name: &str, default: bool| {
        format!(
            "coalesce((unit.jsonb->>'{name}')::boolean, {default}) AS {}",
            name.to_lowercase()
        )
    };
    let sql = format!(
        "SELECT unit.id, {}, {}, {}, {}, {}, EXISTS (SELECT \
         FROM {schema}.acquisitions_unit_membership AS member \
         WHERE member.acquisitionsunitid = unit.id AND member.jsonb->>'userId' = $1) AS member \
         FROM {schema}.acquisitions_unit AS unit",
        flag("isDeleted", false),
        flag("protectCreate", true),
        flag("protectRead", false),
        flag("protectUpdate", true),
        flag("protectDelete", true),
    );
    let user = user.map(|id| id.to_string());
    let rows = executor.rows(&sql, &[&user]).await?;
    let units = rows.iter().map(|row| Unit {
        id: row.get("id"),
        is_deleted: row.get("isdeleted"),
        is_member: row.get("member"),
        protect_create: row.get("protectcreate"),
        protect_read: row.get("protectread"),
        protect_update: row.get("protectupdate"),
        protect_delete: row.get("protectdelete"),
    });
    Ok(units.collect())
}
