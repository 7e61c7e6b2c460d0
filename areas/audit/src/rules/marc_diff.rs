//! What differs between two versions of a MARC record, field by field, in mod-audit's texts: `10 $a Title $b rest`.
//!
//! Fields of one tag are one value, or a set where the tag is repeated. The date of the last transaction (005) and
//! the record's own ids (999 ff) are no change.

use serde_json::{Map, Value, json};

use super::change;

/// The tag of the leader.
const LEADER: &str = "LDR";
const LAST_TRANSACTION: &str = "005";
const OWN_IDS: &str = "999";

/// The fields of one tag, as texts.
type Fields = Vec<(String, Vec<String>)>;

/// All fields of a record, as those of a new or a deleted one.
#[must_use]
pub fn whole(content: &Value, is_new: bool) -> Option<Value> {
    let mut changes = Vec::new();
    for (tag, texts) in fields(content) {
        changes.extend(each(&tag, texts, is_new));
    }
    change::diff(changes, Vec::new())
}

/// The differences between two contents; none where there is none.
#[must_use]
pub fn differences(old: &Value, new: &Value) -> Option<Value> {
    let (old, new) = (fields(old), fields(new));
    let of = |fields: &Fields, tag: &str| {
        let found = fields.iter().find(|one| one.0 == tag);
        found.map(|one| one.1.clone())
    };
    let (mut changes, mut modified, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for (tag, texts) in &new {
        match of(&old, tag) {
            None => changes.extend(each(tag, texts.clone(), true)),
            Some(_) if tag == LAST_TRANSACTION => {}
            Some(was) => compare(tag, was, texts.clone(), &mut modified, &mut lists),
        }
    }
    for (tag, texts) in &old {
        if of(&new, tag).is_none() {
            changes.extend(each(tag, texts.clone(), false));
        }
    }
    changes.append(&mut modified);
    change::diff(changes, lists)
}

fn compare(
    tag: &str,
    mut was: Vec<String>,
    mut is: Vec<String>,
    modified: &mut Vec<Value>,
    lists: &mut Vec<Value>,
) {
    if tag == OWN_IDS {
        was.retain(|text| !text.starts_with("ff"));
        is.retain(|text| !text.starts_with("ff"));
    }
    let removed = without(&was, &is);
    let added = without(&is, &was);
    match (was.as_slice(), is.as_slice()) {
        ([was], [is]) if was != is => {
            modified.extend(change::field(tag, tag, Some(json!(was)), Some(json!(is))));
        }
        _ => lists.extend(change::list(tag, removed, added)),
    }
}

/// The texts that others are not among, each once.
fn without(texts: &[String], others: &[String]) -> Vec<Value> {
    let mut left: Vec<&String> = Vec::new();
    for text in texts {
        if !others.contains(text) && !left.contains(&text) {
            left.push(text);
        }
    }
    left.into_iter().map(|text| json!(text)).collect()
}

fn each(tag: &str, texts: Vec<String>, is_new: bool) -> impl Iterator<Item = Value> {
    texts.into_iter().filter_map(move |text| {
        let text = Some(json!(text));
        match is_new {
            true => change::field(tag, tag, None, text),
            false => change::field(tag, tag, text, None),
        }
    })
}

/// The fields of a record's content by tag, in the order of the first of each.
fn fields(content: &Value) -> Fields {
    let mut fields: Fields = Vec::new();
    if let Some(leader) = content["leader"].as_str() {
        fields.push((LEADER.to_owned(), vec![leader.to_owned()]));
    }
    let listed = content["fields"].as_array();
    for (tag, field) in listed
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .flatten()
    {
        let text = text(field);
        match fields.iter_mut().find(|one| one.0 == *tag) {
            Some((_, texts)) => texts.push(text),
            None => fields.push((tag.clone(), vec![text])),
        }
    }
    fields
}

/// A field as one text: the indicators and the subfields, or the value of a control field.
fn text(field: &Value) -> String {
    let Some(subfields) = field["subfields"].as_array() else {
        return plain(field);
    };
    let mut text = String::new();
    for indicator in ["ind1", "ind2"] {
        text.push_str(field[indicator].as_str().unwrap_or(" "));
    }
    for (code, value) in subfields
        .iter()
        .filter_map(Value::as_object)
        .flat_map(Map::iter)
    {
        text.push_str(" $");
        text.push_str(code);
        text.push(' ');
        text.push_str(&plain(value));
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(text: &str) -> Value {
        json!({"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": text}, {"c": "by A"}]}})
    }

    fn subject(text: &str) -> Value {
        json!({"650": {"ind1": " ", "ind2": "0", "subfields": [{"a": text}]}})
    }

    fn record(fields: Vec<Value>) -> Value {
        json!({"leader": "00000nam a2200000 a 4500", "fields": fields})
    }

    #[test]
    fn a_new_record_has_all_its_fields() {
        let diff = whole(
            &record(vec![json!({"001": "in1"}), subject("a"), subject("b")]),
            true,
        );
        let told = |tag: &str, text: &str| json!({"changeType": "ADDED", "fieldName": tag, "fullPath": tag, "newValue": text});
        assert_eq!(
            diff.unwrap()["fieldChanges"],
            json!([
                told("LDR", "00000nam a2200000 a 4500"),
                told("001", "in1"),
                told("650", " 0 $a a"),
                told("650", " 0 $a b")
            ])
        );
    }

    #[test]
    fn a_single_field_is_modified_and_repeated_ones_come_and_go() {
        let old = record(vec![
            title("Mills"),
            subject("a"),
            subject("b"),
            json!({"008": "x"}),
        ]);
        let new = record(vec![
            title("Weirs"),
            subject("b"),
            subject("c"),
            json!({"007": "y"}),
        ]);
        assert_eq!(
            differences(&old, &new).unwrap(),
            json!({"fieldChanges": [
                {"changeType": "ADDED", "fieldName": "007", "fullPath": "007", "newValue": "y"},
                {"changeType": "REMOVED", "fieldName": "008", "fullPath": "008", "oldValue": "x"},
                {"changeType": "MODIFIED", "fieldName": "245", "fullPath": "245",
                 "oldValue": "10 $a Mills $c by A", "newValue": "10 $a Weirs $c by A"}],
             "collectionChanges": [{"collectionName": "650", "itemChanges": [
                {"changeType": "REMOVED", "oldValue": " 0 $a a"},
                {"changeType": "ADDED", "newValue": " 0 $a c"}]}]})
        );
    }

    #[test]
    fn a_second_field_of_a_tag_is_an_element_of_a_list() {
        let diff = differences(
            &record(vec![subject("a")]),
            &record(vec![subject("a"), subject("b")]),
        );
        assert_eq!(
            diff.unwrap(),
            json!({"fieldChanges": [], "collectionChanges": [{"collectionName": "650", "itemChanges": [
                {"changeType": "ADDED", "newValue": " 0 $a b"}]}]})
        );
    }

    #[test]
    fn dates_own_ids_and_order_are_no_change() {
        let own = |id: &str| json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"i": id}]}});
        let old = record(vec![
            json!({"005": "1"}),
            subject("a"),
            subject("b"),
            own("1"),
        ]);
        let new = record(vec![
            json!({"005": "2"}),
            subject("b"),
            subject("a"),
            own("2"),
        ]);
        assert_eq!(differences(&old, &new), None);
        for strange in [
            json!(null),
            json!({"fields": 1}),
            json!({"fields": [1, {"245": null}]}),
        ] {
            assert_eq!(differences(&strange, &strange), None);
        }
    }
}
