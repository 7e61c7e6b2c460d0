//! The journal of jobs: what was done with each record.

use bytes::Bytes;
use octavo_postgres::RawJson;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::rules::log::{Entry, Wish};

/// Adds entries.
pub(crate) async fn insert(
    executor: &impl Executor,
    tenant: &Tenant,
    job: Uuid,
    entries: &[Entry],
    at: &str,
) -> Result<(), StoreError> {
    let rows: Vec<Value> = entries
        .iter()
        .map(|one| {
            json!({
                "id": Uuid::new_v4(), "source": one.source, "position": one.position,
                "entity_type": one.entity_type, "entity_id": one.entity_id, "hrid": one.hrid,
                "action": one.action, "status": one.status, "error": one.error, "title": one.title,
                "instance_id": one.instance_id, "holdings_id": one.holdings_id,
                "location_id": one.location_id,
            })
        })
        .collect();
    let sql = format!(
        "INSERT INTO {}.import_journal (id, job, source, position, entity_type, entity_id, hrid, \
         action, status, error, at, title, instance_id, holdings_id, location_id) SELECT id, $1, \
         source, position, entity_type, entity_id, hrid, action, status, coalesce(error, ''), $3, \
         title, instance_id, holdings_id, location_id FROM jsonb_to_recordset($2) AS _(id uuid, source \
         uuid, position bigint, entity_type text, entity_id text, hrid text, action text, status text, \
         error text, title text, instance_id text, holdings_id text, location_id text)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&job, &Value::Array(rows), &at])
        .await?;
    Ok(())
}

/// The entries of a job in FOLIO's list form.
pub(crate) async fn list(
    executor: &impl Executor,
    tenant: &Tenant,
    job: Uuid,
    by: Option<&'static str>,
    descending: bool,
    most: i64,
) -> Result<Bytes, StoreError> {
    let direction = if descending { "DESC" } else { "ASC" };
    let order = by.map_or_else(
        || "position, action, id".to_owned(),
        |by| format!("{by} {direction}, position, id"),
    );
    let sql = format!(
        "SELECT jsonb_build_object('journalRecords', coalesce(jsonb_agg(told ORDER BY at), '[]'), \
         'totalRecords', count(*)) FROM (SELECT row_number() OVER (ORDER BY {order}) AS at, \
         jsonb_strip_nulls(jsonb_build_object('id', id, 'jobExecutionId', job, 'sourceId', source, \
         'sourceRecordOrder', position, 'entityType', entity_type, 'entityId', entity_id, \
         'entityHrId', coalesce(hrid, ''), 'actionType', action, 'actionStatus', status, 'error', \
         error, 'actionDate', at, 'title', title, 'instanceId', instance_id, 'holdingsId', \
         holdings_id, 'tenantId', $3::text)) AS told FROM {}.import_journal WHERE job = $1 \
         ORDER BY {order} LIMIT $2) AS page",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job, &most, &tenant.id()]).await?;
    Ok(rows.first().map_or_else(Bytes::new, |row| {
        Bytes::copy_from_slice(row.get::<_, RawJson<'_>>(0).0)
    }))
}

/// The records of a page of the log, in order, and how many there are.
pub(crate) async fn page(
    executor: &impl Executor,
    tenant: &Tenant,
    job: Uuid,
    wish: &Wish,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Uuid>, i64), StoreError> {
    let direction = if wish.descending { "DESC" } else { "ASC" };
    // What the log shows of a record, and what of it the client wants to see.
    let sql = format!(
        "WITH found AS MATERIALIZED (SELECT source, min(position) AS position, min(title) AS title, \
         min(error) FILTER (WHERE error <> '') AS error, \
         min(CASE WHEN error <> '' OR action = 'NON_MATCH' THEN 'DISCARDED' WHEN action = 'CREATE' \
         THEN 'CREATED' WHEN action IN ('UPDATE', 'MODIFY') THEN 'UPDATED' END) \
         FILTER (WHERE entity_type = ANY($4::text[])) AS state \
         FROM {}.import_journal WHERE job = $1 GROUP BY source \
         HAVING bool_or(entity_type IS NOT NULL AND ($2::text[] IS NULL OR entity_type = ANY($2)) AND \
         (NOT $3::boolean OR error <> ''))) \
         SELECT source, (SELECT count(*) FROM found) FROM found \
         ORDER BY {} {direction}, position {direction}, source LIMIT $5 OFFSET $6",
        tenant.schema(),
        wish.order.column(),
    );
    let states: Vec<&str> = wish.order.entities();
    let rows = executor
        .rows(
            &sql,
            &[
                &job,
                &wish.entities,
                &wish.errors_only,
                &states,
                &limit,
                &offset,
            ],
        )
        .await?;
    let total = rows.first().map_or(0, |row| row.get(1));
    if rows.is_empty() && offset > 0 {
        let first = Box::pin(page(executor, tenant, job, wish, 1, 0)).await?;
        return Ok((Vec::new(), first.1));
    }
    Ok((rows.iter().map(|row| row.get(0)).collect(), total))
}

/// All entries of these records.
pub(crate) async fn of_records(
    executor: &impl Executor,
    tenant: &Tenant,
    job: Uuid,
    records: &[Uuid],
) -> Result<Vec<Entry>, StoreError> {
    let sql = format!(
        "SELECT source, position, entity_type, entity_id, hrid, action, status, error, title, \
         instance_id, holdings_id, location_id FROM {}.import_journal \
         WHERE job = $1 AND source = ANY($2) ORDER BY at, id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job, &records]).await?;
    Ok(rows
        .iter()
        .map(|row| Entry {
            source: row.get(0),
            position: row.get(1),
            entity_type: row.get(2),
            entity_id: row.get(3),
            hrid: row.get(4),
            action: row.get(5),
            status: row.get(6),
            error: row.get(7),
            title: row.get(8),
            instance_id: row.get(9),
            holdings_id: row.get(10),
            location_id: row.get(11),
        })
        .collect())
}

/// How many of each kind became what: entity, created, updated, discarded, errors; and the records with
/// errors. Nothing when the job has no journal.
pub(crate) async fn summary(
    executor: &impl Executor,
    tenant: &Tenant,
    job: Uuid,
) -> Result<Option<(i64, Vec<[i64; 4]>)>, StoreError> {
    let mut columns = String::new();
    for (entities, id) in SUMMED {
        let of = format!("entity_type IN ({entities})");
        let discarded = "((action = 'NON_MATCH' AND best = 3) OR (action = 'MATCH' AND best = 4) OR \
                         status = 'ERROR')";
        columns.push_str(&format!(
            ", count({id}) FILTER (WHERE {of} AND action = 'CREATE' AND status = 'COMPLETED') \
             , count({id}) FILTER (WHERE {of} AND action = 'UPDATE' AND status = 'COMPLETED') \
             , count(*) FILTER (WHERE {of} AND {discarded}) \
             , count(*) FILTER (WHERE {of} AND status = 'ERROR')"
        ));
    }
    let rank = "CASE action WHEN 'CREATE' THEN 1 WHEN 'UPDATE' THEN 2 WHEN 'NON_MATCH' THEN 3 \
                WHEN 'MATCH' THEN 4 ELSE 99 END";
    // An entity counts once for a record with what mattered most; a match only where nothing was done.
    let sql = format!(
        "WITH ranked AS (SELECT source, entity_type, entity_id, action, status, row_number() OVER \
         (PARTITION BY source, entity_id, entity_type, status ORDER BY {rank}) AS place, \
         min({rank}) OVER (PARTITION BY source, entity_type) AS best, \
         bool_or(action NOT IN ('MATCH', 'PARSE')) OVER (PARTITION BY source) AS acted \
         FROM {}.import_journal WHERE job = $1) \
         SELECT count(*), count(DISTINCT source) FILTER (WHERE status = 'ERROR'){columns} \
         FROM ranked WHERE place = 1 AND (action <> 'MATCH' OR NOT acted)",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job]).await?;
    let Some(row) = rows.first().filter(|row| row.get::<_, i64>(0) > 0) else {
        return Ok(None);
    };
    let groups = (0..SUMMED.len()).map(|at| {
        let first = 2 + at * 4;
        [
            row.get(first),
            row.get(first + 1),
            row.get(first + 2),
            row.get(first + 3),
        ]
    });
    Ok(Some((row.get(1), groups.collect())))
}

/// The groups of a summary: entities, and what is counted. The order is that of `log::SUMMARIES`.
const SUMMED: [(&str, &str); 5] = [
    (
        "'MARC_BIBLIOGRAPHIC', 'MARC_HOLDINGS', 'MARC_AUTHORITY'",
        "DISTINCT source",
    ),
    ("'INSTANCE'", "DISTINCT entity_id"),
    ("'HOLDINGS'", "*"),
    ("'ITEM'", "*"),
    ("'AUTHORITY'", "*"),
];
