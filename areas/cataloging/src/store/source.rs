//! The source record of what is catalogued: found, held, retired.

use octavo_mapping::RecordKind;
use octavo_postgres::Transaction;
use octavo_records::{Executor, Stamp, StoreError, Tables};
use octavo_source_records::store::lock_generations;
use serde_json::{Map, Value};
use uuid::Uuid;

/// The newest generation of a source record.
#[derive(Debug, Clone)]
pub struct Current {
    /// The id of this generation.
    pub id: Uuid,
    /// The stored document.
    pub document: Map<String, Value>,
}

impl Current {
    /// The id that all generations share.
    #[must_use]
    pub fn matched_id(&self) -> Uuid {
        let id = self.document.get("matchedId").and_then(Value::as_str);
        id.and_then(|id| Uuid::try_parse(id).ok())
            .unwrap_or(self.id)
    }

    /// Its number among the generations.
    #[must_use]
    pub fn generation(&self) -> i64 {
        let number = self.document.get("generation").and_then(Value::as_i64);
        number.unwrap_or_default()
    }
}

/// The property of a source record that names what it describes.
#[must_use]
pub fn property_of(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Bib => "externalIdsHolder.instanceId",
        RecordKind::Holdings => "externalIdsHolder.holdingsId",
        RecordKind::Authority => "externalIdsHolder.authorityId",
    }
}

/// The newest generation of what describes this, deleted or not.
///
/// # Errors
/// When the database does not answer.
pub async fn current(
    executor: &impl Executor,
    tables: Tables<'_>,
    kind: RecordKind,
    entity: Uuid,
) -> Result<Option<Current>, StoreError> {
    newest(executor, tables, kind, entity, "").await
}

/// The same, held until the transaction ends: nobody changes it or stores another generation
/// meanwhile. Hold what it describes before.
///
/// # Errors
/// When the database does not answer.
pub async fn hold_current(
    transaction: &Transaction,
    tables: Tables<'_>,
    kind: RecordKind,
    entity: Uuid,
) -> Result<Option<Current>, StoreError> {
    let Some(found) = newest(transaction, tables, kind, entity, "").await? else {
        return Ok(None);
    };
    lock_generations(transaction, tables.tenant, found.matched_id()).await?;
    // Another generation may have come while this waited.
    newest(transaction, tables, kind, entity, " FOR NO KEY UPDATE").await
}

async fn newest(
    executor: &impl Executor,
    tables: Tables<'_>,
    kind: RecordKind,
    entity: Uuid,
    locking: &str,
) -> Result<Option<Current>, StoreError> {
    let sql = format!(
        "SELECT id, jsonb FROM {} WHERE {} AND jsonb->>'state' IN ('ACTUAL', 'DELETED') \
         ORDER BY (jsonb->>'generation')::bigint DESC LIMIT 1{locking}",
        tables.table("source_record"),
        tables.equals("source_record", property_of(kind), "$1::text"),
    );
    let rows = executor.rows(&sql, &[&entity.to_string()]).await?;
    Ok(rows.first().and_then(|row| match row.get(1) {
        Value::Object(document) => Some(Current {
            id: row.get(0),
            document,
        }),
        _ => None,
    }))
}

/// Makes a generation that is held an old one.
///
/// # Errors
/// When the database does not answer.
pub async fn retire(
    transaction: &Transaction,
    tables: Tables<'_>,
    id: Uuid,
    stamp: &Stamp,
) -> Result<(), StoreError> {
    let sql = format!(
        "UPDATE {} SET jsonb = jsonb || jsonb_build_object('state', 'OLD', 'metadata', \
         coalesce(jsonb->'metadata', '{{}}') || $2::jsonb) WHERE id = $1",
        tables.table("source_record")
    );
    transaction.rows(&sql, &[&id, &stamp.updated()]).await?;
    Ok(())
}
