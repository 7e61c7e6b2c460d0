//! Statements on authorities that the record store lacks: the archive, and bulk look-ups.

use jiff::Timestamp;
use octavo_records::expression::key;
use octavo_records::plan::{Predicate, Sql};
use octavo_records::{Executor, Index, Stamp, StoreError, Tenant, instant};
use serde_json::Value;
use uuid::Uuid;

use crate::collections::TOPIC;

/// The properties of an authority that links need.
#[derive(Debug, Clone)]
pub struct LinkedAuthority {
    pub id: Uuid,
    pub natural_id: String,
    /// The address of its source file.
    pub base_url: Option<String>,
}

/// Copies an authority into the archive and locks it.
pub async fn archive(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let sql = format!(
        "WITH old AS MATERIALIZED (SELECT id, jsonb FROM {schema}.authority WHERE id = $1 FOR UPDATE) \
         INSERT INTO {schema}.authority_archive (id, jsonb) SELECT id, jsonb || jsonb_build_object(\
         'metadata', coalesce(jsonb->'metadata', '{{}}') || $2::jsonb) FROM old \
         ON CONFLICT (id) DO UPDATE SET jsonb = EXCLUDED.jsonb",
        schema = tenant.schema()
    );
    executor.rows(&sql, &[&id, &stamp.updated()]).await?;
    Ok(())
}

/// Whether a deleted authority of this id is still in the archive.
pub async fn is_archived(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.authority_archive WHERE id = $1",
        tenant.schema()
    );
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// Purges authorities deleted before an instant, with an event for each; returns their ids.
pub async fn remove_archived(
    executor: &dyn Executor,
    tenant: &Tenant,
    before: Timestamp,
    most: i64,
) -> Result<Vec<Uuid>, StoreError> {
    let schema = tenant.schema();
    let dated = key(&exact("metadata.updatedDate"));
    // One statement, so that no deletion is without its event.
    let sql = format!(
        "WITH old AS MATERIALIZED (SELECT id FROM {schema}.authority_archive \
         WHERE {dated} <= $1 ORDER BY {dated} LIMIT $2 FOR UPDATE SKIP LOCKED), \
         gone AS (DELETE FROM {schema}.authority_archive AS kept USING old WHERE kept.id = old.id \
         RETURNING kept.id, kept.jsonb), \
         event AS (INSERT INTO {schema}.outbox (topic, key, type, old, headers) \
         SELECT '{TOPIC}', id, 'DELETE', jsonb, '{{\"deleteEventSubType\": \"HARD_DELETE\"}}'::jsonb \
         FROM gone) SELECT id FROM gone"
    );
    let rows = executor
        .rows(&sql, &[&instant::format(before), &most])
        .await?;
    Ok(rows.iter().map(|row| row.get("id")).collect())
}

/// The authorities of these ids.
pub async fn of_ids(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<Vec<LinkedAuthority>, StoreError> {
    known(executor, tenant, "id = ANY($1)", &ids).await
}

/// The authorities with these natural ids.
pub async fn of_natural_ids(
    executor: &dyn Executor,
    tenant: &Tenant,
    natural_ids: &[String],
) -> Result<Vec<LinkedAuthority>, StoreError> {
    let which = format!("{} = ANY($1)", key(&exact("naturalId")));
    known(executor, tenant, &which, &natural_ids).await
}

/// A declared index on a property as it is.
fn exact(field: &str) -> Index {
    Index::plain(field).case_sensitive().keep_accents()
}

async fn known(
    executor: &dyn Executor,
    tenant: &Tenant,
    which: &str,
    value: &(dyn octavo_postgres::ToSql + Sync),
) -> Result<Vec<LinkedAuthority>, StoreError> {
    let schema = tenant.schema();
    let sql = format!(
        "SELECT id, jsonb->>'naturalId' AS natural_id, (SELECT file.jsonb->>'baseUrl' \
         FROM {schema}.authority_source_file AS file WHERE file.id = sourcefileid) AS base_url \
         FROM {schema}.authority WHERE {which} ORDER BY id"
    );
    let rows = executor.rows(&sql, &[value]).await?;
    let known = rows.iter().map(|row| LinkedAuthority {
        id: row.get("id"),
        natural_id: row
            .get::<_, Option<String>>("natural_id")
            .unwrap_or_default(),
        base_url: row.get("base_url"),
    });
    Ok(known.collect())
}

/// The MARC of the current records of these authorities.
pub async fn contents_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let mut sql = Sql::default();
    sql.push(&format!(
        "SELECT (jsonb->'externalIdsHolder'->>'authorityId')::uuid AS id, \
         jsonb->'parsedRecord'->'content' AS content \
         FROM {}.source_record",
        tenant.schema()
    ));
    let both = Predicate::All(vec![wanted.clone(), state.clone()]);
    sql.filter(tenant.schema(), &both);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    let contents = rows.iter().filter_map(|row| {
        let id: Option<Uuid> = row.get("id");
        let content: Option<Value> = row.get("content");
        Some((id?, content?))
    });
    Ok(contents.collect())
}
