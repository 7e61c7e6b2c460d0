//! Dates of status changes. The server sets them; a client's date is ignored.

use serde_json::{Map, Value, json};

/// Dates the status of an item: on creation and whenever its name changes; else the date stays.
pub fn date_item_status(item: &mut Value, previous: Option<&Value>, now: &str) {
    let date = match previous {
        None => Some(json!(now)),
        Some(previous) if name(previous) != name(item) => Some(json!(now)),
        Some(previous) => previous.pointer("/status/date").cloned(),
    };
    let Some(status) = item.get_mut("status").and_then(Value::as_object_mut) else {
        return;
    };
    match date {
        Some(date) => {
            status.insert("date".to_owned(), date);
        }
        None => {
            status.shift_remove("date");
        }
    }
}

/// Dates the status of an instance: on creation and whenever it changes.
pub fn date_instance_status(
    instance: &mut Map<String, Value>,
    previous: Option<&Value>,
    now: &str,
) {
    let changed = previous.is_none_or(|old| old.get("statusId") != instance.get("statusId"));
    if changed {
        instance.insert("statusUpdatedDate".to_owned(), json!(now));
    }
}

/// The name of an item's status.
#[must_use]
pub fn name(item: &Value) -> Option<&str> {
    item.pointer("/status/name").and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use octavo_library::ItemStatus;

    use super::*;

    const NOW: &str = "2026-01-02T03:04:05.678+00:00";
    const THEN: &str = "2025-01-02T03:04:05.678+00:00";

    #[test]
    fn the_statuses_are_those_of_the_shape() {
        let item = crate::collections::item::all()
            .into_iter()
            .find(|collection| collection.table == "item")
            .expect("items");
        let Some(octavo_records::ValueKind::Text(mut names)) = item.kind_at("status.name").cloned()
        else {
            panic!("a status has a name")
        };
        names.sort_unstable();
        let known: Vec<&str> = ItemStatus::ALL.iter().map(|one| one.name()).collect();
        assert_eq!(names, known);
    }

    #[test]
    fn an_items_date_moves_with_the_name_of_its_status() {
        let dated = |name: &str, date: Option<&str>| match date {
            Some(date) => json!({"status": {"name": name, "date": date}}),
            None => json!({"status": {"name": name}}),
        };
        let cases = [
            (dated("Available", None), None, Some(NOW)),
            (
                dated("Available", None),
                Some(dated("Available", Some(THEN))),
                Some(THEN),
            ),
            (
                dated("Available", Some(NOW)),
                Some(dated("Available", Some(THEN))),
                Some(THEN),
            ),
            (
                dated("Checked out", None),
                Some(dated("Available", Some(THEN))),
                Some(NOW),
            ),
            (
                dated("Available", Some(NOW)),
                Some(dated("Available", None)),
                None,
            ),
        ];
        for (mut item, previous, expected) in cases {
            date_item_status(&mut item, previous.as_ref(), NOW);
            assert_eq!(
                item.pointer("/status/date").and_then(Value::as_str),
                expected
            );
        }
    }

    #[test]
    fn an_instances_date_moves_with_its_status() {
        let updated = |status: Option<&str>, previous: Option<Value>| {
            let mut instance = Map::new();
            super::super::set(&mut instance, "statusId", status.map(str::to_owned));
            date_instance_status(&mut instance, previous.as_ref(), NOW);
            instance.contains_key("statusUpdatedDate")
        };
        assert!(updated(None, None));
        assert!(updated(Some("a"), Some(json!({"statusId": "b"}))));
        assert!(updated(None, Some(json!({"statusId": "b"}))));
        assert!(!updated(Some("a"), Some(json!({"statusId": "a"}))));
        assert!(!updated(None, Some(json!({}))));
    }
}
