//! Reads units and memberships.

use octavo_records::expression::AMONG_IDS;
use std::collections::HashSet;

use octavo_boxed::boxed;
use octavo_records::{Executor, StoreError, Tables};
use uuid::Uuid;

use super::{Unit, Units};

/// The units with these ids, and the user's memberships of any unit. One round trip; none where there are
/// no ids.
#[boxed]
pub async fn standing(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[Uuid],
    user: Option<Uuid>,
) -> Result<Units, StoreError> {
    if ids.is_empty() {
        return Ok(Units::default());
    }
    let flag = |name: &str, default: bool| {
        format!("coalesce((unit.jsonb->>'{name}')::boolean, {default})")
    };
    let mine = tables.equals("acquisitions_unit_membership", "userId", "$2::text");
    let sql = format!(
        "SELECT unit.id, {} AS is_deleted, {} AS protects_create, {} AS protects_read, \
         {} AS protects_update, {} AS protects_delete, EXISTS (SELECT FROM \
         {}.acquisitions_unit_membership WHERE {mine} AND acquisitionsunitid = unit.id) AS is_mine \
         FROM {}.acquisitions_unit AS unit WHERE unit.id {AMONG_IDS}",
        flag("isDeleted", false),
        flag("protectCreate", true),
        flag("protectRead", false),
        flag("protectUpdate", true),
        flag("protectDelete", true),
        tables.tenant.schema(),
        tables.tenant.schema(),
    );
    let user = user.map(|id| id.to_string());
    let rows = executor.rows(&sql, &[&ids, &user]).await?;
    let memberships: HashSet<Uuid> = rows
        .iter()
        .filter(|row| row.get("is_mine"))
        .map(|row| row.get("id"))
        .collect();
    let known = rows.iter().map(|row| Unit {
        id: row.get("id"),
        is_deleted: row.get("is_deleted"),
        protects_create: row.get("protects_create"),
        protects_read: row.get("protects_read"),
        protects_update: row.get("protects_update"),
        protects_delete: row.get("protects_delete"),
    });
    Ok(Units {
        known: known.collect(),
        memberships,
    })
}

/// The units whose records a user finds in lists: those of which the user is a member, and those that do
/// not protect reading.
#[boxed]
pub async fn visible(
    executor: &dyn Executor,
    tables: Tables<'_>,
    user: Option<Uuid>,
) -> Result<Vec<Uuid>, StoreError> {
    let mine = tables.equals("acquisitions_unit_membership", "userId", "$1::text");
    let schema = tables.tenant.schema();
    let sql = format!(
        "SELECT id FROM {schema}.acquisitions_unit \
         WHERE NOT coalesce((jsonb->>'protectRead')::boolean, false) \
         OR coalesce((jsonb->>'isDeleted')::boolean, false) \
         OR id IN (SELECT acquisitionsunitid FROM {schema}.acquisitions_unit_membership WHERE {mine})"
    );
    let user = user.map(|id| id.to_string());
    let rows = executor.rows(&sql, &[&user]).await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}
