//! The journal of jobs: the actions on each record. Log lines and counters are written with it.

use bytes::Bytes;
use futures_util::try_join;
use octavo_library::{IncomingRecordId, JobExecutionId};
use octavo_postgres::RawJson;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::log;
use crate::rules::job_summary::{self, tally};
use crate::rules::log::Entry;

/// Adds entries with their log lines and counters. All entries of a record must be in one call.
pub(crate) async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    entries: &[Entry],
    at: &str,
) -> Result<(), StoreError> {
    let mut tally = tally(entries);
    if !tally.updated.is_empty() {
        // Read before inserting: instances updated by earlier records are counted already.
        let before = log::updated_before(executor, tenant, job, &tally.updated).await?;
        let more = tally.updated.len() as i64 - before;
        if more > 0 {
            tally.counts.insert(job_summary::updated_instances(), more);
        }
    }
    try_join!(
        insert_entries(executor, tenant, job, entries, at),
        log::insert(executor, tenant, job, &tally.lines),
        log::count(executor, tenant, job, &tally.counts),
    )?;
    Ok(())
}

async fn insert_entries(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
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
                "location_id": one.location_id, "order_id": one.order_id,
            })
        })
        .collect();
    let sql = format!(
        "INSERT INTO {}.import_journal (id, job, source, position, entity_type, entity_id, hrid, \
         action, status, error, at, title, instance_id, holdings_id, location_id, order_id) SELECT id, $1, \
         source, position, entity_type, entity_id, hrid, action, status, coalesce(error, ''), $3, \
         title, instance_id, holdings_id, location_id, order_id FROM jsonb_to_recordset($2) AS _(id uuid, source \
         uuid, position bigint, entity_type text, entity_id text, hrid text, action text, status text, \
         error text, title text, instance_id text, holdings_id text, location_id text, order_id text)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&job, &Value::Array(rows), &at])
        .await?;
    Ok(())
}

/// The entries of a job in FOLIO's list form.
pub(crate) async fn list(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
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
        "SELECT jsonb_build_object('journalRecords', coalesce(jsonb_agg(entry ORDER BY at), '[]'), \
         'totalRecords', count(*)) AS jsonb FROM (SELECT row_number() OVER (ORDER BY {order}) \
         AS at, \
         jsonb_strip_nulls(jsonb_build_object('id', id, 'jobExecutionId', job, 'sourceId', source, \
         'sourceRecordOrder', position, 'entityType', entity_type, 'entityId', entity_id, \
         'entityHrId', coalesce(hrid, ''), 'actionType', action, 'actionStatus', status, 'error', \
         error, 'actionDate', at, 'title', title, 'instanceId', instance_id, 'holdingsId', \
         holdings_id, 'orderId', order_id, 'tenantId', $3::text)) AS entry FROM {}.import_journal WHERE job = $1 \
         ORDER BY {order} LIMIT $2) AS page",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job, &most, &tenant.id()]).await?;
    Ok(rows.first().map_or_else(Bytes::new, |row| {
        Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)
    }))
}

/// All entries of these records.
pub(crate) async fn of_records(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    records: &[IncomingRecordId],
) -> Result<Vec<Entry>, StoreError> {
    let sql = format!(
        "SELECT id, source, position, entity_type, entity_id, hrid, action, status, error, title, \
         instance_id, holdings_id, location_id, order_id FROM {}.import_journal \
         WHERE job = $1 AND source = ANY($2) ORDER BY at, id",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&job, &records]).await?;
    Ok(rows
        .iter()
        .map(|row| Entry {
            id: row.get("id"),
            source: row.get("source"),
            position: row.get("position"),
            entity_type: row.get("entity_type"),
            entity_id: row.get("entity_id"),
            hrid: row.get("hrid"),
            action: row.get("action"),
            status: row.get("status"),
            error: row.get("error"),
            title: row.get("title"),
            instance_id: row.get("instance_id"),
            holdings_id: row.get("holdings_id"),
            location_id: row.get("location_id"),
            order_id: row.get("order_id"),
        })
        .collect())
}
