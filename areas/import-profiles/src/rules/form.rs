//! Validation of all profiles, and properties that the server adds.

use serde_json::{Map, Value, json};

use crate::kind::ProfileKind;

/// Errors common to all profiles: taken names and ids, and relations inside the document.
#[must_use]
pub fn problems(
    kind: ProfileKind,
    profile: &Map<String, Value>,
    name_is_taken: bool,
    id_is_taken: bool,
) -> Vec<String> {
    let (subject, name) = (kind.subject(), name(profile));
    let holds = |property: &str| {
        let list = profile.get(property).and_then(Value::as_array);
        list.is_some_and(|list| !list.is_empty())
    };
    let mut problems = Vec::new();
    if name_is_taken {
        problems.push(taken(kind, name));
    }
    if holds("childProfiles") {
        problems.push(format!("{subject} read-only 'child' field should be empty"));
    }
    if holds("parentProfiles") {
        problems.push(format!(
            "{subject} read-only 'parent' field should be empty"
        ));
    }
    if id_is_taken {
        // FOLIO's message has the name here, although it says "id".
        problems.push(format!("{subject} with id '{name}' already exists"));
    }
    problems
}

/// The message for a taken name.
#[must_use]
pub fn taken(kind: ProfileKind, name: &str) -> String {
    format!("{} '{name}' already exists", kind.subject())
}

#[must_use]
pub fn name(profile: &Map<String, Value>) -> &str {
    profile
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Adds the properties that FOLIO's profiles always have.
pub fn complete(kind: ProfileKind, profile: &mut Map<String, Value>) {
    let hidden = profile.get("hidden").and_then(Value::as_bool);
    profile.insert("hidden".to_owned(), json!(hidden.unwrap_or(false)));
    for relation in ["childProfiles", "parentProfiles"] {
        profile.insert(relation.to_owned(), json!([]));
    }
    match kind {
        ProfileKind::Action => {
            let record = profile.get("folioRecord").and_then(Value::as_str);
            let of_titles = matches!(record, Some("INSTANCE" | "MARC_BIBLIOGRAPHIC"));
            profile.insert("remove9Subfields".to_owned(), json!(of_titles));
        }
        ProfileKind::Mapping => {
            profile
                .entry("marcFieldProtectionSettings")
                .or_insert_with(|| json!([]));
        }
        ProfileKind::Match => {
            profile.entry("matchDetails").or_insert_with(|| json!([]));
        }
        ProfileKind::Job => {}
    }
}

/// Whether a profile differs from the stored one only in tags and metadata.
#[must_use]
pub fn differs_in_tags_only(sent: &Map<String, Value>, stored: &Map<String, Value>) -> bool {
    let rest = |profile: &Map<String, Value>| {
        let mut profile = profile.clone();
        profile.remove("tags");
        profile.remove("metadata");
        profile.retain(|_, value| !value.is_null());
        profile
    };
    rest(sent) == rest(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn every_reason_has_its_sentence() {
        let profile = map(json!({"name": "A", "childProfiles": [{}], "parentProfiles": [{}]}));
        assert_eq!(
            problems(ProfileKind::Mapping, &profile, true, true),
            [
                "The field mapping profile 'A' already exists",
                "The field mapping profile read-only 'child' field should be empty",
                "The field mapping profile read-only 'parent' field should be empty",
                "The field mapping profile with id 'A' already exists",
            ]
        );
        let empty = map(json!({"name": "A", "childProfiles": [], "parentProfiles": null}));
        assert!(problems(ProfileKind::Job, &empty, false, false).is_empty());
    }

    #[test]
    fn subfields_9_are_removed_for_titles_only() {
        for (record, removed) in [
            ("INSTANCE", true),
            ("MARC_BIBLIOGRAPHIC", true),
            ("HOLDINGS", false),
            ("MARC_AUTHORITY", false),
        ] {
            let mut profile = map(json!({"folioRecord": record, "remove9Subfields": !removed}));
            complete(ProfileKind::Action, &mut profile);
            assert_eq!(profile["remove9Subfields"], removed, "{record}");
            assert_eq!(profile["hidden"], false);
        }
    }

    #[test]
    fn only_tags_and_metadata_may_differ() {
        let stored = map(json!({"name": "A", "hidden": false, "metadata": {"x": 1}}));
        let tagged = map(json!({"name": "A", "hidden": false, "tags": {"tagList": ["new"]}}));
        assert!(differs_in_tags_only(&tagged, &stored));
        let renamed = map(json!({"name": "B", "hidden": false}));
        assert!(!differs_in_tags_only(&renamed, &stored));
    }
}
