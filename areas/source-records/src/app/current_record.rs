//! Reads or locks the current generation of records, for this and other areas.

use octavo_boxed::boxed;
use octavo_library::{MatchedId, SourceRecordId};
use octavo_postgres::Transaction;
use octavo_records::store::fetch_locked;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Context;
use super::search::{IdType, current};
use crate::store;

/// Maximal number of ids of one look-up.
pub const IDS_MAX: usize = 1_000;

/// A stored record.
#[derive(Debug, Clone, PartialEq)]
pub struct Current {
    /// The id of this generation.
    pub id: SourceRecordId,
    /// The stored document.
    pub document: Map<String, Value>,
}

impl Current {
    /// The id that all its generations share.
    #[must_use]
    pub fn matched_id(&self) -> Option<MatchedId> {
        MatchedId::parse(self.document.get("matchedId")?.as_str()?)
    }

    /// The id of the instance, holdings or authority that it describes.
    #[must_use]
    pub fn external_id(&self) -> Option<Uuid> {
        Uuid::try_parse(described(&self.document)?).ok()
    }

    /// Its number among its generations.
    #[must_use]
    pub fn generation(&self) -> i64 {
        self.document
            .get("generation")
            .and_then(Value::as_i64)
            .unwrap_or_default()
    }
}

/// The current records of these ids, in no order: of those that are not deleted or, with
/// `with_deleted`, of all. At most [`IDS_MAX`] ids; more are cut off.
#[boxed]
pub async fn current_records(
    context: &Context<'_>,
    executor: &dyn Executor,
    kind: IdType,
    ids: &[Uuid],
    with_deleted: bool,
) -> Result<Vec<Current>, StoreError> {
    let ids = &ids[..ids.len().min(IDS_MAX)];
    let (wanted, state) = (kind.among(ids), current(with_deleted));
    let found = store::records_among(executor, context.tenant, &wanted, &state).await?;
    let records = found
        .into_iter()
        .filter_map(|(id, document)| match document {
            Value::Object(document) => Some(Current { id, document }),
            _ => None,
        });
    Ok(records.collect())
}

/// The newest generation of what the id names, deleted or not, locked until the transaction ends, so
/// that nobody changes it or stores another generation. Lock the described record first.
#[boxed]
pub async fn hold_record(
    context: &Context<'_>,
    transaction: &Transaction,
    kind: IdType,
    id: Uuid,
) -> Result<Option<Current>, StoreError> {
    let (wanted, state) = (kind.among(&[id]), current(true));
    let tenant = context.tenant;
    let Some(keys) = store::newest_keys(transaction, tenant, &wanted, &state).await? else {
        return Ok(None);
    };
    if let Some(external_id) = &keys.external_id {
        store::lock_described(transaction, tenant, external_id).await?;
    }
    store::lock_generations(transaction, tenant, keys.matched_id).await?;
    // Read again: another generation may have been stored while this waited for the lock.
    let newest = store::newest(transaction, tenant, &wanted, &state).await?;
    let Some(id) = newest else {
        return Ok(None);
    };
    let collection = context.collection("source_record");
    let record = fetch_locked(transaction, tenant, collection, id.uuid()).await?;
    Ok(match record {
        Some(Value::Object(document)) => Some(Current { id, document }),
        _ => None,
    })
}

/// The id of the described record.
fn described(document: &Map<String, Value>) -> Option<&str> {
    let name = match document.get("recordType")?.as_str()? {
        "MARC_BIB" => "instanceId",
        "MARC_HOLDING" => "holdingsId",
        "MARC_AUTHORITY" => "authorityId",
        _ => return None,
    };
    document.get("externalIdsHolder")?.get(name)?.as_str()
}
