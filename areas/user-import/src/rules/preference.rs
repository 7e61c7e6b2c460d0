//! Request preferences: validation, and what to store.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::known::ReferenceNames;

/// What to do with a user's preference.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing.
    None,
    /// A first one is stored.
    Add(Map<String, Value>),
    /// The one of this id is replaced.
    Replace(Uuid, Map<String, Value>),
    /// The one of this id is deleted.
    Remove(Uuid),
}

/// Decides from the sent and the stored preference. One that is not sent is deleted, unless only present
/// properties are updated.
///
/// # Errors
/// FOLIO's message when the sent preference is invalid.
pub fn decide(
    came: Option<&Map<String, Value>>,
    stored: Option<Uuid>,
    only_present: bool,
    user: &Map<String, Value>,
    known: &ReferenceNames,
) -> Result<Step, String> {
    let Some(came) = came else {
        return Ok(match stored {
            Some(id) if !only_present => Step::Remove(id),
            _ => Step::None,
        });
    };
    check(came, user, known).map_err(|why| format!("User Preference validation failed: {why}"))?;
    let mut preference = came.clone();
    preference.shift_remove("id");
    preference.insert(
        "userId".to_owned(),
        user.get("id").cloned().unwrap_or_default(),
    );
    let kind = preference.shift_remove("defaultDeliveryAddressTypeId");
    let kind = kind.as_ref().and_then(Value::as_str);
    if let Some(id) = kind.and_then(|name| known.address_types.get(name)) {
        preference.insert("defaultDeliveryAddressTypeId".to_owned(), json!(id));
    }
    Ok(match stored {
        Some(id) => {
            preference.insert("id".to_owned(), json!(id));
            Step::Replace(id, preference)
        }
        None => Step::Add(preference),
    })
}

fn check(
    came: &Map<String, Value>,
    user: &Map<String, Value>,
    known: &ReferenceNames,
) -> Result<(), String> {
    let absent = |parameter: &str, place: &str| {
        Err(format!(
            "Provided {parameter} value does not exist in {place}"
        ))
    };
    let given = |name: &str| came.get(name).and_then(Value::as_str);
    if let Some(point) = given("defaultServicePointId")
        && !known.service_points.contains(&point.to_lowercase())
    {
        return absent("defaultServicePointId", "service point collection");
    }
    let (fulfillment, kind) = (given("fulfillment"), given("defaultDeliveryAddressTypeId"));
    if came.get("delivery") != Some(&Value::Bool(true)) {
        for (name, value) in [
            ("fulfillment", fulfillment),
            ("defaultDeliveryAddressTypeId", kind),
        ] {
            if value.is_some() {
                return Err(format!("{name} must be not specified"));
            }
        }
        return Ok(());
    }
    if fulfillment.is_none() {
        return Err("fulfillment must not be null".to_owned());
    }
    let Some(kind) = kind else {
        return Err("defaultDeliveryAddressTypeId must not be null".to_owned());
    };
    let Some(id) = known.address_types.get(kind) else {
        return absent("defaultDeliveryAddressTypeId", "addresses collection");
    };
    let personal = user.get("personal").unwrap_or(&Value::Null);
    let mut addresses = personal["addresses"].as_array().into_iter().flatten();
    match addresses.any(|one| one["addressTypeId"] == id.as_str()) {
        true => Ok(()),
        false => absent("defaultDeliveryAddressTypeId", "user addresses collection"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    const POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";

    fn decided(came: Value, stored: Option<Uuid>) -> Result<Step, String> {
        let known = ReferenceNames {
            address_types: HashMap::from([
                ("Home".to_owned(), "a1".to_owned()),
                ("Work".to_owned(), "a2".to_owned()),
            ]),
            service_points: HashSet::from([POINT.to_owned()]),
            ..ReferenceNames::default()
        };
        let user = json!({"id": "u", "personal": {"addresses": [{"addressTypeId": "a1"}]}});
        let user = user.as_object().cloned().unwrap_or_default();
        decide(came.as_object(), stored, false, &user, &known)
    }

    #[test]
    fn invalid_preferences_are_refused() {
        for (came, why) in [
            (
                json!({"delivery": false, "defaultServicePointId": "x"}),
                "Provided defaultServicePointId value does not exist in service point collection",
            ),
            (
                json!({"delivery": false, "fulfillment": "Delivery"}),
                "fulfillment must be not specified",
            ),
            (
                json!({"delivery": false, "defaultDeliveryAddressTypeId": "Home"}),
                "defaultDeliveryAddressTypeId must be not specified",
            ),
            (json!({"delivery": true}), "fulfillment must not be null"),
            (
                json!({"delivery": true, "fulfillment": "Delivery"}),
                "defaultDeliveryAddressTypeId must not be null",
            ),
            (
                json!({"delivery": true, "fulfillment": "Delivery",
                       "defaultDeliveryAddressTypeId": "Moon"}),
                "Provided defaultDeliveryAddressTypeId value does not exist in addresses collection",
            ),
            (
                json!({"delivery": true, "fulfillment": "Delivery",
                       "defaultDeliveryAddressTypeId": "Work"}),
                "Provided defaultDeliveryAddressTypeId value does not exist in user addresses \
                 collection",
            ),
        ] {
            let message = format!("User Preference validation failed: {why}");
            assert_eq!(decided(came, None), Err(message));
        }
    }

    #[test]
    fn one_is_added_replaced_or_removed() {
        let came = json!({"holdShelf": true, "delivery": true, "fulfillment": "Hold Shelf",
                          "defaultDeliveryAddressTypeId": "Home", "defaultServicePointId": POINT});
        let mut wanted = json!({"holdShelf": true, "delivery": true, "fulfillment": "Hold Shelf",
                            "defaultServicePointId": POINT, "userId": "u",
                            "defaultDeliveryAddressTypeId": "a1"});
        let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
        assert_eq!(decided(came.clone(), None), Ok(Step::Add(object(&wanted))));
        let id = Uuid::nil();
        wanted["id"] = json!(id);
        assert_eq!(
            decided(came, Some(id)),
            Ok(Step::Replace(id, object(&wanted)))
        );
        assert_eq!(decided(Value::Null, Some(id)), Ok(Step::Remove(id)));
        assert_eq!(decided(Value::Null, None), Ok(Step::None));
        let user = Map::new();
        let kept = decide(None, Some(id), true, &user, &ReferenceNames::default());
        assert_eq!(kept, Ok(Step::None));
    }
}
