//! All writes of MARC records and derived records by jobs.

use std::collections::HashMap;
use std::sync::Arc;

use octavo_cataloging::bulk::{self, Creating, Incoming};
use octavo_cataloging::derive::{self, Change, Derived};
use octavo_library::{MatchedId, SnapshotId};
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use octavo_source_records::store::keep_bytes;
use serde_json::{Map, Value};
use uuid::Uuid;

use octavo_cataloging::app::Mapping;
use octavo_records::Context;

use crate::app::job_context::JobContext;
use crate::rules::parse::MarcRecordKind;

/// A record to write.
#[derive(Debug, Clone)]
pub(crate) struct Writing {
    pub record: Record,
    /// The raw record as text; without it that of the last generation stays.
    pub raw: Option<String>,
    /// Its bytes, if the text does not represent them exactly.
    pub bytes: Option<Vec<u8>>,
    /// The job.
    pub snapshot: SnapshotId,
    /// The id of the changed record; for a new one its id, if given.
    pub entity: Option<Uuid>,
    /// Its position in the file, from 0.
    pub order: i64,
    /// Properties that override the mapped ones. Null removes one.
    pub set: Map<String, Value>,
}

/// The result.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    /// The instance, holdings record or authority.
    pub entity: Uuid,
    /// Its human-readable id.
    pub hrid: String,
    /// The id that the generations of the source record share.
    pub matched: MatchedId,
    /// The record as it was stored.
    pub record: Record,
}

/// Why a write failed.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A refusal of the record, without effect on others.
    Refused(String),
    /// A database error.
    Store(StoreError),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Fault {
        match error {
            StoreError::Invalid(violations) => Fault::Refused(
                violations
                    .iter()
                    .map(|one| format!("{}: {}", one.path, one.message))
                    .collect::<Vec<_>>()
                    .join("; "),
            ),
            StoreError::Duplicate { .. }
            | StoreError::MissingReference { .. }
            | StoreError::StillReferenced { .. }
            | StoreError::VersionConflict { .. }
            | StoreError::Query(_)
            | StoreError::TooLarge(_)
            | StoreError::NotFound => Fault::Refused(error.to_string()),
            other => Fault::Store(other),
        }
    }
}

impl From<octavo_postgres::DatabaseError> for Fault {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Fault {
        Fault::from(StoreError::from(error))
    }
}

impl From<derive::Refusal> for Fault {
    fn from(refusal: derive::Refusal) -> Fault {
        match refusal {
            derive::Refusal::Store(error) => Fault::from(error),
            other => Fault::Refused(other.to_string()),
        }
    }
}

impl From<octavo_authorities::app::Refusal> for Fault {
    fn from(refusal: octavo_authorities::app::Refusal) -> Fault {
        match refusal {
            octavo_authorities::app::Refusal::Store(error) => Fault::from(error),
            other => Fault::Refused(other.to_string()),
        }
    }
}

fn change(mapping: &Mapping, writing: Writing) -> Change {
    Change {
        raw: writing.raw,
        entity_id: writing.entity,
        order: Some(writing.order),
        set: writing.set,
        ..Change::new(writing.record, writing.snapshot, mapping)
    }
}

/// The result; stores the record's bytes.
async fn written(
    context: &Context<'_>,
    transaction: &Transaction,
    derived: Derived,
    bytes: Option<Vec<u8>>,
) -> Result<Written, StoreError> {
    if let Some(bytes) = bytes {
        let kept = [(derived.record_id, bytes.as_slice())];
        keep_bytes(transaction, context.tenant, &kept).await?;
    }
    Ok(Written {
        entity: derived.entity_id,
        hrid: derived.hrid,
        matched: derived.matched_id,
        record: derived.record,
    })
}

/// Creates a record and what is derived from it.
pub(crate) async fn create(
    context: &Context<'_>,
    transaction: &Transaction,
    mapping: &Mapping,
    kind: MarcRecordKind,
    mut writing: Writing,
) -> Result<Written, Fault> {
    let bytes = writing.bytes.take();
    let change = change(mapping, writing);
    let derived = match kind {
        MarcRecordKind::Bib => derive::create_bib(context, transaction, change).await,
        MarcRecordKind::Holdings => derive::create_holdings(context, transaction, change).await,
        MarcRecordKind::Authority => derive::create_authority(context, transaction, change).await,
    };
    Ok(written(context, transaction, derived?, bytes).await?)
}

/// Updates an existing record.
pub(crate) async fn update(
    context: &Context<'_>,
    transaction: &Transaction,
    mapping: &Mapping,
    kind: MarcRecordKind,
    mut writing: Writing,
) -> Result<Written, Fault> {
    let bytes = writing.bytes.take();
    let change = change(mapping, writing);
    let derived = match kind {
        MarcRecordKind::Bib => derive::update_bib(context, transaction, change).await,
        MarcRecordKind::Holdings => derive::update_holdings(context, transaction, change).await,
        MarcRecordKind::Authority => derive::update_authority(context, transaction, change).await,
    };
    Ok(written(context, transaction, derived?, bytes).await?)
}

/// Creates many bibliographic records with their instances by the mapping rules. Their positions must be
/// distinct.
pub(crate) async fn create_many(
    context: &Context<'_>,
    transaction: &Transaction,
    kit: &JobContext,
    snapshot: SnapshotId,
    writings: Vec<Writing>,
) -> Result<HashMap<i64, Result<Written, String>>, StoreError> {
    let creating = Creating {
        rules: Arc::clone(&kit.mapping.rules),
        references: Arc::clone(&kit.mapping.references),
        snapshot_id: snapshot,
        holdings: None,
    };
    let text = |raw: Option<String>| raw.unwrap_or_default().into_bytes();
    let incoming = writings
        .into_iter()
        .map(|writing| Incoming {
            position: writing.order.unsigned_abs() + 1,
            bytes: writing.bytes.unwrap_or_else(|| text(writing.raw)),
            record: writing.record,
        })
        .collect();
    let made = bulk::create_bibs(context, transaction, &creating, incoming).await?;
    let place = |position: u64| position.saturating_sub(1).cast_signed();
    let mut outcomes = HashMap::new();
    for one in made.created {
        let written = Written {
            entity: one.instance_id,
            hrid: one.instance_hrid,
            matched: one.source_id.into(),
            record: Record::default(),
        };
        outcomes.insert(place(one.position), Ok(written));
    }
    for one in made.problems {
        outcomes.insert(place(one.position), Err(one.reason));
    }
    Ok(outcomes)
}
