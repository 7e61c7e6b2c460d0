//! The MARC record of an instance as source record storage holds it, and the snapshot that it
//! belongs to.

use octavo_marc::{Field, Leader, Record, write_iso2709};
use uuid::Uuid;

use super::marc::{description, own_field};
use super::{Audit, Instance, hrid};
use crate::document::{Document, table};
use crate::json::Json;

/// The source record of one instance, in its first generation.
pub(crate) struct SourceRecord<'a> {
    pub id: Uuid,
    pub snapshot_id: Uuid,
    pub instance: &'a Instance<'a>,
}

/// A snapshot: a completed load of source records.
pub(crate) struct Snapshot {
    pub id: Uuid,
    pub audit: Audit,
}

impl SourceRecord<'_> {
    pub(crate) fn document(&self) -> Document {
        let (marc, raw) = self.marc();
        let json = Json::object(4_500, |json| {
            json.id("id", self.id);
            json.id("snapshotId", self.snapshot_id);
            json.id("matchedId", self.id);
            json.number("generation", 0);
            json.text("recordType", "MARC_BIB");
            json.nested("rawRecord", |json| {
                json.id("id", self.id);
                json.text("content", &raw);
            });
            json.nested("parsedRecord", |json| {
                json.id("id", self.id);
                json.nested("content", |json| marc_in_json(json, &marc));
                json.text("formattedContent", &marc.to_string());
            });
            json.flag("deleted", false);
            json.number("order", self.instance.number.saturating_sub(1));
            json.nested("externalIdsHolder", |json| {
                json.id("instanceId", self.instance.id);
                json.text("instanceHrid", &hrid("in", self.instance.number));
            });
            json.nested("additionalInfo", |json| {
                json.flag("suppressDiscovery", false);
            });
            json.text("state", "ACTUAL");
            json.text("leaderRecordStatus", &marc.leader.status().to_string());
            self.instance.audit.write(json);
        });
        Document {
            table: table::SOURCE_RECORD,
            id: self.id,
            json,
        }
    }

    /// The record linked to its instance, and the record as loaded, in ISO 2709. The leader of both
    /// has the length of the latter.
    fn marc(&self) -> (Record, String) {
        let mut record = description(self.instance);
        let raw = write_iso2709(&record)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .expect("invariant: our records are short and without delimiters in their texts");
        record.leader = Leader::from_bytes(raw.as_bytes());
        record.fields.push(own_field(
            &self.instance.id.to_string(),
            &self.id.to_string(),
        ));
        (record, raw)
    }
}

/// FOLIO's MARC in JSON, as `Record::to_json` makes it, but written without a tree: this is the
/// longest part of the longest document of a library.
fn marc_in_json(json: &mut Json, record: &Record) {
    json.text("leader", record.leader.as_str());
    json.list("fields", |json| {
        for field in &record.fields {
            json.element(|json| match field {
                Field::Control(control) => json.text(control.tag.as_str(), &control.value),
                Field::Data(data) => json.nested(data.tag.as_str(), |json| {
                    let mut buffer = [0; 4];
                    let [first, second] = data.indicators;
                    json.text("ind1", first.encode_utf8(&mut buffer));
                    json.text("ind2", second.encode_utf8(&mut buffer));
                    json.list("subfields", |json| {
                        for subfield in &data.subfields {
                            let code = subfield.code.encode_utf8(&mut buffer);
                            json.element(|json| json.text(code, &subfield.value));
                        }
                    });
                }),
            });
        }
    });
}

impl Snapshot {
    pub(crate) fn document(&self) -> Document {
        let json = Json::object(400, |json| {
            json.id("id", self.id);
            json.id("jobExecutionId", self.id);
            json.text("status", "COMMITTED");
            json.instant("processingStartedDate", self.audit.created);
            self.audit.write(json);
        });
        Document {
            table: table::SNAPSHOT,
            id: self.id,
            json,
        }
    }
}
