//! Prepares a source record for storing: parses, formats and checks its MARC, and sets the ids of its
//! parts.

use octavo_inventory::rules::source_record::put_marc;
use octavo_library::{MatchedId, SourceRecordId};
use octavo_marc::{DataField, Field, Record, Subfield, Tag};
use octavo_records::Violation;
use serde_json::{Map, Value, json};

use super::refusal::Refusal;

/// The tag of the catalogue's own field, and its indicators.
const OWN_TAG: &str = "999";
const OWN_INDICATORS: [char; 2] = ['f', 'f'];

/// The highest number of a generation that a client may name: FOLIO's is a 32-bit integer; the limit
/// leaves room for following generations.
const GENERATION_MAX: i64 = i32::MAX as i64;

/// Checks a sent number of a generation.
pub fn check_generation(document: &Map<String, Value>) -> Result<(), Violation> {
    match document.get("generation").and_then(Value::as_i64) {
        Some(number) if !(0..=GENERATION_MAX).contains(&number) => Err(Violation {
            message: format!("must be between 0 and {GENERATION_MAX}"),
            code: "-1",
            path: "generation".to_owned(),
            value: number.to_string(),
        }),
        _ => Ok(()),
    }
}

/// FOLIO's pattern of the leader's status.
const LEADER_STATUS: &str = "^[a|c|d|n|p|o|s|x]{1}$";

/// Checks a sent status of the leader.
pub fn check_leader_status(document: &Map<String, Value>) -> Result<(), Violation> {
    let status = document.get("leaderRecordStatus").and_then(Value::as_str);
    match status {
        Some(status) if status.len() != 1 || !status.contains(LEADER_STATUSES) => Err(Violation {
            message: format!("must match \"{LEADER_STATUS}\""),
            code: "jakarta.validation.constraints.Pattern.message",
            path: "leaderRecordStatus".to_owned(),
            value: status.chars().take(100).collect(),
        }),
        _ => Ok(()),
    }
}

const LEADER_STATUSES: [char; 9] = ['a', '|', 'c', 'd', 'n', 'p', 'o', 's', 'x'];

/// The state of a replaced generation: the sent one, else the stored one. Only one generation is
/// current: replacing an old one by an earlier copy does not make it current while another is.
#[must_use]
pub fn state_in_place(sent: Option<&Value>, stored: &Value, other_is_current: bool) -> Value {
    let is_current = |state: &Value| state == "ACTUAL" || state == "DELETED";
    match sent {
        Some(sent) if !(other_is_current && is_current(sent)) => sent.clone(),
        _ if stored.is_null() => json!("ACTUAL"),
        _ => stored.clone(),
    }
}

/// A source record as a client sent it, its shape checked.
#[derive(Debug)]
pub struct Form {
    pub document: Map<String, Value>,
    /// Its MARC, if it is readable MARC.
    pub marc: Option<Record>,
    /// Why its MARC is unreadable.
    pub unreadable: Option<String>,
}

impl Form {
    /// Reads a document. Unreadable MARC makes an error record, as in FOLIO: it is stored with the
    /// error.
    #[must_use]
    pub fn read(mut document: Map<String, Value>) -> Form {
        let marc = document["recordType"] != "EDIFACT";
        let content = document
            .get("parsedRecord")
            .map(|parsed| parsed["content"].clone());
        let Some(content) = content.filter(|_| marc) else {
            return Form {
                document,
                marc: None,
                unreadable: None,
            };
        };
        match read_marc(&content) {
            Ok(marc) => Form {
                document,
                marc: Some(marc),
                unreadable: None,
            },
            Err(description) => {
                document.shift_remove("parsedRecord");
                document.shift_remove("leaderRecordStatus");
                let error = json!({"description": description, "content": content});
                document.insert("errorRecord".to_owned(), error);
                Form {
                    document,
                    marc: None,
                    unreadable: Some(description),
                }
            }
        }
    }

    /// Checks that a bibliographic record has its instance's id and its HRID as control number.
    ///
    /// # Errors
    /// When it does not.
    pub fn require_instance(&self) -> Result<(), Refusal> {
        let known = |id: &str| self.external(id).is_some_and(|value| !value.is_empty());
        let numbered = self.marc.as_ref().and_then(|marc| marc.control("001"));
        if self.document["recordType"] != "MARC_BIB"
            || known("instanceId")
                && known("instanceHrid")
                && numbered.is_some_and(|n| !n.is_empty())
        {
            Ok(())
        } else {
            Err(Refusal::ExternalIdsMissing)
        }
    }

    /// The id in the record's own field, if there is one.
    #[must_use]
    pub fn matched_id_in_marc(&self) -> Option<&str> {
        let marc = self.marc.as_ref()?;
        let mut own = marc
            .data(OWN_TAG)
            .filter(|field| field.indicators == OWN_INDICATORS);
        own.find_map(|field| field.get('s'))
    }

    /// The property and the id of what the record describes.
    #[must_use]
    pub fn described(&self) -> Option<(&'static str, &str)> {
        let name = match self.document["recordType"].as_str()? {
            "MARC_BIB" => "instanceId",
            "MARC_HOLDING" => "holdingsId",
            "MARC_AUTHORITY" => "authorityId",
            _ => return None,
        };
        Some((name, self.external(name)?))
    }

    /// Whether it is to be the current generation.
    #[must_use]
    pub fn is_actual(&self) -> bool {
        let state = self.document.get("state");
        state.is_none_or(|state| state == "ACTUAL")
    }

    fn external(&self, name: &str) -> Option<&str> {
        self.document.get("externalIdsHolder")?.get(name)?.as_str()
    }

    /// Sets the id shared by its generations.
    pub fn set_matched_id(&mut self, matched_id: MatchedId) {
        self.document
            .insert("matchedId".to_owned(), json!(matched_id));
        let Some(marc) = &mut self.marc else { return };
        let subfield = Subfield {
            code: 's',
            value: matched_id.to_string(),
        };
        let own = marc.fields.iter_mut().find_map(|field| match field {
            Field::Data(data) if data.tag == OWN_TAG && data.indicators == OWN_INDICATORS => {
                Some(data)
            }
            _ => None,
        });
        match own {
            Some(own) if own.get('s').is_some() => {}
            Some(own) => own.subfields.push(subfield),
            None => marc.fields.push(Field::Data(DataField {
                tag: Tag::new(OWN_TAG).expect("invariant: a tag of three digits"),
                indicators: OWN_INDICATORS,
                subfields: vec![subfield],
            })),
        }
    }

    /// The document to store under this id.
    #[must_use]
    pub fn finish(self, id: SourceRecordId) -> Map<String, Value> {
        let Form {
            mut document, marc, ..
        } = self;
        if let Some(marc) = marc {
            put_marc(&mut document, &marc);
        }
        document.insert("id".to_owned(), json!(id));
        for part in ["rawRecord", "parsedRecord", "errorRecord"] {
            if let Some(Value::Object(part)) = document.get_mut(part) {
                part.insert("id".to_owned(), json!(id));
            }
        }
        document.entry("state").or_insert_with(|| json!("ACTUAL"));
        document.entry("deleted").or_insert(Value::Bool(false));
        let additional = document
            .entry("additionalInfo")
            .or_insert_with(|| json!({}));
        if let Value::Object(additional) = additional {
            additional
                .entry("suppressDiscovery")
                .or_insert(Value::Bool(false));
        }
        document
    }
}

/// MARC in JSON, as an object or a string.
fn read_marc(content: &Value) -> Result<Record, String> {
    match content {
        Value::String(text) => {
            let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            Record::from_json(&value).map_err(|error| error.to_string())
        }
        value => Record::from_json(value).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(content: Value) -> Form {
        let document = json!({
            "recordType": "MARC_BIB",
            "rawRecord": {"content": "raw"},
            "parsedRecord": {"content": content},
            "externalIdsHolder": {"instanceId": "7", "instanceHrid": "in7"},
        });
        let Value::Object(document) = document else {
            unreachable!("an object")
        };
        Form::read(document)
    }

    #[test]
    fn marc_is_formatted_and_its_parts_share_an_id() {
        let marc = json!({"leader": "00000cam a2200000   4500", "fields": [{"001": "in7"}]});
        for content in [marc.clone(), json!(marc.to_string())] {
            let mut form = form(content);
            form.require_instance()
                .expect("instance, HRID and 001 are there");
            let id = SourceRecordId::from_u128(7);
            form.set_matched_id(id.into());
            assert_eq!(form.matched_id_in_marc(), Some(id.to_string().as_str()));
            let stored = form.finish(id);
            assert_eq!(stored["rawRecord"]["id"], json!(id));
            assert_eq!(stored["parsedRecord"]["id"], json!(id));
            assert_eq!(
                stored["parsedRecord"]["formattedContent"],
                format!("LEADER 00000cam a2200000   4500\n001 in7\n999 ff$s{id}\n")
            );
            assert_eq!(stored["leaderRecordStatus"], "c");
            assert_eq!(stored["state"], "ACTUAL");
            assert_eq!(
                stored["additionalInfo"],
                json!({"suppressDiscovery": false})
            );
        }
    }

    #[test]
    fn a_generation_is_a_number_that_others_can_follow() {
        for (number, fits) in [
            (json!(0), true),
            (json!(2_147_483_647), true),
            (json!(2_147_483_648_i64), false),
            (json!(i64::MAX), false),
            (json!(-1), false),
        ] {
            let document = json!({"generation": number});
            let document = document.as_object().expect("an object");
            assert_eq!(check_generation(document).is_ok(), fits, "{number}");
        }
        assert_eq!(check_generation(&Map::new()), Ok(()));
        for (status, fits) in [
            ("c", true),
            ("|", true),
            ("b", false),
            ("", false),
            ("cc", false),
        ] {
            let document = json!({"leaderRecordStatus": status});
            let document = document.as_object().expect("an object");
            assert_eq!(check_leader_status(document).is_ok(), fits, "{status}");
        }
    }

    #[test]
    fn an_old_generation_stays_old_beside_a_current_one() {
        for (sent, stored, other_is_current, state) in [
            (None, "OLD", true, "OLD"),
            (None, "ACTUAL", false, "ACTUAL"),
            (None, "DELETED", false, "DELETED"),
            (Some("ACTUAL"), "OLD", true, "OLD"),
            (Some("ACTUAL"), "OLD", false, "ACTUAL"),
            (Some("DRAFT"), "OLD", true, "DRAFT"),
            (Some("OLD"), "ACTUAL", false, "OLD"),
            (Some("DELETED"), "ACTUAL", false, "DELETED"),
        ] {
            let sent = sent.map(|state| json!(state));
            let found = state_in_place(sent.as_ref(), &json!(stored), other_is_current);
            assert_eq!(found, state, "{sent:?} {stored} {other_is_current}");
        }
        assert_eq!(state_in_place(None, &Value::Null, false), "ACTUAL");
    }

    #[test]
    fn marc_that_cannot_be_read_is_kept_as_an_error() {
        let form = form(json!("{\"leader\""));
        assert!(form.require_instance().is_err());
        let stored = form.finish(SourceRecordId::from_u128(7));
        assert!(!stored.contains_key("parsedRecord"));
        assert_eq!(stored["errorRecord"]["content"], "{\"leader\"");
    }
}
