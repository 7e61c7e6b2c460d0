//! Compares the stored links of an instance with those of a form.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::filled;

/// Changes of the stored links.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    /// Links to delete.
    pub gone: Vec<Uuid>,
    /// Links to replace, by their ids.
    pub changed: Vec<(Uuid, Value)>,
    /// Links to add.
    pub new: Vec<Value>,
}

impl Changes {
    /// Whether all links stay as they are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }
}

/// The stored form of a link of an instance: `own` is the property that holds the instance's id. For a
/// title that is an instance, only its id is stored: the rest is read from there.
#[must_use]
pub fn stored_form(link: &Value, own: &str, other: &str, instance_id: Uuid) -> Value {
    let mut stored = link.as_object().cloned().unwrap_or_default();
    if filled(link, other).is_some() {
        for property in DESCRIPTION {
            stored.shift_remove(property);
        }
    } else {
        stored.shift_remove(other);
    }
    stored.insert(own.to_owned(), Value::String(instance_id.to_string()));
    Value::Object(stored)
}

/// The properties that describe a title without an instance.
const DESCRIPTION: [&str; 3] = ["title", "hrid", "identifiers"];

/// Compares the stored links with those wanted.
#[must_use]
pub fn compare(stored: &[(Uuid, Value)], wanted: Vec<Value>) -> Changes {
    let id_of = |link: &Value| Uuid::try_parse(filled(link, "id")?).ok();
    let kept: Vec<Uuid> = wanted.iter().filter_map(id_of).collect();
    let mut changes = Changes {
        gone: stored
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| !kept.contains(id))
            .collect(),
        ..Changes::default()
    };
    for link in wanted {
        let found = id_of(&link).and_then(|id| stored.iter().find(|(other, _)| *other == id));
        match found {
            None => changes.new.push(link),
            Some((_, old)) if essence(old) == essence(&link) => {}
            Some((id, _)) => changes.changed.push((*id, link)),
        }
    }
    changes
}

/// The properties that identify a link.
fn essence(link: &Value) -> Map<String, Value> {
    let mut essence = link.as_object().cloned().unwrap_or_default();
    essence.retain(|property, value| {
        property != "metadata"
            && !value.is_null()
            && value.as_array().is_none_or(|it| !it.is_empty())
    });
    let connected = ["precedingInstanceId", "succeedingInstanceId"]
        .iter()
        .all(|property| essence.contains_key(*property));
    if connected {
        for property in DESCRIPTION {
            essence.shift_remove(property);
        }
    }
    essence
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn links_go_change_and_come() {
        let [a, b, c] = [1, 2, 3].map(Uuid::from_u128);
        let stored = [
            (a, json!({"id": a, "title": "A", "metadata": {}})),
            (b, json!({"id": b, "title": "B"})),
            (c, json!({"id": c, "title": "C"})),
        ];
        let wanted = vec![
            json!({"id": a, "title": "A", "identifiers": []}),
            json!({"id": b, "title": "b"}),
            json!({"title": "D"}),
        ];
        assert_eq!(
            compare(&stored, wanted),
            Changes {
                gone: vec![c],
                changed: vec![(b, json!({"id": b, "title": "b"}))],
                new: vec![json!({"title": "D"})],
            }
        );
        let same = vec![json!({"id": a, "title": "A"})];
        assert!(compare(&stored[..1], same).is_empty());
    }

    #[test]
    fn a_connected_title_is_described_by_its_own_instance() {
        let id = Uuid::from_u128(7);
        let (own, other) = ("succeedingInstanceId", "precedingInstanceId");
        let link = json!({"precedingInstanceId": "x", "title": "A", "hrid": "in1"});
        assert_eq!(
            stored_form(&link, own, other, id),
            json!({"precedingInstanceId": "x", "succeedingInstanceId": id})
        );
        let link = json!({"precedingInstanceId": "", "title": "A"});
        assert_eq!(
            stored_form(&link, own, other, id),
            json!({"title": "A", "succeedingInstanceId": id})
        );
    }
}
