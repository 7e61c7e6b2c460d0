//! Maps an imported user to a user of mod-users: names become ids. The order of checks and the messages
//! are FOLIO's.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::known::ReferenceNames;

/// Preferred contact types, by name and id.
const CONTACT_TYPES: [(&str, &str); 5] = [
    ("mail", "001"),
    ("email", "002"),
    ("text", "003"),
    ("phone", "004"),
    ("mobile", "005"),
];

/// A mapped user.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapped {
    /// The id in the other system, with the prefix of the source.
    pub external_id: String,
    /// The name of the user.
    pub username: String,
    /// The document for mod-users.
    pub user: Map<String, Value>,
    /// The preference about requests, with the name of an address type.
    pub preference: Option<Map<String, Value>>,
}

/// A user who cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The id in the other system, with the prefix of the source.
    pub external_id: String,
    /// The name of the user.
    pub username: String,
    /// The message.
    pub message: String,
}

/// The external id as stored, with the source's prefix.
#[must_use]
pub fn external_id(source: Option<&str>, given: &str) -> String {
    match source {
        Some(source) if !source.is_empty() => format!("{source}_{given}"),
        _ => given.to_owned(),
    }
}

/// Replaces names by ids in a checked document.
///
/// # Errors
/// The first unknown name.
pub fn map(
    mut user: Map<String, Value>,
    source: Option<&str>,
    known: &ReferenceNames,
) -> Result<Mapped, Failed> {
    let username = text(&user, "username").to_owned();
    let external_id = external_id(source, text(&user, "externalSystemId"));
    user.insert("externalSystemId".to_owned(), json!(external_id));
    let preference = match user.shift_remove("requestPreference") {
        Some(Value::Object(preference)) => Some(preference),
        _ => None,
    };
    let mapped = map_names(&mut user, known);
    match mapped {
        Ok(()) => Ok(Mapped {
            external_id,
            username,
            user,
            preference,
        }),
        Err(message) => Err(Failed {
            external_id,
            username,
            message,
        }),
    }
}

fn map_names(user: &mut Map<String, Value>, known: &ReferenceNames) -> Result<(), String> {
    if let Some(Value::String(group)) = user.get_mut("patronGroup") {
        *group = match known.groups.get(group.as_str()) {
            Some(id) => id.clone(),
            None => {
                return Err(format!(
                    "Patron group does not exist in the system: [{group}]"
                ));
            }
        };
    }
    if let Some(Value::Object(personal)) = user.get_mut("personal") {
        map_personal(personal, known);
    }
    if let Some(Value::Array(departments)) = user.get_mut("departments") {
        map_departments(departments, &known.departments)?;
    }
    if let Some(Value::Object(fields)) = user.get_mut("customFields") {
        map_custom_fields(fields, &known.custom_fields)?;
    }
    Ok(())
}

/// Addresses of unknown types and an unknown contact type are dropped, as in FOLIO.
fn map_personal(personal: &mut Map<String, Value>, known: &ReferenceNames) {
    if let Some(Value::Array(addresses)) = personal.get_mut("addresses") {
        addresses.retain_mut(|address| {
            let name = address["addressTypeId"].as_str();
            let id = name.and_then(|name| known.address_types.get(name)).cloned();
            match id {
                Some(id) => {
                    address["addressTypeId"] = json!(id);
                    true
                }
                None => false,
            }
        });
    }
    let Some(Value::String(wanted)) = personal.get_mut("preferredContactTypeId") else {
        return;
    };
    let found = CONTACT_TYPES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    match found {
        Some((_, id)) => (*id).clone_into(wanted),
        None => {
            personal.shift_remove("preferredContactTypeId");
        }
    }
}

fn map_departments(
    departments: &mut Vec<Value>,
    known: &HashMap<String, String>,
) -> Result<(), String> {
    let mut missing = BTreeSet::new();
    let mut ids = Vec::with_capacity(departments.len());
    let mut seen = HashSet::new();
    for name in departments.iter().filter_map(Value::as_str) {
        match known.get(name) {
            Some(id) if seen.insert(id) => ids.push(json!(id)),
            Some(_) => {}
            None => {
                missing.insert(name.to_owned());
            }
        }
    }
    if missing.is_empty() {
        *departments = ids;
        return Ok(());
    }
    let missing = joined(&missing);
    Err(format!(
        "Departments do not exist in the system: [{missing}]"
    ))
}

fn map_custom_fields(
    fields: &mut Map<String, Value>,
    known: &HashMap<String, Option<HashMap<String, String>>>,
) -> Result<(), String> {
    let mut missing = BTreeSet::new();
    let mut options_missing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (reference, value) in fields.iter_mut() {
        let options = match known.get(reference) {
            None => {
                missing.insert(reference.clone());
                continue;
            }
            Some(None) => continue,
            Some(Some(options)) => options,
        };
        let mut choose = |one: &mut Value| {
            let Some(name) = one.as_str() else {
                return;
            };
            match options.get(name) {
                Some(id) => *one = json!(id),
                None => {
                    let of_field = options_missing.entry(reference.clone()).or_default();
                    of_field.insert(name.to_owned());
                }
            }
        };
        match value {
            Value::Array(list) => list.iter_mut().for_each(choose),
            one => choose(one),
        }
    }
    if missing.is_empty() && options_missing.is_empty() {
        return Ok(());
    }
    let mut message = String::new();
    if !missing.is_empty() {
        message = format!(
            "Custom fields do not exist in the system: [{}].",
            joined(&missing)
        );
    }
    if !options_missing.is_empty() {
        let each: Vec<String> = options_missing
            .iter()
            .map(|(reference, names)| format!("refId = {reference}, options: [{}]", joined(names)))
            .collect();
        // FOLIO's message begins with a space too.
        message.push_str(&format!(
            " Custom field's options do not exist in the system: [{}].",
            each.join("; ")
        ));
    }
    Err(message)
}

fn joined(names: &BTreeSet<String>) -> String {
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    all.join(", ")
}

fn text<'a>(user: &'a Map<String, Value>, name: &str) -> &'a str {
    user.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> ReferenceNames {
        let pairs = |all: &[(&str, &str)]| {
            all.iter()
                .map(|(name, id)| ((*name).to_owned(), (*id).to_owned()))
                .collect::<HashMap<_, _>>()
        };
        ReferenceNames {
            address_types: pairs(&[("Home", "a1"), ("Work", "a2")]),
            groups: pairs(&[("staff", "g1")]),
            departments: pairs(&[("History", "d1"), ("Law", "d2")]),
            service_points: HashSet::new(),
            custom_fields: HashMap::from([
                ("note".to_owned(), None),
                ("scope".to_owned(), Some(pairs(&[("Design", "opt_1")]))),
            ]),
        }
    }

    fn mapped(user: Value) -> Result<Mapped, Failed> {
        let Value::Object(user) = user else {
            panic!("a user")
        };
        map(user, Some("sis"), &known())
    }

    #[test]
    fn names_become_ids() {
        let user = json!({
            "username": "jane", "externalSystemId": "7", "patronGroup": "staff",
            "departments": ["Law", "History", "Law"],
            "personal": {
                "lastName": "Doe", "preferredContactTypeId": "E-Mail",
                "addresses": [{"addressTypeId": "Home"}, {"addressTypeId": "Moon"}, {}],
            },
            "customFields": {"note": "x", "scope": ["Design"]},
            "requestPreference": {"holdShelf": true, "delivery": false},
        });
        let mapped = mapped(user).expect("a user");
        assert_eq!(
            (mapped.external_id.as_str(), mapped.username.as_str()),
            ("sis_7", "jane")
        );
        assert_eq!(
            Value::Object(mapped.user),
            json!({
                "username": "jane", "externalSystemId": "sis_7", "patronGroup": "g1",
                "departments": ["d2", "d1"],
                "personal": {"lastName": "Doe", "addresses": [{"addressTypeId": "a1"}]},
                "customFields": {"note": "x", "scope": ["opt_1"]},
            })
        );
        assert!(mapped.preference.is_some());
    }

    #[test]
    fn ways_of_contact_have_names() {
        for (name, id) in [
            ("mail", Some("001")),
            ("Email", Some("002")),
            ("text", Some("003")),
            ("phone", Some("004")),
            ("MOBILE", Some("005")),
            ("002", None),
        ] {
            let user = json!({"username": "a", "externalSystemId": "1",
                              "personal": {"preferredContactTypeId": name}});
            let mapped = mapped(user).expect("a user");
            assert_eq!(
                mapped.user["personal"]["preferredContactTypeId"].as_str(),
                id,
                "{name}"
            );
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        for (part, message) in [
            (
                json!({"patronGroup": "nobody"}),
                "Patron group does not exist in the system: [nobody]",
            ),
            (
                json!({"departments": ["Zoology", "Art", "Law"]}),
                "Departments do not exist in the system: [Art, Zoology]",
            ),
            (
                json!({"customFields": {"z": 1, "b": 2, "scope": "Design"}}),
                "Custom fields do not exist in the system: [b, z].",
            ),
            (
                json!({"customFields": {"scope": ["Y", "X", "Design"]}}),
                " Custom field's options do not exist in the system: \
                 [refId = scope, options: [X, Y]].",
            ),
            (
                json!({"customFields": {"b": 1, "scope": "X"}}),
                "Custom fields do not exist in the system: [b]. Custom field's options do not \
                 exist in the system: [refId = scope, options: [X]].",
            ),
        ] {
            let mut user = json!({"username": "a", "externalSystemId": "1"});
            if let (Value::Object(user), Value::Object(part)) = (&mut user, part) {
                user.extend(part);
            }
            let failed = mapped(user).expect_err("it is refused");
            assert_eq!(failed.message, message);
            assert_eq!(failed.external_id, "sis_1");
        }
    }
}
