//! Lines of the circulation log about accounts.

use octavo_library::ItemJoins;
use octavo_records::{Executor, StoreError};
use serde_json::Value;

use super::Tables;

/// Adds lines, in one statement; the database adds the patron's barcode and the item's location.
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    lines: &[Value],
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO {logs} (id, jsonb)
         SELECT line.id, jsonb_strip_nulls(line.jsonb || jsonb_build_object(
           'id', line.id, 'eventId', gen_random_uuid(), 'userBarcode', patron.jsonb->'barcode',
           'items', jsonb_build_array((line.jsonb->'items'->0) || jsonb_build_object(
             'holdingId', holdings.id, 'instanceId', holdings.instanceid))))
         FROM (SELECT gen_random_uuid() AS id, one AS jsonb
           FROM unnest($1::jsonb[]) AS _(one)) AS line
         LEFT JOIN {users} AS patron
           ON patron.id = (line.jsonb->'linkToIds'->>'userId')::uuid
         {holdings}",
        logs = tables.table("circulation_logs"),
        users = tables.table("users"),
        holdings = ItemJoins::outer(tables)
            .item("(line.jsonb->'items'->0->>'itemId')::uuid")
            .holdings(),
    );
    executor.rows(&sql, &[&lines]).await?;
    Ok(())
}
