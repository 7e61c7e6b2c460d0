//! Reads and replaces whole MARC records, not in the editor's form.

use octavo_boxed::boxed;
use octavo_mapping::RecordKind;
use octavo_marc::Record;
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use super::edit::snapshot;
use super::show::{current_of, kind_of_source};
use super::{Context, mapping_of};
use crate::derive::{
    Change, Expected, ForeignNumber, Refusal, update_authority, update_bib, update_holdings,
};

/// A record to replace a stored one.
#[derive(Debug)]
pub struct Sent {
    pub kind: RecordKind,
    /// The instance, holdings record or authority.
    pub external: Uuid,
    pub record: Record,
    /// The `_version` of what it describes, as the client has read it.
    pub version: i64,
    /// Whether it is hidden from discovery.
    pub suppress_discovery: Option<bool>,
}

/// The current record of this instance, holdings record or authority, in FOLIO's form; `None` when there
/// is none.
#[boxed]
pub async fn shown(context: &Context<'_>, external: Uuid) -> Result<Option<Value>, StoreError> {
    let Some(current) = current_of(context, external).await? else {
        return Ok(None);
    };
    let document = &current.document;
    if kind_of_source(document).is_none() {
        return Ok(None);
    }
    let of = |name: &str| document.get(name).cloned().unwrap_or_default();
    let mut parsed = of("parsedRecord");
    if let Value::Object(parsed) = &mut parsed {
        parsed.shift_remove("formattedContent");
    }
    let mut view = json!({
        "id": current.matched_id().unwrap_or(current.id.into()),
        "recordType": of("recordType"),
        "parsedRecord": parsed,
        "recordState": "ACTUAL",
    });
    for name in ["externalIdsHolder", "additionalInfo", "metadata"] {
        if let Some(value) = document.get(name) {
            view[name] = value.clone();
        }
    }
    Ok(Some(view))
}

/// Replaces a record and changes what is derived from it.
///
/// # Errors
/// When there is none, of a version conflict, or when nothing can be derived from it.
#[boxed]
pub async fn replaced(context: &Context<'_>, sent: Sent) -> Result<(), Refusal> {
    let mapping = mapping_of(context, sent.kind).await?;
    let transaction = context.store.database.transaction().await?;
    let snapshot_id = snapshot(context, &transaction).await?;
    let change = Change {
        entity_id: Some(sent.external),
        expected: Expected {
            version: Some(sent.version),
            ..Expected::default()
        },
        foreign_number: ForeignNumber::Drop,
        suppress_discovery: sent.suppress_discovery,
        undeletes: true,
        ..Change::new(sent.record, snapshot_id, &mapping)
    };
    match sent.kind {
        RecordKind::Bib => update_bib(context, &transaction, change).await?,
        RecordKind::Holdings => update_holdings(context, &transaction, change).await?,
        RecordKind::Authority => update_authority(context, &transaction, change).await?,
    };
    transaction.commit().await?;
    Ok(())
}
