//! A tenant's mapping rules: read, changed, and reset to those of the release.

use octavo_boxed::boxed;
use octavo_mapping::{RecordKind, RuleProblem, Rules};
use octavo_records::StoreError;
use octavo_records::store::{delete, insert, replace};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Context;
use crate::store::rules;

const TABLE: &str = "mapping_rules";

/// Why rules were not changed.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// FOLIO's rules for authorities cannot be changed.
    #[error("Can't edit MARC Authority default mapping rules")]
    Authority,
    /// They are invalid; with all errors.
    #[error("{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Wrong(Vec<RuleProblem>),
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl octavo_records::Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Store(error) if error.is_contention())
    }
}

/// The current rules for a kind of records, in FOLIO's notation.
#[boxed]
pub async fn current_rules(context: &Context<'_>, kind: RecordKind) -> Result<Value, StoreError> {
    let read = rules::read(&context.store.database, context.tables(), kind).await?;
    Ok(read.map_or_else(|| Rules::defaults(kind), |(_, rules)| rules))
}

/// Replaces the rules for a kind of records. Later mappings use them, on every process; running jobs
/// continue with their own.
///
/// # Errors
/// When they are invalid, or are those for authorities.
#[boxed]
pub async fn replace_rules(
    context: &Context<'_>,
    kind: RecordKind,
    wanted: Value,
) -> Result<Value, Refusal> {
    if kind == RecordKind::Authority {
        return Err(Refusal::Authority);
    }
    Rules::parse(kind, &wanted).map_err(Refusal::Wrong)?;
    let mut document = Map::new();
    document.insert("recordType".to_owned(), json!(kind.name()));
    document.insert("mappingRules".to_owned(), wanted);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let (database, collection) = (&context.store.database, context.collection(TABLE));
    let id = rules::id_of(database, context.tables(), kind).await?;
    let id = id.unwrap_or_else(|| id_of(kind));
    document.insert("id".to_owned(), json!(id));
    // Two attempts: if a concurrent request inserts between our update and insert, the next update finds
    // its row.
    for _ in 0..2 {
        match replace(database, tenant, collection, id, &document, stamp).await {
            Err(StoreError::NotFound) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => break,
        }
        match insert(database, tenant, collection, document.clone(), stamp).await {
            Err(StoreError::Duplicate { .. }) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => break,
        }
    }
    Ok(document.shift_remove("mappingRules").unwrap_or_default())
}

/// Resets the rules for a kind of records to those of the release; returns them.
#[boxed]
pub async fn restore_rules(context: &Context<'_>, kind: RecordKind) -> Result<Value, StoreError> {
    let database = &context.store.database;
    if let Some(id) = rules::id_of(database, context.tables(), kind).await? {
        let collection = context.collection(TABLE);
        match delete(database, context.tenant, collection, id).await {
            Ok(_) | Err(StoreError::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Rules::defaults(kind))
}

/// The fixed id of the record of a tenant's rules for a kind.
fn id_of(kind: RecordKind) -> Uuid {
    Uuid::from_u128(match kind {
        RecordKind::Bib => 0x7b41_9ad4_6d1c_4f5e_9d3a_0b6c_2f18_e001,
        RecordKind::Holdings => 0x7b41_9ad4_6d1c_4f5e_9d3a_0b6c_2f18_e002,
        RecordKind::Authority => 0x7b41_9ad4_6d1c_4f5e_9d3a_0b6c_2f18_e003,
    })
}
