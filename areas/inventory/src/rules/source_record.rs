//! The mark of deletion in a source record: in its state, its visibility, and in the MARC itself.

use jiff::Timestamp;
use octavo_marc::{ControlField, Field, Record, Tag};
use serde_json::{Map, Value, json};

/// Marks a stored source record as deleted, or takes the mark off again: state, leader position 5,
/// date of last transaction, suppressed from discovery.
pub fn mark(record: &mut Map<String, Value>, deleted: bool, at: Timestamp) {
    let state = if deleted { "DELETED" } else { "ACTUAL" };
    record.insert("state".to_owned(), json!(state));
    record.insert("deleted".to_owned(), json!(deleted));
    suppress(record, deleted);
    let content = record.get("parsedRecord").map(|parsed| &parsed["content"]);
    if let Some(Ok(mut marc)) = content.map(Record::from_json) {
        marc.leader.set(5, if deleted { 'd' } else { 'c' });
        set_last_transaction(&mut marc, at);
        put_marc(record, &marc);
    }
}

/// Sets whether what the record describes is hidden from discovery.
pub fn suppress(record: &mut Map<String, Value>, suppressed: bool) {
    let additional = record.entry("additionalInfo").or_insert_with(|| json!({}));
    if let Value::Object(additional) = additional {
        additional.insert("suppressDiscovery".to_owned(), json!(suppressed));
    }
}

/// Field 005: when the record was last changed, to a tenth of a second.
fn set_last_transaction(marc: &mut Record, at: Timestamp) {
    let value = at.strftime("%Y%m%d%H%M%S.0").to_string();
    for field in &mut marc.fields {
        if let Field::Control(control) = field
            && control.tag == "005"
        {
            control.value = value;
            return;
        }
    }
    let tag = Tag::new("005").expect("invariant: a tag of three digits");
    let place = marc.fields.iter().position(|field| field.tag() > tag);
    let place = place.unwrap_or(marc.fields.len());
    marc.fields
        .insert(place, Field::Control(ControlField { tag, value }));
}

/// MARC as the parsed and the formatted part of a document.
pub fn put_marc(document: &mut Map<String, Value>, marc: &Record) {
    let parsed = document.entry("parsedRecord").or_insert_with(|| json!({}));
    parsed["content"] = marc.to_json();
    parsed["formattedContent"] = json!(marc.to_string());
    let status = marc.leader.status();
    if "acdnposx".contains(status) {
        document.insert("leaderRecordStatus".to_owned(), json!(status.to_string()));
    } else {
        document.shift_remove("leaderRecordStatus");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(content: Value) -> Map<String, Value> {
        let record = json!({"state": "ACTUAL", "parsedRecord": {"content": content}});
        record.as_object().cloned().expect("an object")
    }

    #[test]
    fn the_mark_stands_in_the_record_and_in_its_marc_and_goes_again() {
        let at = "2026-03-01T12:30:45Z".parse().expect("an instant");
        let leader = "00000nam a2200000 a 4500";
        let content = json!({"leader": leader, "fields": [{"001": "in1"}, {"008": "x"}]});
        let mut marked = record(content);
        mark(&mut marked, true, at);
        assert_eq!(marked["state"], "DELETED");
        assert_eq!(marked["deleted"], true);
        assert_eq!(marked["additionalInfo"]["suppressDiscovery"], true);
        assert_eq!(marked["leaderRecordStatus"], "d");
        let content = &marked["parsedRecord"]["content"];
        assert_eq!(content["leader"].as_str().map(|it| &it[5..6]), Some("d"));
        assert_eq!(content["fields"][1], json!({"005": "20260301123045.0"}));
        mark(&mut marked, false, at);
        assert_eq!(marked["state"], "ACTUAL");
        assert_eq!(marked["leaderRecordStatus"], "c");
        let fields = marked["parsedRecord"]["content"]["fields"].as_array();
        assert_eq!(fields.map(Vec::len), Some(3));
    }

    #[test]
    fn a_record_that_is_no_marc_is_marked_all_the_same() {
        let mut marked = record(json!("nonsense"));
        mark(&mut marked, true, Timestamp::UNIX_EPOCH);
        assert_eq!(marked["state"], "DELETED");
        assert_eq!(marked["parsedRecord"], json!({"content": "nonsense"}));
    }
}
