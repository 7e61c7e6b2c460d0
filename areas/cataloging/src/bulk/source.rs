//! The source record of a new instance as stored JSON, written without building a JSON tree: it is the
//! longest document of a record, and a load has many.

use octavo_library::{SnapshotId, SourceRecordId};
use octavo_marc::{DataField, Field, Record, Subfield, write_iso2709};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;
use uuid::Uuid;

/// The parts of a source record.
pub(super) struct Source<'a> {
    pub id: SourceRecordId,
    pub snapshot_id: SnapshotId,
    pub instance_id: Uuid,
    pub instance_hrid: &'a str,
    /// The record's position in its snapshot, from 0.
    pub order: u64,
    /// The record as text.
    pub raw: &'a str,
    pub record: &'a Record,
    pub deleted: bool,
    pub suppressed: bool,
    pub metadata: &'a Value,
}

/// The record statuses that FOLIO accepts in the leader.
const STATUSES: &str = "acdnposx";

impl Source<'_> {
    pub(super) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(self.raw.len() * 5 + 1024);
        self.serialize(&mut serde_json::Serializer::new(&mut bytes))?;
        Ok(bytes)
    }
}

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("snapshotId", &self.snapshot_id)?;
        map.serialize_entry("matchedId", &self.id)?;
        map.serialize_entry("generation", &0)?;
        map.serialize_entry("recordType", "MARC_BIB")?;
        map.serialize_entry("rawRecord", &Raw(self))?;
        map.serialize_entry("parsedRecord", &Parsed(self))?;
        map.serialize_entry("deleted", &self.deleted)?;
        map.serialize_entry("order", &self.order)?;
        map.serialize_entry("externalIdsHolder", &ExternalIds(self))?;
        map.serialize_entry("additionalInfo", &Additional(self))?;
        let state = if self.deleted { "DELETED" } else { "ACTUAL" };
        map.serialize_entry("state", state)?;
        let status = self.record.leader.status();
        if STATUSES.contains(status) {
            map.serialize_entry("leaderRecordStatus", &status)?;
        }
        map.serialize_entry("metadata", self.metadata)?;
        map.end()
    }
}

struct Raw<'a>(&'a Source<'a>);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("id", &self.0.id)?;
        map.serialize_entry("content", self.0.raw)?;
        map.end()
    }
}

struct Parsed<'a>(&'a Source<'a>);

impl Serialize for Parsed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("id", &self.0.id)?;
        map.serialize_entry("content", &Content(self.0.record))?;
        map.serialize_entry("formattedContent", &self.0.record.to_string())?;
        map.end()
    }
}

struct ExternalIds<'a>(&'a Source<'a>);

impl Serialize for ExternalIds<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("instanceId", &self.0.instance_id)?;
        map.serialize_entry("instanceHrid", self.0.instance_hrid)?;
        map.end()
    }
}

struct Additional<'a>(&'a Source<'a>);

impl Serialize for Additional<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("suppressDiscovery", &self.0.suppressed)?;
        map.end()
    }
}

/// FOLIO's MARC in JSON, the same as `Record::to_json`.
struct Content<'a>(&'a Record);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("leader", self.0.leader.as_str())?;
        map.serialize_entry("fields", &Fields(&self.0.fields))?;
        map.end()
    }
}

struct Fields<'a>(&'a [Field]);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for field in self.0 {
            list.serialize_element(&OneField(field))?;
        }
        list.end()
    }
}

struct OneField<'a>(&'a Field);

impl Serialize for OneField<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self.0 {
            Field::Control(control) => {
                map.serialize_entry(control.tag.as_str(), &control.value)?;
            }
            Field::Data(data) => map.serialize_entry(data.tag.as_str(), &Data(data))?,
        }
        map.end()
    }
}

struct Data<'a>(&'a DataField);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [first, second] = self.0.indicators;
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("ind1", &first)?;
        map.serialize_entry("ind2", &second)?;
        map.serialize_entry("subfields", &Subfields(&self.0.subfields))?;
        map.end()
    }
}

struct Subfields<'a>(&'a [Subfield]);

impl Serialize for Subfields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for subfield in self.0 {
            list.serialize_element(&OneSubfield(subfield))?;
        }
        list.end()
    }
}

struct OneSubfield<'a>(&'a Subfield);

impl Serialize for OneSubfield<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        let mut buffer = [0; 4];
        let code: &str = self.0.code.encode_utf8(&mut buffer);
        map.serialize_entry(code, &self.0.value)?;
        map.end()
    }
}

/// The raw record as text, and its bytes if the text does not represent them exactly. `record` is the
/// parsed record.
#[must_use]
pub fn raw(bytes: Vec<u8>, record: &Record) -> (String, Option<Vec<u8>>) {
    match String::from_utf8(bytes) {
        Ok(text) if !text.is_empty() && !text.contains('\0') => (text, None),
        Ok(text) => (transcribed(record), Some(text.into_bytes())),
        Err(error) => (transcribed(record), Some(error.into_bytes())),
    }
}

/// The record in UTF-8 as ISO 2709 if it fits; else as JSON.
fn transcribed(record: &Record) -> String {
    match write_iso2709(record).map(String::from_utf8) {
        Ok(Ok(text)) => text,
        _ => record.to_json().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;
    use serde_json::json;

    use super::*;

    #[test]
    fn content_is_the_same_as_folios_marc_in_json() {
        let text =
            "001 in1\n245 10$aBridges \"and\" /$cA. Mason\n650  0$aA$xB\n651  0$aC\n650  7$aD";
        let record = parse_text(text).unwrap();
        let written = serde_json::to_string(&Content(&record)).unwrap();
        assert_eq!(written, record.to_json().to_string());
    }

    #[test]
    fn a_source_record_has_what_folios_has() {
        let record = parse_text("001 in1\n245 10$aBridges").unwrap();
        let metadata = json!({"createdDate": "now"});
        let (id, instance_id) = (SourceRecordId::from_u128(1), Uuid::from_u128(2));
        let source = Source {
            id,
            snapshot_id: SnapshotId::from_u128(3),
            instance_id,
            instance_hrid: "in1",
            order: 4,
            raw: "as it came",
            record: &record,
            deleted: true,
            suppressed: true,
            metadata: &metadata,
        };
        let written: Value = serde_json::from_slice(&source.to_bytes().unwrap()).unwrap();
        let expected = json!({
            "id": id,
            "snapshotId": Uuid::from_u128(3),
            "matchedId": id,
            "generation": 0,
            "recordType": "MARC_BIB",
            "rawRecord": {"id": id, "content": "as it came"},
            "parsedRecord": {
                "id": id,
                "content": record.to_json(),
                "formattedContent": record.to_string(),
            },
            "deleted": true,
            "order": 4,
            "externalIdsHolder": {"instanceId": instance_id, "instanceHrid": "in1"},
            "additionalInfo": {"suppressDiscovery": true},
            "state": "DELETED",
            "metadata": metadata,
        });
        let mut expected = expected;
        if let Some(status) = written.get("leaderRecordStatus") {
            expected["leaderRecordStatus"] = status.clone();
        }
        assert_eq!(written, expected);
    }

    #[test]
    fn text_is_kept_as_it_is_and_other_bytes_beside_it() {
        let record = parse_text("245 10$aCaf\u{e9}").unwrap();
        assert_eq!(raw(b"plain".to_vec(), &record), ("plain".to_owned(), None));
        for bytes in [&b"Cafe\xe2"[..], b"a\0b", b""] {
            let (text, kept) = raw(bytes.to_vec(), &record);
            assert!(text.contains("Caf\u{e9}"), "{text}");
            assert_eq!(kept.as_deref(), Some(bytes));
        }
    }
}
