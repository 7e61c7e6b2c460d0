//! The settings of HRIDs, and their sequences.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_postgres::{Database, RawJson, Transaction};
use octavo_records::{Stamp, StoreError, Tenant};
use serde_json::Value;
use uuid::{Uuid, uuid};

/// The id of the record in every tenant.
const ID: Uuid = uuid!("a501f2a8-5b31-48b2-874d-2191e48db8cd");

/// The settings with the current number of each sequence; before its first use that is the start number
/// minus one.
#[boxed]
pub async fn read(database: &Database, tenant: &Tenant) -> Result<Option<Bytes>, StoreError> {
    let schema = tenant.schema();
    let part = |property: &str, table: &str| {
        format!(
            "'{property}', jsonb->'{property}' || jsonb_build_object('currentNumber', (SELECT \
             last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM {schema}.{table}_hrid_seq))"
        )
    };
    let sql = format!(
        "SELECT jsonb || jsonb_build_object({}, {}, \
         {}) AS jsonb FROM {schema}.hrid_settings LIMIT 1",
        part("instances", "instance"),
        part("holdings", "holdings_record"),
        part("items", "item"),
    );
    let rows = database.query(&sql, &[]).await?;
    Ok(rows
        .first()
        .map(|row| Bytes::copy_from_slice(row.get::<_, RawJson<'_>>("jsonb").0)))
}

/// Replaces the settings; their id stays.
#[boxed]
pub async fn replace(
    transaction: &Transaction,
    tenant: &Tenant,
    document: &Value,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO {schema}.hrid_settings AS old (id, jsonb) \
         VALUES ($1, $2 || jsonb_build_object('id', $1::uuid, 'metadata', $3::jsonb)) \
         ON CONFLICT (id) DO UPDATE SET jsonb = excluded.jsonb || jsonb_build_object('metadata', \
         coalesce(old.jsonb->'metadata', $3::jsonb) || $4::jsonb)",
        schema = tenant.schema()
    );
    transaction
        .execute(&sql, &[&ID, document, &stamp.created(), &stamp.updated()])
        .await?;
    Ok(())
}

/// Restarts the sequences of these tables. `ALTER SEQUENCE` blocks other numbering until the transaction
/// ends, and is rolled back with it.
#[boxed]
pub async fn restart(
    transaction: &Transaction,
    tenant: &Tenant,
    starts: [(&str, i64); 3],
) -> Result<(), StoreError> {
    let schema = tenant.schema();
    for (table, start) in starts {
        // The statement takes no bound value; a number needs no quoting.
        let sql = format!("ALTER SEQUENCE {schema}.{table}_hrid_seq RESTART WITH {start}");
        transaction.batch_execute(&sql).await?;
    }
    Ok(())
}
