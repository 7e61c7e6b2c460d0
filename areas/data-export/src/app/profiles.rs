//! Rules for profiles and their locks. Pure: stored state and user are arguments.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::rules::Path;
use crate::store::users::Person;

/// Transformations of one profile at most.
const TRANSFORMATIONS_MAX: usize = 1_000;
/// FOLIO's pattern of transformations in its message.
const TRANSFORMATION: &str = "((\\d{3}[\\s\\da-zA-Z]{2}(\\$([a-zA-Z]|[\\d]{1,2}))?)|(^$))";
/// The same for a suppressed field.
const SUPPRESSION: &str = "^\\d{3}$";

/// Which kind of profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportProfileKind {
    /// A job profile.
    Job,
    /// A mapping profile.
    Mapping,
}

/// Why a profile is not stored or deleted, with FOLIO's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It is a default profile.
    Default(&'static str),
    Locked,
    /// The user may not lock or unlock it.
    MayNotLock(&'static str),
    /// Other profiles use it.
    Linked(Vec<String>),
    /// Running exports with these numbers use it.
    AtWork(Vec<i64>),
    /// It is invalid.
    Sentence(String),
    /// Values that match no pattern: key, value and pattern of each.
    Patterns(Vec<(String, String, &'static str)>),
}

/// FOLIO's refusal to change a default.
#[must_use]
pub fn editing_default(kind: ExportProfileKind) -> Refusal {
    Refusal::Default(match kind {
        ExportProfileKind::Job => "Editing of default job profile is forbidden",
        ExportProfileKind::Mapping => "Editing of default mapping profile is forbidden",
    })
}

/// FOLIO's refusal to delete a default.
#[must_use]
pub fn deleting_default(kind: ExportProfileKind) -> Refusal {
    Refusal::Default(match kind {
        ExportProfileKind::Job => "Deletion of default job profile is forbidden",
        ExportProfileKind::Mapping => "Deletion of default mapping profile is forbidden",
    })
}

/// Completes a client's document: not a default, with its author, and with the lock changed if the user
/// may.
///
/// # Errors
/// When the user may not change the lock.
pub fn complete(
    document: &mut Map<String, Value>,
    stored: Option<&Value>,
    person: &Person,
    user: Option<Uuid>,
    may_lock: bool,
    now: &str,
) -> Result<(), Refusal> {
    document.insert("default".to_owned(), json!(false));
    let user_info = json!({"firstName": person.first_name, "lastName": person.last_name,
        "userName": person.username});
    document.insert("userInfo".to_owned(), without_nulls(user_info));
    // R1-2025 has no locks: a client that sends none changes none, and sees none.
    let was = stored.is_some_and(|stored| stored["locked"] == true);
    let sent = document.get("locked").filter(|sent| !sent.is_null());
    let is = sent.map_or(was, |sent| *sent == true);
    if sent.is_some() || is {
        document.insert("locked".to_owned(), json!(is));
    } else {
        document.remove("locked");
    }
    if was != is && !may_lock {
        return Err(Refusal::MayNotLock(match is {
            true => "You do not have permission to lock this profile.",
            false => "You do not have permission to unlock this profile.",
        }));
    }
    document.remove("lockedBy");
    document.remove("lockedAt");
    if is && was {
        for name in ["lockedBy", "lockedAt"] {
            if let Some(value) = stored.and_then(|stored| stored.get(name)) {
                document.insert(name.to_owned(), value.clone());
            }
        }
    } else if is {
        document.insert("lockedAt".to_owned(), json!(now));
        if let Some(user) = user {
            document.insert("lockedBy".to_owned(), json!(user));
        }
    }
    Ok(())
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let user_info = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(user_info.collect())
        }
        other => other,
    }
}

/// Checks a mapping profile's transformations and suppressed fields.
///
/// # Errors
/// All errors of the first kind found.
pub fn check_mapping(document: &Map<String, Value>) -> Result<(), Refusal> {
    let transformations = document.get("transformations").and_then(Value::as_array);
    let transformations = transformations.map_or(&[][..], Vec::as_slice);
    if transformations.len() > TRANSFORMATIONS_MAX {
        let sentence = format!("a profile has at most {TRANSFORMATIONS_MAX} transformations");
        return Err(Refusal::Sentence(sentence));
    }
    let target = |one: &Value| {
        one["transformation"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let wrong: Vec<_> = transformations
        .iter()
        .enumerate()
        .filter(|(_, one)| !is_target(&target(one)))
        .map(|(at, one)| {
            let key = format!("transformations[{at}].transformation");
            (key, target(one), TRANSFORMATION)
        })
        .collect();
    if !wrong.is_empty() {
        return Err(Refusal::Patterns(wrong));
    }
    for one in transformations {
        if one["recordType"] == "ITEM" && target(one).is_empty() {
            return Err(Refusal::Sentence(
                "Transformations for fields with item record type cannot be empty. Please provide \
                 a value."
                    .to_owned(),
            ));
        }
        let path = one["path"].as_str().unwrap_or_default();
        if !path.is_empty()
            && let Err(reason) = Path::parse(path)
        {
            let id = one["fieldId"].as_str().unwrap_or_default();
            return Err(Refusal::Sentence(format!(
                "The path of field {id}: {reason}"
            )));
        }
    }
    check_suppression(document)
}

fn check_suppression(document: &Map<String, Value>) -> Result<(), Refusal> {
    let fields = document.get("fieldsSuppression").and_then(Value::as_str);
    let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
        return Ok(());
    };
    let types = document.get("recordTypes").and_then(Value::as_array);
    if types.is_some_and(|types| !types.is_empty() && types.iter().all(|one| one == "ITEM")) {
        return Err(Refusal::Sentence(
            "Suppression field can not be used only for Item record type".to_owned(),
        ));
    }
    let wrong: Vec<_> = fields
        .split(',')
        .map(str::trim)
        .enumerate()
        .filter(|(_, tag)| tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_digit()))
        .map(|(at, tag)| {
            (
                format!("suppressionFields[{at}]"),
                tag.to_owned(),
                SUPPRESSION,
            )
        })
        .collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Refusal::Patterns(wrong)),
    }
}

/// `900ff$a`, `90011` or nothing.
fn is_target(target: &str) -> bool {
    let characters: Vec<char> = target.chars().collect();
    let Some((head, tail)) = characters.split_at_checked(5) else {
        return characters.is_empty();
    };
    let is_indicator = |one: &char| one.is_ascii_alphanumeric() || one.is_ascii_whitespace();
    let tail_fits = match tail {
        [] => true,
        ['$', code] => code.is_ascii_alphanumeric(),
        ['$', first, second] => first.is_ascii_digit() && second.is_ascii_digit(),
        _ => false,
    };
    head[..3].iter().all(char::is_ascii_digit) && head[3..].iter().all(is_indicator) && tail_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_tag_indicators_and_subfield() {
        for good in ["", "900ff$a", "900  $1", "900  $12", "90011"] {
            assert!(is_target(good), "{good}");
        }
        for wrong in [
            "9", "900", "900  a", "900  $", "900  $ab", "9x0  $a", "900ff$a ",
        ] {
            assert!(!is_target(wrong), "{wrong}");
        }
    }

    #[track_caller]
    fn refused(document: Value) -> Refusal {
        check_mapping(document.as_object().unwrap()).unwrap_err()
    }

    #[test]
    fn profiles_are_looked_at() {
        let wrong = refused(
            json!({"transformations": [{"transformation": "900  $a"}, {"transformation": "x"}]}),
        );
        let key = "transformations[1].transformation".to_owned();
        assert_eq!(
            wrong,
            Refusal::Patterns(vec![(key, "x".to_owned(), TRANSFORMATION)])
        );
        let empty = json!({"transformations": [{"recordType": "ITEM", "transformation": ""}]});
        assert!(matches!(refused(empty), Refusal::Sentence(_)));
        let path = json!({"transformations": [{"recordType": "ITEM", "transformation": "900  $a", "path": "$.users"}]});
        assert!(matches!(refused(path), Refusal::Sentence(_)));
        let tags = refused(json!({"recordTypes": ["SRS"], "fieldsSuppression": "500, 65"}));
        let key = "suppressionFields[1]".to_owned();
        assert_eq!(
            tags,
            Refusal::Patterns(vec![(key, "65".to_owned(), SUPPRESSION)])
        );
        let items = refused(json!({"recordTypes": ["ITEM"], "fieldsSuppression": "500"}));
        assert!(matches!(items, Refusal::Sentence(_)));
    }

    #[test]
    fn only_who_may_locks_and_unlocks() {
        let complete = |locked: bool, stored: Option<Value>, may: bool| {
            let mut document = json!({"locked": locked, "default": true});
            let document = document.as_object_mut().unwrap();
            let person = Person::default();
            complete(document, stored.as_ref(), &person, None, may, "now")
                .map(|()| document.clone())
        };
        assert_eq!(complete(false, None, false).unwrap()["default"], false);
        let mut unsaid = Map::new();
        let person = Person::default();
        super::complete(&mut unsaid, None, &person, None, false, "now").unwrap();
        assert!(!unsaid.contains_key("locked"), "{unsaid:?}");
        assert!(complete(true, None, false).is_err());
        assert_eq!(complete(true, None, true).unwrap()["lockedAt"], "now");
        let stored = json!({"locked": true, "lockedAt": "then"});
        assert!(complete(false, Some(stored.clone()), false).is_err());
        assert_eq!(
            complete(true, Some(stored), false).unwrap()["lockedAt"],
            "then"
        );
    }
}
