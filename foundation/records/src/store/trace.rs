//! The traces of a write: its domain event in the outbox and its row in the audit table. Both are
//! parts of the statement that writes, so that neither can be missing.

use crate::collection::{Collection, EventExtra};
use crate::expression::{json_at, quote, text_at};
use crate::tenant::Tenant;

/// The instant of an audit row in FOLIO's notation.
const NOW: &str = "to_char(clock_timestamp() AT TIME ZONE 'UTC', \
                   'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')";

/// A change of records, as expressions over the rows of `from`, which have an `id`. The expressions
/// qualify their columns, since they are combined with others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    /// The record before.
    pub old: Option<&'a str>,
    /// The record after.
    pub new: Option<&'a str>,
    /// The common table expressions with these columns.
    pub from: &'a str,
}

impl Change<'_> {
    fn kind(self) -> &'static str {
        match (self.old, self.new) {
            (None, _) => "CREATE",
            (Some(_), Some(_)) => "UPDATE",
            (Some(_), None) => "DELETE",
        }
    }

    /// FOLIO's letter of the operation.
    fn letter(self) -> char {
        match self.kind() {
            "CREATE" => 'I',
            "UPDATE" => 'U',
            _ => 'D',
        }
    }
}

/// The parts of a statement that record the change; empty where the collection has neither events
/// nor audit.
pub(super) fn traces(tenant: &Tenant, collection: &Collection, change: Change<'_>) -> String {
    event(tenant, collection, change) + &audit(tenant, collection, change)
}

fn event(tenant: &Tenant, collection: &Collection, change: Change<'_>) -> String {
    let Some(topic) = &collection.topic else {
        return String::new();
    };
    let extended = |record: Option<&str>| match (record, &collection.event_extra) {
        (None, _) => "NULL".to_owned(),
        (Some(record), None) => record.to_owned(),
        (Some(record), Some(extra)) => event_record(tenant, collection, extra, record),
    };
    format!(
        ", event AS (INSERT INTO {}.outbox (topic, key, type, old, new) \
         SELECT {}, id, '{}', {}, {} FROM {})",
        tenant.schema(),
        quote(topic),
        change.kind(),
        extended(change.old),
        extended(change.new),
        change.from
    )
}

/// The record with the event's further property, read in the same statement: later the other record
/// may be deleted.
fn event_record(
    tenant: &Tenant,
    collection: &Collection,
    extra: &EventExtra,
    record: &str,
) -> String {
    let Some(reference) = collection.reference_on(&extra.by) else {
        return record.to_owned();
    };
    let by = text_at(&extra.by);
    format!(
        "{record} || jsonb_build_object({}, (SELECT told.{} FROM {}.{} AS told \
         WHERE told.id = ({record}{})::uuid))",
        quote(&extra.name),
        json_at(&extra.name),
        tenant.schema(),
        reference.table,
        by.trim_start_matches("jsonb"),
    )
}

/// The part that writes the record to the audit table.
pub(super) fn audit(tenant: &Tenant, collection: &Collection, change: Change<'_>) -> String {
    let letter = change.letter();
    let kept = collection.audit.as_ref().filter(|one| one.keeps(letter));
    let (Some(audit), Some(record)) = (kept, change.new.or(change.old)) else {
        return String::new();
    };
    format!(
        ", audit AS (INSERT INTO {}.{} (id, jsonb) SELECT row_id, jsonb_build_object('id', row_id, \
         {}, record, 'operation', '{letter}', 'createdDate', {NOW}) \
         FROM (SELECT gen_random_uuid() AS row_id, {record} AS record FROM {}) AS kept)",
        tenant.schema(),
        audit.table,
        quote(&audit.field),
        change.from
    )
}
