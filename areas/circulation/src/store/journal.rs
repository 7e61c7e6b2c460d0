//! The lines of the circulation log.

use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// A page of lines. One about nobody shows a dash for the patron's barcode, as clients expect.
#[must_use]
pub fn lines(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let shown = "CASE WHEN jsonb ? 'userBarcode' THEN jsonb \
                 ELSE jsonb || '{\"userBarcode\": \"-\"}' END";
    let schema = tables.tenant.schema();
    Sql::select(shown, schema, "circulation_logs", plan, limit, offset)
}

/// Adds lines, in one statement; the operator's name is composed by the database, which also puts in
/// the name of a service point where a description has `{point:id}`.
///
/// # Errors
/// When the database does not answer.
pub async fn add(
    executor: &impl Executor,
    tables: Tables<'_>,
    lines: &[Value],
    operator: Option<Uuid>,
) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "INSERT INTO {} (id, jsonb)
         SELECT line.id, line.jsonb || jsonb_build_object('id', line.id, 'eventId', line.event_id)
           || jsonb_strip_nulls(jsonb_build_object('source', operator.name, 'description',
             coalesce(replace(line.jsonb->>'description', line.point,
               coalesce((SELECT jsonb->>'name' FROM {} WHERE id = substr(line.point, 8, 36)::uuid), '')),
             line.jsonb->>'description')))
         FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS jsonb,
             substring(one->>'description' FROM '[{{]point:[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}[}}]') AS point
           FROM unnest($1::jsonb[]) AS _(one)) AS line,
         (SELECT CASE WHEN $2::uuid IS NULL THEN 'System' ELSE (
           SELECT coalesce(nullif(trim(jsonb->'personal'->>'lastName'), '')
               || ', ' || nullif(trim(jsonb->'personal'->>'firstName'), ''),
             jsonb->>'username')
           FROM {} WHERE id = $2) END AS name) AS operator",
        tables.table("circulation_logs"),
        tables.table("service_point"),
        tables.table("users"),
    );
    executor.rows(&sql, &[&lines, &operator]).await?;
    Ok(())
}
