//! The MARC records of instances and authorities: found, locked, and written back.

use octavo_boxed::boxed;
use octavo_inventory::rules::source_record::put_marc;
use octavo_library::{AuthorityId, InstanceId, SourceRecordId};
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{Executor, StoreError};
use octavo_source_records::app::search::{IdType, current};
use octavo_source_records::store::{newest, newest_record};
use serde_json::{Map, Value};

use super::Context;

const TABLE: &str = "source_record";
/// Maximal number of look-ups of a record that gets new generations while we wait for its lock.
const LOOKS_MAX: usize = 3;

/// The MARC of the current record of an authority, if it has one.
#[boxed]
pub async fn marc_of_authority(
    context: &Context<'_>,
    executor: &dyn Executor,
    id: AuthorityId,
) -> Result<Option<Record>, StoreError> {
    let (wanted, state) = (IdType::Authority.among(&[id.uuid()]), current(false));
    let found = newest_record(executor, context.tenant, &wanted, &state).await?;
    let document: Option<Value> = found.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(document.and_then(|document| marc(&document)))
}

/// A bibliographic record that is locked until the transaction ends.
#[derive(Debug)]
pub struct HeldBibRecord {
    /// The stored record's id.
    pub id: SourceRecordId,
    /// Its MARC; `None` when it cannot be read.
    pub marc: Option<Record>,
}

/// The current record of an instance, locked. The caller has locked the instance.
#[boxed]
pub async fn hold_of_instance(
    context: &Context<'_>,
    transaction: &Transaction,
    instance_id: InstanceId,
) -> Result<Option<HeldBibRecord>, StoreError> {
    let (wanted, state) = (
        IdType::Instance.among(&[instance_id.uuid()]),
        current(false),
    );
    for _ in 0..LOOKS_MAX {
        let Some(id) = newest(transaction, context.tenant, &wanted, &state).await? else {
            return Ok(None);
        };
        let collection = context.collection(TABLE);
        let record = fetch_locked(transaction, context.tenant, collection, id.uuid()).await?;
        // While we waited for the lock, the record may have got a new generation.
        if let Some(record) = record
            && record["state"] == "ACTUAL"
        {
            let marc = marc(&record);
            return Ok(Some(HeldBibRecord { id, marc }));
        }
    }
    Err(StoreError::Contended)
}

/// Replaces the MARC of a locked record.
///
/// # Errors
/// When the record was deleted.
#[boxed]
pub async fn replace_marc(
    context: &Context<'_>,
    transaction: &Transaction,
    id: SourceRecordId,
    marc: &Record,
) -> Result<(), StoreError> {
    let collection = context.collection(TABLE);
    let record = fetch_locked(transaction, context.tenant, collection, id.uuid()).await?;
    let Some(Value::Object(record)) = record else {
        return Err(StoreError::NotFound);
    };
    let mut record: Map<String, Value> = record;
    put_marc(&mut record, marc);
    replace(
        transaction,
        context.tenant,
        collection,
        id.uuid(),
        &record,
        &context.stamp,
    )
    .await?;
    Ok(())
}

fn marc(document: &Value) -> Option<Record> {
    let content = document.get("parsedRecord")?.get("content")?;
    match content {
        Value::String(text) => {
            let value: Value = serde_json::from_str(text).ok()?;
            Record::from_json(&value).ok()
        }
        value => Record::from_json(value).ok(),
    }
}
