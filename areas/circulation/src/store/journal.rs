//! The lines of the circulation log.

use octavo_library::UserId;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, StoreError};
use serde_json::Value;

use super::Tables;

/// A page of lines. One without a patron has a dash as barcode, as clients expect.
#[must_use]
pub fn lines(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let shown = "CASE WHEN jsonb ? 'userBarcode' THEN jsonb \
                 ELSE jsonb || '{\"userBarcode\": \"-\"}' END AS jsonb";
    let schema = tables.tenant.schema();
    Sql::select(shown, schema, "circulation_logs", plan, limit, offset)
}

/// Adds lines, in one statement; the database adds the operator's name.
pub async fn add(
    executor: &dyn Executor,
    tables: Tables<'_>,
    lines: &[Value],
    operator: Option<UserId>,
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let sql = add_sql(tables, "$1", "$2");
    executor.rows(&sql, &[&lines, &operator]).await?;
    Ok(())
}

/// The statement that adds lines, given as an array, with an operator or without one.
pub(super) fn add_sql(tables: Tables<'_>, lines: &str, operator: &str) -> String {
    format!(
        "INSERT INTO {} (id, jsonb)
         SELECT line.id, line.jsonb || jsonb_build_object('id', line.id, 'eventId', line.event_id)
           || jsonb_strip_nulls(jsonb_build_object('source', operator.name))
         FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS jsonb
           FROM unnest({lines}::jsonb[]) AS _(one)) AS line,
         (SELECT CASE WHEN {operator}::uuid IS NULL THEN 'System' ELSE (
           SELECT coalesce(nullif(trim(jsonb->'personal'->>'lastName'), '')
               || ', ' || nullif(trim(jsonb->'personal'->>'firstName'), ''),
             jsonb->>'username')
           FROM {} WHERE id = {operator}) END AS name) AS operator",
        tables.table("circulation_logs"),
        tables.table("users"),
    )
}
