//! The raw incoming records.

use bytes::Bytes;
use octavo_library::{IncomingRecordId, JobExecutionId};
use octavo_postgres::RawJson;
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;

/// An incoming record.
#[derive(Debug)]
pub(crate) struct Incoming {
    /// Its id in the journal.
    pub id: IncomingRecordId,
    /// FOLIO's record type, if known.
    pub record_type: Option<&'static str>,
    /// Its position in the file, from 0.
    pub position: i64,
    /// The text.
    pub raw: String,
    /// MARC in JSON, if it could be read.
    pub parsed: Option<Value>,
}

/// Stores records.
pub(crate) async fn insert(
    executor: &dyn Executor,
    tenant: &Tenant,
    job: JobExecutionId,
    records: &[Incoming],
) -> Result<(), StoreError> {
    let ids: Vec<IncomingRecordId> = records.iter().map(|one| one.id).collect();
    let types: Vec<Option<&str>> = records.iter().map(|one| one.record_type).collect();
    let positions: Vec<i64> = records.iter().map(|one| one.position).collect();
    let raws: Vec<&str> = records.iter().map(|one| one.raw.as_str()).collect();
    let parsed: Vec<Option<&Value>> = records.iter().map(|one| one.parsed.as_ref()).collect();
    let sql = format!(
        "INSERT INTO {}.import_incoming (id, job, record_type, position, raw, parsed) \
         SELECT id, $1, record_type, position, raw, parsed FROM unnest($2::uuid[], $3::text[], \
         $4::bigint[], $5::text[], $6::jsonb[]) AS _(id, record_type, position, raw, parsed)",
        tenant.schema()
    );
    executor
        .rows(&sql, &[&job, &ids, &types, &positions, &raws, &parsed])
        .await?;
    Ok(())
}

/// A record in FOLIO's form.
pub(crate) async fn find(
    executor: &dyn Executor,
    tenant: &Tenant,
    id: IncomingRecordId,
) -> Result<Option<Bytes>, StoreError> {
    let sql = format!(
        "SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'jobExecutionId', job, \
         'recordType', record_type, 'order', position, 'rawRecordContent', raw, \
         'parsedRecordContent', parsed::text)) AS jsonb FROM {}.import_incoming WHERE id = $1",
        tenant.schema()
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}
