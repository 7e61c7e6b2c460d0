//! Lines of the circulation log about accounts, and events of mod-feesfines.

use octavo_library::ItemJoins;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// Adds lines, in one statement, and their events, if anybody takes them; the database adds the patron's barcode and
/// the item's location.
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    lines: &[Value],
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    // As queries: with a bound list the statement would be planned at each call (see `AMONG_IDS`).
    let sql = format!(
        "WITH told AS (
           INSERT INTO {outbox} (topic, key, type, new)
           SELECT 'feesfines.LOG_RECORD', (one->'linkToIds'->>'feeFineId')::uuid, 'CREATE',
             one->'logRecord'
           FROM unnest((SELECT $1::jsonb[])) WITH ORDINALITY AS _(one, at)
           WHERE {schema}.takes_log_records() ORDER BY at)
         INSERT INTO {logs} (id, jsonb)
         SELECT line.id, jsonb_strip_nulls((line.jsonb - 'logRecord') || jsonb_build_object(
           'id', line.id, 'eventId', gen_random_uuid(), 'userBarcode', patron.jsonb->'barcode',
           'items', jsonb_build_array((line.jsonb->'items'->0) || jsonb_build_object(
             'holdingId', holdings.id, 'instanceId', holdings.instanceid))))
         FROM (SELECT gen_random_uuid() AS id, one AS jsonb
           FROM unnest((SELECT $1::jsonb[])) AS _(one)) AS line
         LEFT JOIN {users} AS patron
           ON patron.id = (line.jsonb->'linkToIds'->>'userId')::uuid
         {holdings}",
        outbox = tables.table("outbox"),
        schema = tables.tenant.schema(),
        logs = tables.table("circulation_logs"),
        users = tables.table("users"),
        holdings = ItemJoins::outer(tables)
            .item("(line.jsonb->'items'->0->>'itemId')::uuid")
            .holdings(),
    );
    executor.rows(&sql, &[&lines]).await?;
    Ok(())
}

/// Publishes an event that has no line, if anybody takes it.
pub async fn publish(
    executor: &dyn Executor,
    tables: Tables<'_>,
    key: Uuid,
    record: &Value,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {outbox} (topic, key, type, new) SELECT 'feesfines.LOG_RECORD', $1::uuid, 'CREATE', $2::jsonb
         WHERE {schema}.takes_log_records()",
        outbox = tables.table("outbox"),
        schema = tables.tenant.schema(),
    );
    executor.rows(&sql, &[&key, record]).await?;
    Ok(())
}
