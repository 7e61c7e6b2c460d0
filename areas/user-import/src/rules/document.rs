//! Reads and checks the body of an import. Users are kept as raw JSON and parsed one by one: parsed
//! documents take several times the memory.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use octavo_records::{Shape, Violation};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::app::{Included, Options};

/// Maximal number of reported violations.
const VIOLATIONS_MAX: usize = 100;

static USER: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/user.shape")).expect("invariant: the shape is well formed")
});

static IMPORT: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/import.shape"))
        .expect("invariant: the shape is well formed")
});

/// The body.
#[derive(Debug)]
pub struct Sent<'a> {
    /// The users as raw JSON.
    pub users: Vec<&'a RawValue>,
    /// How many users there are, by the sender's count.
    pub total: i64,
    /// The options.
    pub options: Options,
    /// Included records.
    pub included: Included,
}

#[derive(Debug, PartialEq)]
pub enum Unreadable {
    /// It is not JSON; with the parser's message.
    Json(String),
    /// It is not an import.
    Invalid(Vec<Violation>),
}

/// Reads everything but the users, which stay raw.
///
/// # Errors
/// When it is not JSON or not an import.
pub fn read(body: &[u8]) -> Result<Sent<'_>, Unreadable> {
    let not_json = |error: serde_json::Error| Unreadable::Json(error.to_string());
    let whole: &RawValue = serde_json::from_slice(body).map_err(not_json)?;
    if !whole.get().starts_with('{') {
        return Err(invalid("must be of type object", ""));
    }
    let mut parts: BTreeMap<String, &RawValue> =
        serde_json::from_str(whole.get()).map_err(not_json)?;
    let users = parts.remove("users").filter(|one| one.get() != "null");
    let mut rest = Map::new();
    for (name, part) in parts {
        let value = serde_json::from_str(part.get()).map_err(not_json)?;
        rest.insert(name, value);
    }
    let mut rest = Value::Object(rest);
    IMPORT.check(&mut rest).map_err(Unreadable::Invalid)?;
    let Some(users) = users else {
        return Err(invalid("must not be null", "users"));
    };
    if !users.get().starts_with('[') {
        return Err(invalid("must be of type array", "users"));
    }
    let users: Vec<&RawValue> = serde_json::from_str(users.get()).map_err(not_json)?;
    let flag = |name: &str| rest[name] == true;
    let options = Options {
        source_type: rest["sourceType"].as_str().map(str::to_owned),
        deactivate_missing: flag("deactivateMissingUsers"),
        only_present: flag("updateOnlyPresentFields"),
    };
    let list = |name: &str| -> Vec<Map<String, Value>> {
        let list = rest["included"][name].as_array().into_iter().flatten();
        list.filter_map(Value::as_object).cloned().collect()
    };
    let included = Included {
        departments: list("departments"),
        custom_fields: list("customFields"),
    };
    Ok(Sent {
        users,
        total: rest["totalRecords"].as_i64().unwrap_or_default(),
        options,
        included,
    })
}

fn invalid(message: &str, path: &str) -> Unreadable {
    Unreadable::Invalid(vec![Violation {
        message: message.to_owned(),
        code: "-1",
        path: path.to_owned(),
        value: "null".to_owned(),
    }])
}

/// Parses and checks the user at a position.
pub fn user(raw: &RawValue, at: usize) -> Result<Map<String, Value>, Vec<Violation>> {
    // Raw values are valid JSON; parsing can fail only for their depth or a lone surrogate.
    let value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
    check(value, at)
}

/// The same for a parsed document.
pub fn check(mut document: Value, at: usize) -> Result<Map<String, Value>, Vec<Violation>> {
    match (USER.check(&mut document), document) {
        (Ok(()), Value::Object(user)) => Ok(user),
        (Ok(()), _) => Ok(Map::new()),
        (Err(mut violations), _) => {
            for one in &mut violations {
                one.path = match one.path.as_str() {
                    "" => format!("users[{at}]"),
                    path => format!("users[{at}].{path}"),
                };
            }
            Err(violations)
        }
    }
}

/// Checks all users of an import.
///
/// # Errors
/// The errors of the first invalid user.
pub fn check_all(sent: &Sent<'_>) -> Result<(), Unreadable> {
    let mut violations = Vec::new();
    for (at, raw) in sent.users.iter().enumerate() {
        if let Err(more) = user(raw, at) {
            violations.extend(more);
        }
        if violations.len() >= VIOLATIONS_MAX {
            violations.truncate(VIOLATIONS_MAX);
            break;
        }
    }
    match violations.is_empty() {
        true => Ok(()),
        false => Err(Unreadable::Invalid(violations)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(body: &str) -> Vec<(String, String)> {
        let unreadable = match read(body.as_bytes()) {
            Ok(sent) => check_all(&sent).expect_err("it is refused"),
            Err(unreadable) => unreadable,
        };
        match unreadable {
            Unreadable::Invalid(all) => {
                all.into_iter().map(|one| (one.path, one.message)).collect()
            }
            Unreadable::Json(message) => vec![("json".to_owned(), message)],
        }
    }

    #[test]
    fn an_import_is_read() {
        let body = r#"{"included": {"departments": [{"name": "Law", "more": 1}]}, "sourceType": "sis",
            "users": [{"username": "a", "externalSystemId": "1", "personal": {"lastName": "A"}}],
            "totalRecords": "1", "deactivateMissingUsers": true}"#;
        let sent = read(body.as_bytes()).expect("an import");
        assert_eq!(check_all(&sent), Ok(()));
        assert_eq!((sent.users.len(), sent.total), (1, 1));
        assert_eq!(sent.options.source_type.as_deref(), Some("sis"));
        assert!(sent.options.deactivate_missing && !sent.options.only_present);
        assert_eq!(sent.included.departments.len(), 1);
        assert_eq!(user(sent.users[0], 0).map(|user| user.len()), Ok(3));
    }

    #[test]
    fn invalid_bodies_are_refused_with_the_position() {
        let pair = |path: &str, message: &str| (path.to_owned(), message.to_owned());
        for (body, violation) in [
            (r#"{"users": []}"#, pair("totalRecords", "must not be null")),
            (r#"{"totalRecords": 1}"#, pair("users", "must not be null")),
            (
                r#"{"totalRecords": 1, "users": {}}"#,
                pair("users", "must be of type array"),
            ),
            (r"[]", pair("", "must be of type object")),
            (
                r#"{"totalRecords": 1, "users": [{"username": "a", "externalSystemId": "1"},
                    {"username": "b"}]}"#,
                pair("users[1].externalSystemId", "must not be null"),
            ),
            (
                r#"{"totalRecords": 1, "users": [{"username": "a", "externalSystemId": "1",
                    "personal": {}}]}"#,
                pair("users[0].personal.lastName", "must not be null"),
            ),
            (
                r#"{"totalRecords": 1, "users": [3]}"#,
                pair(
                    "users[0]",
                    "Cannot deserialize value of type `object` from Integer value (3) (at the record)",
                ),
            ),
        ] {
            assert_eq!(violations(body).first(), Some(&violation), "{body}");
        }
        assert_eq!(
            violations("{").first().map(|one| one.0.as_str()),
            Some("json")
        );
    }
}
