//! The editor's operations: changing and creating records. A record and what is derived from it are
//! written in one transaction.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_boxed::boxed;
use octavo_library::SnapshotId;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch, insert};
use octavo_records::{Contention, StoreError, instant};
use octavo_source_records::app::Current;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::links::keep_links;
use super::show::{current_of, marc_of};
use super::{Context, mapping_of};
use crate::derive::{
    self, Change, Derived, Expected, ForeignNumber, create_authority, create_bib, create_holdings,
    update_authority, update_bib, update_holdings,
};
use crate::editor::{Form, Ids, Wrong, checked, wrong_fields};
use crate::quick_marc::{ReadError, read_record};
use crate::validation::{Issue, Severity, issues};

/// Why the editor's record was not stored.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The body is malformed.
    #[error("{0}")]
    Malformed(String),
    /// There is no record of this instance, holdings record or authority.
    #[error("The source record was not found by externalId: {0}")]
    NotFound(Uuid),
    /// The record violates MARC 21.
    #[error("Record validation failed")]
    Invalid(Vec<Issue>),
    /// Fields violate the editor's own rules.
    #[error("{}", .0.first().map_or("", |wrong| wrong.message.as_str()))]
    Fields(Vec<Wrong>),
    /// A field cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// It was not written.
    #[error(transparent)]
    Derive(derive::Refusal),
}

impl<E: Into<derive::Refusal>> From<E> for Refusal {
    fn from(refusal: E) -> Refusal {
        Refusal::Derive(refusal.into())
    }
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Derive(refusal) if refusal.is_contention())
    }
}

/// Replaces the record that the ids name, and changes what is derived from it.
///
/// # Errors
/// When there is none, of a version conflict, or when it is invalid.
#[boxed]
pub async fn update(context: &Context<'_>, form: &Form, ids: &Ids) -> Result<Derived, Refusal> {
    look(form, None)?;
    let current = current_of(context, ids.external).await?;
    let current = current.ok_or(Refusal::NotFound(ids.external))?;
    if form.generation.is_none() && !covers(context, form, ids, &current).await? {
        return Err(derive::Refusal::Stale {
            id: ids.parsed_record.uuid(),
            stored: current.generation(),
            sent: current.generation() - 1,
        }
        .into());
    }
    let record = read(context, form, marc_of(&current.document).as_ref())?;
    let mapping = mapping_of(context, form.kind).await?;
    let transaction = context.store.database.transaction().await?;
    let snapshot_id = snapshot(context, &transaction).await?;
    let change = Change {
        entity_id: Some(ids.external),
        expected: Expected {
            // Without a generation from the client, the one read here is expected, so that no concurrent
            // change is lost.
            generation: form.generation.or(Some(current.generation())),
            record_id: Some(ids.parsed_record),
            version: form.version,
        },
        foreign_number: ForeignNumber::Drop,
        suppress_discovery: Some(form.suppress_discovery),
        undeletes: true,
        ..Change::new(record, snapshot_id, &mapping)
    };
    let derived = match form.kind {
        RecordKind::Bib => {
            let derived = update_bib(context, &transaction, change).await?;
            keep_links(context, &transaction, ids.external.into(), &form.fields).await?;
            derived
        }
        RecordKind::Holdings => update_holdings(context, &transaction, change).await?,
        RecordKind::Authority => update_authority(context, &transaction, change).await?,
    };
    transaction.commit().await?;
    Ok(derived)
}

/// Whether the version that a client sends covers the stored record. A change of fields from which
/// nothing is derived does not change the instance's version. A client with an older generation has
/// therefore not seen the change, unless the instance was written with it or later.
async fn covers(
    context: &Context<'_>,
    form: &Form,
    ids: &Ids,
    current: &Current,
) -> Result<bool, Refusal> {
    if ids.parsed_record == current.id {
        return Ok(true);
    }
    let table = match form.kind {
        RecordKind::Bib => "instance",
        RecordKind::Holdings => "holdings_record",
        RecordKind::Authority => "authority",
    };
    let (database, collection) = (&context.store.database, context.collection(table));
    let described = fetch(database, context.tenant, collection, ids.external).await?;
    // A missing record is reported later.
    let Some(described) = described else {
        return Ok(true);
    };
    let stored = &current.document;
    let stored = instant_of(
        stored.get("metadata").unwrap_or(&Value::Null),
        "createdDate",
    );
    let written = instant_of(&described["metadata"], "updatedDate");
    Ok(written.is_some() && written >= stored)
}

fn instant_of(metadata: &Value, name: &str) -> Option<Timestamp> {
    instant::parse(metadata[name].as_str()?)
}

/// Stores a new record and what is derived from it; returns the creation status that R1-2025's editor
/// polls.
#[boxed]
pub async fn create(context: &Context<'_>, form: &Form) -> Result<Value, Refusal> {
    look(form, Some("001"))?;
    let record = read(context, form, None)?;
    let mapping = mapping_of(context, form.kind).await?;
    let transaction = context.store.database.transaction().await?;
    let snapshot_id = snapshot(context, &transaction).await?;
    let change = Change {
        foreign_number: ForeignNumber::Drop,
        suppress_discovery: Some(form.suppress_discovery),
        ..Change::new(record, snapshot_id, &mapping)
    };
    let derived = match form.kind {
        RecordKind::Bib => create_bib(context, &transaction, change).await?,
        RecordKind::Holdings => create_holdings(context, &transaction, change).await?,
        RecordKind::Authority => create_authority(context, &transaction, change).await?,
    };
    transaction.commit().await?;
    let at = json!(instant::format(context.stamp.at));
    Ok(status(
        derived.record_id.uuid(),
        &json!(derived.entity_id),
        &json!(snapshot_id),
        &at,
    ))
}

/// The creation status of a record. Creation is complete before the first response, so no status is
/// stored: the record itself has the id that the editor polls.
#[boxed]
pub async fn creation_status(context: &Context<'_>, id: Uuid) -> Result<Option<Value>, StoreError> {
    let collection = context.collection("source_record");
    let database = &context.store.database;
    let Some(record) = fetch(database, context.tenant, collection, id).await? else {
        return Ok(None);
    };
    let ids = &record["externalIdsHolder"];
    let external = match record["recordType"].as_str() {
        Some("MARC_HOLDING") => &ids["holdingsId"],
        Some("MARC_AUTHORITY") => &ids["authorityId"],
        _ => &ids["instanceId"],
    };
    let made = &record["metadata"]["createdDate"];
    Ok(Some(status(id, external, &record["snapshotId"], made)))
}

fn status(id: Uuid, external: &Value, job: &Value, at: &Value) -> Value {
    json!({
        "qmRecordId": id,
        "externalId": external,
        "marcId": id,
        "jobExecutionId": job,
        "status": "CREATED",
        "metadata": {"createdAt": at, "updatedAt": at},
    })
}

/// The issues of a form. A field with the tag `added` is added when the record is stored, so it is not
/// required.
#[must_use]
pub fn validated(form: &Form, added: Option<&str>) -> Vec<Issue> {
    issues(form.kind, &form.leader, &checked(&form.fields), added)
}

/// Refuses an invalid form.
fn look(form: &Form, added: Option<&str>) -> Result<(), Refusal> {
    let errors: Vec<Issue> = validated(form, added)
        .into_iter()
        .filter(|issue| issue.severity == Severity::Error)
        .collect();
    if !errors.is_empty() {
        return Err(Refusal::Invalid(errors));
    }
    match wrong_fields(form) {
        wrong if wrong.is_empty() => Ok(()),
        wrong => Err(Refusal::Fields(wrong)),
    }
}

fn read(context: &Context<'_>, form: &Form, stored: Option<&Record>) -> Result<Record, Refusal> {
    let today = context.stamp.at.to_zoned(TimeZone::UTC).date();
    Ok(read_record(
        &form.leader,
        &form.fields,
        form.kind,
        stored,
        today,
    )?)
}

/// Every edit has a snapshot of its own.
pub(super) async fn snapshot(
    context: &Context<'_>,
    transaction: &Transaction,
) -> Result<SnapshotId, StoreError> {
    let id = SnapshotId::from(Uuid::new_v4());
    let document = json!({
        "id": id,
        "jobExecutionId": id,
        "status": "COMMITTED",
        "processingStartedDate": instant::format(context.stamp.at),
    });
    let document: Map<String, Value> = match document {
        Value::Object(document) => document,
        _ => Map::new(),
    };
    let collection = context.collection("snapshot");
    insert(
        transaction,
        context.tenant,
        collection,
        document,
        &context.stamp,
    )
    .await?;
    Ok(id)
}
