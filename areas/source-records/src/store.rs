//! The statements of this area: generations of records, their views, and statements of loads.

pub mod batch;
pub mod marc_known;
pub mod marc_search;
pub mod marc_terms;
pub mod matching;

use std::collections::HashMap;

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_library::{MatchedId, SnapshotId, SourceRecordId};
use octavo_postgres::RawJson;
use octavo_records::expression::{folded, key, text_at};
use octavo_records::plan::{Parameter, Plan, Predicate, Sql};
use octavo_records::{Executor, Index, Stamp, StoreError, Tenant};
use uuid::Uuid;

/// What mod-source-record-storage calls a source record: without the raw record, named by the id
/// that all its generations share. Rows are `page(jsonb)`.
const SOURCE_RECORD: &str = "jsonb_strip_nulls(jsonb_build_object(
  'recordId', page.jsonb->'matchedId', 'snapshotId', page.jsonb->'snapshotId',
  'recordType', page.jsonb->'recordType', 'order', page.jsonb->'order',
  'generation', page.jsonb->'generation', 'deleted', page.jsonb->>'state' = 'DELETED'
    OR coalesce(page.jsonb->>'leaderRecordStatus', '') IN ('d', 's', 'x'),
  'externalIdsHolder', page.jsonb->'externalIdsHolder',
  'additionalInfo', page.jsonb->'additionalInfo', 'metadata', page.jsonb->'metadata'))
  || jsonb_build_object('parsedRecord', (page.jsonb->'parsedRecord') - 'formattedContent')";

/// SQL: the id of the described record.
pub(crate) const EXTERNAL_ID: &str = "CASE jsonb->>'recordType' \
  WHEN 'MARC_BIB' THEN jsonb->'externalIdsHolder'->>'instanceId' \
  WHEN 'MARC_HOLDING' THEN jsonb->'externalIdsHolder'->>'holdingsId' \
  WHEN 'MARC_AUTHORITY' THEN jsonb->'externalIdsHolder'->>'authorityId' END";

/// A page of records as they are stored.
#[must_use]
pub fn records(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    Sql::page(schema, "source_record", plan, limit, offset)
}

/// A page of source records.
#[must_use]
pub fn source_records(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let page = Sql::page(schema, "source_record", plan, limit, offset);
    page.within(|page| format!("SELECT {SOURCE_RECORD} AS jsonb FROM ({page}) AS page"))
}

/// The documents of a statement, one a line.
#[must_use]
pub fn lines(sql: Sql) -> Sql {
    // Type json, not jsonb, keeps the line feed.
    sql.within(|page| {
        format!(
            "SELECT (line.document::text || E'\\n')::json AS jsonb FROM ({page}) AS \
                 line(document)"
        )
    })
}

/// A page of snapshots; in responses they have only the `jobExecutionId`.
#[must_use]
pub fn snapshots(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    Sql::select(
        "jsonb - 'id' AS jsonb",
        schema,
        "snapshot",
        plan,
        limit,
        offset,
    )
}

#[boxed]
pub async fn snapshot(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: SnapshotId,
) -> Result<Option<Bytes>, StoreError> {
    let sql = format!(
        "SELECT jsonb - 'id' AS jsonb FROM {}.snapshot WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}

/// The newest of the records that both predicates find, as it is stored.
#[boxed]
pub async fn newest_record(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Option<Bytes>, StoreError> {
    one("jsonb", executor, tenant, wanted, state).await
}

/// The same as a source record.
#[boxed]
pub async fn newest_source_record(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Option<Bytes>, StoreError> {
    one(SOURCE_RECORD, executor, tenant, wanted, state).await
}

async fn one(
    view: &str,
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Option<Bytes>, StoreError> {
    let newest = find_newest("jsonb", tenant, wanted, state);
    let text = format!("SELECT {view} AS jsonb FROM ({}) AS page", newest.text);
    let rows = executor.rows(&text, &newest.bound()).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}

/// The id of the newest of the records that both predicates find.
#[boxed]
pub async fn newest(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Option<SourceRecordId>, StoreError> {
    let sql = find_newest("id", tenant, wanted, state);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

fn find_newest(columns: &str, tenant: &Tenant, wanted: &Predicate, state: &Predicate) -> Sql {
    let mut sql = Sql::default();
    sql.push(&format!(
        "SELECT {columns} FROM {}.source_record",
        tenant.schema()
    ));
    let predicate = Predicate::All(vec![wanted.clone(), state.clone()]);
    sql.filter(tenant.schema(), &predicate);
    sql.push(" ORDER BY (jsonb->>'generation')::bigint DESC LIMIT ");
    sql.bind(Parameter::Integer(1), "bigint");
    sql
}

/// The lock keys of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// The id that its generations share.
    pub matched_id: MatchedId,
    /// The id of the described record.
    pub external_id: Option<String>,
}

/// The keys of the newest of the records that both predicates find.
#[boxed]
pub async fn newest_keys(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Option<Keys>, StoreError> {
    let columns = format!(
        "({})::uuid AS matched_id, {EXTERNAL_ID} AS external_id",
        text_at("matchedId")
    );
    let sql = find_newest(&columns, tenant, wanted, state);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    Ok(rows.first().map(|row| Keys {
        matched_id: row.get("matched_id"),
        external_id: row.get("external_id"),
    }))
}

/// The records that both predicates find.
#[boxed]
pub async fn records_among(
    executor: &dyn Executor,
    tenant: &Tenant,
    wanted: &Predicate,
    state: &Predicate,
) -> Result<Vec<(SourceRecordId, serde_json::Value)>, StoreError> {
    let mut sql = Sql::default();
    sql.push(&format!(
        "SELECT id, jsonb FROM {}.source_record",
        tenant.schema()
    ));
    let predicate = Predicate::All(vec![wanted.clone(), state.clone()]);
    sql.filter(tenant.schema(), &predicate);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("id"), row.get("jsonb")))
        .collect())
}

/// Takes the lock on a record's generations until the transaction ends.
#[boxed]
pub async fn lock_generations(
    executor: &dyn Executor,
    tenant: &Tenant,
    matched_id: MatchedId,
) -> Result<(), StoreError> {
    // An advisory lock, since a new record has no row to lock yet.
    let key = format!("{} source record {matched_id}", tenant.id());
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    executor.rows(sql, &[&key]).await?;
    Ok(())
}

/// The same for all records that describe one instance, holdings or authority. Lock order: before
/// [`lock_generations`].
#[boxed]
pub async fn lock_described(
    executor: &dyn Executor,
    tenant: &Tenant,
    external_id: &str,
) -> Result<(), StoreError> {
    let key = format!("{} source record of {external_id}", tenant.id());
    let sql = "SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))";
    executor.rows(sql, &[&key]).await?;
    Ok(())
}

/// The number of the next generation of a record, from 0.
#[boxed]
pub async fn next_generation(
    executor: &dyn Executor,
    tenant: &Tenant,
    matched_id: MatchedId,
) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT coalesce(max((jsonb->>'generation')::bigint) + 1, 0) AS next \
         FROM {}.source_record WHERE {} = $1",
        tenant.schema(),
        by_matched_id()
    );
    let rows = executor.rows(&sql, &[&matched_id.to_string()]).await?;
    Ok(rows.first().map_or(0, |row| row.get("next")))
}

/// Makes the current generation of a record an old one.
#[boxed]
pub async fn retire(
    executor: &dyn Executor,
    tenant: &Tenant,
    matched_id: MatchedId,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {}.source_record SET jsonb = jsonb || jsonb_build_object('state', 'OLD', \
         'metadata', coalesce(jsonb->'metadata', '{{}}') || $2::jsonb) \
         WHERE {} = $1 AND jsonb->>'state' IN ('ACTUAL', 'DELETED')",
        tenant.schema(),
        by_matched_id()
    );
    executor
        .rows(&sql, &[&matched_id.to_string(), &stamp.updated()])
        .await?;
    Ok(())
}

/// Whether another generation than this one is the current one of a record.
#[boxed]
pub async fn other_is_current(
    executor: &dyn Executor,
    tenant: &Tenant,
    matched_id: MatchedId,
    id: SourceRecordId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {}.source_record WHERE {} = $1 AND id <> $2 \
         AND jsonb->>'state' IN ('ACTUAL', 'DELETED') LIMIT 1",
        tenant.schema(),
        by_matched_id()
    );
    let rows = executor.rows(&sql, &[&matched_id.to_string(), &id]).await?;
    Ok(!rows.is_empty())
}

/// The id shared by the generations of the current record of an instance, holdings or authority.
#[boxed]
pub async fn matched_id_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    property: &'static str,
    id: &str,
) -> Result<Option<MatchedId>, StoreError> {
    let field = format!("externalIdsHolder.{property}");
    let wanted = crate::search::equal(&field, id);
    let state = crate::search::current(false);
    let columns = format!("({})::uuid AS matched_id", text_at("matchedId"));
    let sql = find_newest(&columns, tenant, &wanted, &state);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    Ok(rows.first().map(|row| row.get("matched_id")))
}

#[boxed]
pub async fn delete_records_of(
    executor: &dyn Executor,
    tenant: &Tenant,
    snapshot_id: SnapshotId,
) -> Result<(), StoreError> {
    let sql = format!(
        "DELETE FROM {}.source_record WHERE snapshotid = $1",
        tenant.schema()
    );
    executor.rows(&sql, &[&snapshot_id]).await?;
    Ok(())
}

/// Deletes all generations of the records of some authorities.
pub async fn delete_records_of_authorities(
    executor: &dyn Executor,
    tenant: &Tenant,
    ids: &[Uuid],
) -> Result<(), StoreError> {
    let by_authority = key(&Index::plain("externalIdsHolder.authorityId").keep_accents());
    let ids: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    let sql = format!(
        "DELETE FROM {}.source_record WHERE {by_authority} = ANY($1)",
        tenant.schema()
    );
    executor.rows(&sql, &[&ids]).await?;
    Ok(())
}

/// Human-readable ids for new instances, ascending; none of them is taken.
#[boxed]
pub async fn reserve_instance_hrids(
    executor: &dyn Executor,
    tenant: &Tenant,
    count: usize,
) -> Result<Vec<String>, StoreError> {
    let count = i32::try_from(count)
        .map_err(|_| StoreError::TooLarge("a batch has too many records".to_owned()))?;
    let sql = format!(
        "SELECT {}.instance_hrids($1, '{{}}') AS hrids",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&count]).await?;
    Ok(rows.first().map_or_else(Vec::new, |row| row.get("hrids")))
}

/// Stores the bytes of records whose text does not represent them exactly.
#[boxed]
pub async fn keep_bytes(
    executor: &dyn Executor,
    tenant: &Tenant,
    records: &[(SourceRecordId, &[u8])],
) -> Result<(), StoreError> {
    if records.is_empty() {
        return Ok(());
    }
    let (ids, bytes): (Vec<SourceRecordId>, Vec<&[u8]>) = records.iter().copied().unzip();
    let sql = format!(
        "INSERT INTO {}.source_record_bytes (id, bytes) \
         SELECT * FROM unnest($1::uuid[], $2::bytea[])",
        tenant.schema()
    );
    executor.rows(&sql, &[&ids, &bytes]).await?;
    Ok(())
}

/// The original bytes of a record whose raw text does not represent them exactly.
#[boxed]
pub async fn raw_bytes(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: SourceRecordId,
) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = format!(
        "SELECT bytes FROM {}.source_record_bytes WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("bytes")))
}

/// Whether a table has a record of this id.
#[boxed]
pub async fn exists(
    executor: &dyn Executor,
    tenant: &Tenant,
    table: &'static str,
    id: Uuid,
) -> Result<bool, StoreError> {
    let sql = format!("SELECT 1 FROM {}.{table} WHERE id = $1", tenant.schema());
    Ok(!executor.rows(&sql, &[&id]).await?.is_empty())
}

/// The ids of a small table's records by one of their properties.
#[boxed]
pub async fn ids_by(
    executor: &dyn Executor,
    tenant: &Tenant,
    table: &'static str,
    property: &'static str,
) -> Result<HashMap<String, Uuid>, StoreError> {
    let sql = format!(
        "SELECT jsonb->>'{property}' AS value, id FROM {}.{table} WHERE jsonb ? '{property}'",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .iter()
        .map(|row| (row.get("value"), row.get("id")))
        .collect())
}

/// The key of the unique index on record and generation.
pub(crate) fn by_matched_id() -> String {
    folded(&Index::unique("matchedId").keep_accents())
}

/// The index expression of the described record's id: `instanceId`, `holdingsId` or `authorityId`.
#[must_use]
pub fn described_by(property: &'static str) -> String {
    let field = format!("externalIdsHolder.{property}");
    key(&Index::plain(&field).keep_accents())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{IdType, current};

    #[test]
    fn a_formatted_record_is_one_statement_over_the_index_of_its_id() {
        let tenant = Tenant::new("diku").expect("a tenant");
        let (wanted, state) = (IdType::Instance.among(&[Uuid::nil()]), current(true));
        let sql = find_newest("jsonb", &tenant, &wanted, &state);
        assert_eq!(
            sql.text,
            "SELECT jsonb FROM tenant_diku.source_record WHERE \
             (left(lower(jsonb->'externalIdsHolder'->>'instanceId'), 600) COLLATE \"C\" = \
             $1::text AND (left(lower(jsonb->>'state'), 600) COLLATE \"C\" = $2::text OR \
             left(lower(jsonb->>'state'), 600) COLLATE \"C\" = $3::text)) \
             ORDER BY (jsonb->>'generation')::bigint DESC LIMIT $4::bigint"
        );
    }
}
