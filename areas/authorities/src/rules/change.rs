//! Compares versions of an authority, for propagation to linked records.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::headings::TYPES;

/// A change of heading or natural id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Whether the natural id differs.
    pub natural_id: bool,
    /// The headings that differ: kind's tag, before and now.
    pub headings: Vec<(&'static str, Option<String>, Option<String>)>,
    /// The natural ids, before and now.
    pub natural_ids: (Option<String>, Option<String>),
    /// The source files, before and now.
    pub source_files: (Option<Uuid>, Option<Uuid>),
}

/// FOLIO's kind of change in its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Of the natural id alone.
    NaturalId,
    Heading,
}

impl Action {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Action::NaturalId => "UPDATE_NATURAL_ID",
            Action::Heading => "UPDATE_HEADING",
        }
    }
}

impl Change {
    /// FOLIO's kind of this change.
    #[must_use]
    pub fn action(&self) -> Action {
        if self.headings.is_empty() {
            Action::NaturalId
        } else {
            Action::Heading
        }
    }

    /// Whether the type of heading changed, which unlinks linked records.
    #[must_use]
    pub fn unlinks(&self) -> bool {
        self.headings.len() > 1
    }

    /// The heading with its tag, before and now.
    #[must_use]
    pub fn headings_before_and_after(&self) -> [Option<(&'static str, &str)>; 2] {
        if let [(tag, old, new)] = self.headings.as_slice() {
            return [old, new].map(|value| Some((*tag, value.as_deref().unwrap_or_default())));
        }
        let of = |at: usize| {
            self.headings.iter().find_map(|(tag, old, new)| {
                let value = if at == 0 { old } else { new };
                value.as_deref().map(|value| (*tag, value))
            })
        };
        [of(0), of(1)]
    }
}

/// The difference of two versions; `None` when neither heading nor natural id differ.
#[must_use]
pub fn between(old: &Map<String, Value>, new: &Map<String, Value>) -> Option<Change> {
    let text = |record: &Map<String, Value>, name: &str| {
        record.get(name).and_then(Value::as_str).map(str::to_owned)
    };
    let headings: Vec<_> = TYPES
        .iter()
        .map(|kind| (kind.tag, text(old, kind.name), text(new, kind.name)))
        .filter(|(_, old, new)| old != new)
        .collect();
    let natural_ids = (text(old, "naturalId"), text(new, "naturalId"));
    let natural_id = natural_ids.0 != natural_ids.1;
    if headings.is_empty() && !natural_id {
        return None;
    }
    let file = |record: &Map<String, Value>| {
        text(record, "sourceFileId").and_then(|id| Uuid::try_parse(&id).ok())
    };
    Some(Change {
        natural_id,
        headings,
        natural_ids,
        source_files: (file(old), file(new)),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(old: Value, new: Value) -> Option<Change> {
        let map = |value: Value| value.as_object().cloned().expect("an object");
        between(&map(old), &map(new))
    }

    #[test]
    fn headings_and_natural_ids_are_changes_and_nothing_else_is() {
        let old = json!({"personalName": "Woolf", "naturalId": "n1", "source": "MARC"});
        assert_eq!(change(old.clone(), old.clone()), None);
        let noted = json!({"personalName": "Woolf", "naturalId": "n1", "source": "FOLIO"});
        assert_eq!(change(old.clone(), noted), None);
        let renamed = json!({"personalName": "Woolf, V.", "naturalId": "n1"});
        let renamed = change(old.clone(), renamed).expect("a change");
        assert_eq!(renamed.action(), Action::Heading);
        assert!(!renamed.unlinks());
        assert_eq!(
            renamed.headings_before_and_after(),
            [Some(("100", "Woolf")), Some(("100", "Woolf, V."))]
        );
        let renumbered = json!({"personalName": "Woolf", "naturalId": "n2"});
        let renumbered = change(old.clone(), renumbered).expect("a change");
        assert_eq!(renumbered.action(), Action::NaturalId);
        assert_eq!(renumbered.headings_before_and_after(), [None, None]);
        let other = json!({"corporateName": "Woolf", "naturalId": "n1"});
        let other = change(old, other).expect("a change");
        assert!(other.unlinks());
        assert_eq!(
            other.headings_before_and_after(),
            [Some(("100", "Woolf")), Some(("110", "Woolf"))]
        );
    }
}
