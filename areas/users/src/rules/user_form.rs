//! The document of a user as a client sends it: normalisation, and checks that a shape cannot express.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};
use uuid::Uuid;

/// FOLIO's limit on `personal.pronouns`, in characters.
pub const PRONOUNS_CHARS_MAX: usize = 300;
/// Addresses of one user at most; each has a type of its own, and a library has few of those.
const ADDRESSES_MAX: usize = 100;

/// Why a user's document is refused without looking at stored records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormRefusal {
    /// A shadow user of another tenant cannot have a picture here.
    ShadowWithPicture,
    /// A date of birth before the first year of our era.
    BornTooEarly,
    /// Two addresses of one type.
    AddressTypeTwice,
    /// More addresses than a user may have.
    TooManyAddresses { most: usize },
    /// Pronouns that are too long.
    LongPronouns,
}

/// Normalises a document: removes blank identifiers, trims the username, removes duplicate ids and empty
/// custom fields.
pub fn tidy(document: &mut Value) {
    let Value::Object(user) = document else {
        return;
    };
    for name in ["id", "username", "barcode", "externalSystemId"] {
        if is_blank(user.get(name)) {
            user.shift_remove(name);
        }
    }
    if let Some(Value::String(username)) = user.get_mut("username") {
        *username = username.trim().to_owned();
    }
    for name in ["departments", "preferredEmailCommunication"] {
        if let Some(Value::Array(list)) = user.get_mut(name) {
            let mut seen = HashSet::new();
            list.retain(|one| match one.as_str() {
                Some(text) => seen.insert(text.to_lowercase()),
                None => true,
            });
        }
    }
    // The table of departments' members compares ids as texts, so their case must agree.
    if let Some(Value::Array(list)) = user.get_mut("departments") {
        for id in list.iter_mut() {
            if let Value::String(text) = id {
                *text = text.to_lowercase();
            }
        }
    }
    if let Some(Value::Object(fields)) = user.get_mut("customFields") {
        fields.retain(|_, value| value.as_str() != Some("") && !value.is_null());
    }
}

fn is_blank(value: Option<&Value>) -> bool {
    value
        .and_then(Value::as_str)
        .is_some_and(|text| text.trim().is_empty())
}

/// Checks what needs no stored record, in mod-users' order.
pub fn check(document: &Value) -> Result<(), FormRefusal> {
    let personal = &document["personal"];
    if document["type"] == "shadow" && !personal["profilePictureLink"].is_null() {
        return Err(FormRefusal::ShadowWithPicture);
    }
    if let Some(born) = personal["dateOfBirth"].as_str()
        && (born.starts_with('-') || born.starts_with("0000"))
    {
        return Err(FormRefusal::BornTooEarly);
    }
    if let Some(pronouns) = personal["pronouns"].as_str()
        && pronouns.chars().count() > PRONOUNS_CHARS_MAX
    {
        return Err(FormRefusal::LongPronouns);
    }
    let Some(addresses) = personal["addresses"].as_array() else {
        return Ok(());
    };
    if addresses.len() > ADDRESSES_MAX {
        return Err(FormRefusal::TooManyAddresses {
            most: ADDRESSES_MAX,
        });
    }
    let mut seen = HashSet::new();
    let types = addresses
        .iter()
        .filter_map(|address| address["addressTypeId"].as_str());
    for kind in types {
        if !seen.insert(kind.to_lowercase()) {
            return Err(FormRefusal::AddressTypeTwice);
        }
    }
    Ok(())
}

/// The types of a user's addresses, in the order of their ids.
#[must_use]
pub fn address_types(user: &Map<String, Value>) -> Vec<Uuid> {
    let addresses = user
        .get("personal")
        .and_then(|personal| personal["addresses"].as_array());
    let ids = addresses.into_iter().flatten().filter_map(|address| {
        let id = address["addressTypeId"].as_str()?;
        Uuid::try_parse(id).ok()
    });
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// A user's custom fields; `None` if there are none.
#[must_use]
pub fn custom_fields(user: &Map<String, Value>) -> Option<&Map<String, Value>> {
    user.get("customFields")
        .and_then(Value::as_object)
        .filter(|fields| !fields.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn forms_are_tidied() {
        let mut user = json!({
            "id": " ", "username": "  jane ", "barcode": "", "externalSystemId": "\t",
            "departments": ["A", "a", "b"],
            "preferredEmailCommunication": ["Support", "Support"],
            "customFields": {"colour": "", "size": "opt_1", "gone": null, "empty": []},
        });
        tidy(&mut user);
        assert_eq!(
            user,
            json!({
                "username": "jane", "departments": ["a", "b"],
                "preferredEmailCommunication": ["Support"],
                "customFields": {"size": "opt_1", "empty": []},
            })
        );
    }

    #[test]
    fn errors_of_the_form_are_reported() {
        let twice = json!([{"addressTypeId": "a"}, {"addressTypeId": "A"}]);
        let many: Vec<Value> = (0..101)
            .map(|at| json!({"addressTypeId": at.to_string()}))
            .collect();
        for (user, refusal) in [
            (
                json!({"type": "shadow", "personal": {"profilePictureLink": "x"}}),
                FormRefusal::ShadowWithPicture,
            ),
            (
                json!({"personal": {"dateOfBirth": "-001-01-01"}}),
                FormRefusal::BornTooEarly,
            ),
            (
                json!({"personal": {"dateOfBirth": "0000-12-31T00:00:00Z"}}),
                FormRefusal::BornTooEarly,
            ),
            (
                json!({"personal": {"pronouns": "é".repeat(301)}}),
                FormRefusal::LongPronouns,
            ),
            (
                json!({"personal": {"addresses": twice}}),
                FormRefusal::AddressTypeTwice,
            ),
            (
                json!({"personal": {"addresses": many}}),
                FormRefusal::TooManyAddresses { most: 100 },
            ),
        ] {
            assert_eq!(check(&user), Err(refusal), "{user}");
        }
        for user in [
            json!({}),
            json!([]),
            json!({"personal": {"dateOfBirth": "0001-01-01", "pronouns": "é".repeat(300)}}),
            json!({"type": "patron", "personal": {"profilePictureLink": "x", "addresses": [{}, {}]}}),
        ] {
            assert_eq!(check(&user), Ok(()), "{user}");
        }
    }
}
