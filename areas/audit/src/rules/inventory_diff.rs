//! What differs between two versions of an instance, a holdings record or an item: values one by one, lists as sets.
//! Properties that mod-audit does not compare, such as metadata, are no difference.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::change;
use super::compared::{Compared, Kind};

/// The differences of the compared properties; none where there is none.
#[must_use]
pub fn differences(compared: &[Compared], old: &Value, new: &Value) -> Option<Value> {
    let (mut fields, mut lists) = (Vec::new(), Vec::new());
    for one in compared {
        let (was, is) = (at(old, one.path), at(new, one.path));
        match &one.kind {
            Kind::Value | Kind::Flag if same(&one.kind, was, is) => {}
            Kind::Value | Kind::Flag => {
                let (was, is) = (shown(&one.kind, was), shown(&one.kind, is));
                fields.extend(change::field(one.name(), one.path, was, is));
            }
            Kind::Texts => lists.extend(sets(one.name(), was, is, |text| {
                Some(text.clone()).filter(|text| !text.is_null())
            })),
            Kind::Objects(properties) => {
                lists.extend(sets(one.name(), was, is, |object| part(object, properties)));
            }
        }
    }
    change::diff(fields, lists)
}

/// The value at a dotted path; none where it is null or absent.
fn at<'a>(record: &'a Value, path: &str) -> Option<&'a Value> {
    let found = path
        .split('.')
        .try_fold(record, |value, name| value.get(name));
    found.filter(|value| !value.is_null())
}

fn same(kind: &Kind, was: Option<&Value>, is: Option<&Value>) -> bool {
    was == is || (*kind == Kind::Flag && shown(kind, was) == shown(kind, is))
}

fn shown(kind: &Kind, value: Option<&Value>) -> Option<Value> {
    match kind {
        Kind::Flag => Some(value.cloned().unwrap_or(json!(false))),
        _ => value.cloned(),
    }
}

/// What two sets do not have in common, each element in the form in which it is compared.
fn sets(
    name: &str,
    was: Option<&Value>,
    is: Option<&Value>,
    form: impl Fn(&Value) -> Option<Value>,
) -> Option<Value> {
    let elements = |list: Option<&Value>| -> Vec<Value> {
        let list = list.and_then(Value::as_array);
        list.into_iter().flatten().filter_map(&form).collect()
    };
    let (was, is) = (elements(was), elements(is));
    if was == is {
        return None;
    }
    change::list(name, without(&was, &is), without(&is, &was))
}

/// The elements that others are not among, each once.
fn without(elements: &[Value], others: &[Value]) -> Vec<Value> {
    let mut known: HashSet<&Value> = others.iter().collect();
    let new = elements.iter().filter(|one| known.insert(one));
    new.cloned().collect()
}

/// The properties of an object that count.
fn part(object: &Value, properties: &[&str]) -> Option<Value> {
    let object = object.as_object()?;
    let kept = properties.iter().filter_map(|name| {
        let value = object.get(*name).filter(|value| !value.is_null())?;
        Some(((*name).to_owned(), value.clone()))
    });
    Some(Value::Object(kept.collect::<Map<String, Value>>()))
}

#[cfg(test)]
mod tests {
    use super::super::compared::{HOLDINGS, INSTANCE, ITEM};
    use super::*;

    #[test]
    fn values_are_added_removed_and_modified() {
        let old = json!({"title": "Mills", "indexTitle": "mills", "source": "FOLIO"});
        let new = json!({"title": "Weirs", "catalogedDate": "2025-03-04", "source": "FOLIO"});
        let diff = differences(&INSTANCE, &old, &new).unwrap();
        assert_eq!(
            diff,
            json!({"collectionChanges": [], "fieldChanges": [
                {"changeType": "ADDED", "fieldName": "catalogedDate", "fullPath": "catalogedDate",
                 "newValue": "2025-03-04"},
                {"changeType": "REMOVED", "fieldName": "indexTitle", "fullPath": "indexTitle",
                 "oldValue": "mills"},
                {"changeType": "MODIFIED", "fieldName": "title", "fullPath": "title",
                 "oldValue": "Mills", "newValue": "Weirs"}]})
        );
    }

    #[test]
    fn values_of_objects_have_their_path() {
        let old = json!({"status": {"name": "Available", "date": "a"}});
        let new = json!({"status": {"name": "Checked out", "date": "a"},
                         "lastCheckIn": {"servicePointId": "p"}});
        let diff = differences(&ITEM, &old, &new).unwrap();
        let changes = diff["fieldChanges"].as_array().unwrap();
        let told = |at: usize, name: &str| changes[at][name].as_str().unwrap().to_owned();
        assert_eq!(changes.len(), 2);
        assert_eq!(
            [told(0, "fieldName"), told(0, "fullPath")],
            ["servicePointId", "lastCheckIn.servicePointId"]
        );
        assert_eq!(
            [
                told(1, "fullPath"),
                told(1, "oldValue"),
                told(1, "newValue")
            ],
            ["status.name", "Available", "Checked out"]
        );
    }

    #[test]
    fn a_list_is_a_set_and_a_changed_element_another_one() {
        let note = |text: &str| json!({"note": text, "staffOnly": false, "unknown": text});
        let old = json!({"notes": [note("a"), note("b"), note("b")], "formerIds": ["1", "2"]});
        let new = json!({"notes": [note("c"), note("a")], "formerIds": ["2", "1", "1"]});
        let diff = differences(&HOLDINGS, &old, &new).unwrap();
        assert_eq!(
            diff,
            json!({"fieldChanges": [], "collectionChanges": [{"collectionName": "notes", "itemChanges": [
                {"changeType": "REMOVED", "oldValue": {"note": "b", "staffOnly": false}},
                {"changeType": "ADDED", "newValue": {"note": "c", "staffOnly": false}}]}]})
        );
    }

    #[test]
    fn what_does_not_count_is_no_difference() {
        let old = json!({"title": "a", "_version": 1, "metadata": {"updatedDate": "1"},
                         "editions": [], "previouslyHeld": false, "hrid": null});
        let new = json!({"title": "a", "_version": 2, "metadata": {"updatedDate": "2"},
                         "subjects": [{"unknown": 1}, {"unknown": 2}]});
        // Objects of which nothing counts are one.
        let diff = differences(&INSTANCE, &old, &new).unwrap();
        assert_eq!(
            diff["collectionChanges"][0]["itemChanges"],
            json!([{"changeType": "ADDED", "newValue": {}}])
        );
        let new = json!({"title": "a", "_version": 3});
        assert_eq!(differences(&INSTANCE, &old, &new), None);
        for strange in [
            json!(null),
            json!("text"),
            json!([1]),
            json!({"dates": "x", "notes": 4}),
        ] {
            assert_eq!(differences(&ITEM, &strange, &strange), None);
        }
    }
}
