//! Print events of requests, and their print details.

use octavo_library::RequestId;
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;

/// How often each of these requests was printed, and by whom last.
pub async fn status(
    executor: &dyn Executor,
    tables: Tables<'_>,
    requests: &[RequestId],
) -> Result<Vec<Value>, StoreError> {
    let sql = format!(
        "SELECT jsonb_build_object('requestId', wanted.request_id,
           'requesterId', last.jsonb->'requesterId', 'requesterName', last.jsonb->'requesterName',
           'count', last.number, 'printEventDate', last.jsonb->'printEventDate') AS event
         FROM (SELECT DISTINCT one AS request_id FROM unnest($1::uuid[]) AS _(one)) AS wanted
         CROSS JOIN LATERAL (SELECT jsonb, count(*) OVER () AS number FROM {} WHERE {}
           ORDER BY jsonb->>'printEventDate' COLLATE \"C\" DESC, id LIMIT 1) AS last
         ORDER BY wanted.request_id",
        tables.table("print_events"),
        tables.equals("print_events", "requestId", "wanted.request_id::text"),
    );
    let rows = executor.rows(&sql, &[&requests]).await?;
    Ok(rows.iter().map(|row| row.get("event")).collect())
}

/// How often each of these requests was printed.
pub async fn counts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    requests: &[Uuid],
) -> Result<Vec<(Uuid, i64)>, StoreError> {
    let sql = format!(
        "SELECT wanted.request_id, (SELECT count(*) FROM {} WHERE {}) AS count
         FROM unnest($1::uuid[]) AS wanted(request_id)",
        tables.table("print_events"),
        tables.equals("print_events", "requestId", "wanted.request_id::text"),
    );
    let rows = executor.rows(&sql, &[&requests]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("request_id"), row.get("count")))
        .collect())
}
