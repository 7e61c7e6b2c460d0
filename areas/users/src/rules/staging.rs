//! How a self-registration becomes a user or is merged into one.

use jiff::{SignedDuration, Timestamp};
use octavo_library::AddressTypeId;
use octavo_records::instant;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// FOLIO's id of the preferred way of contact: electronic mail.
const BY_MAIL: &str = "002";
/// The longest membership that a group can give, in days: some thousand years.
const DAYS_MAX: i64 = 400_000;

/// Completes a new registration: a new identifier, and FOLIO's default values.
pub fn complete(registration: &mut Map<String, Value>, identifier: Uuid) {
    registration.insert("externalSystemId".to_owned(), json!(identifier));
    for (name, value) in [
        ("status", json!("TIER-1")),
        ("isEmailVerified", json!(false)),
    ] {
        if !registration.contains_key(name) {
            registration.insert(name.to_owned(), value);
        }
    }
}

/// A stored registration updated by a later one: omitted properties stay. Address and identifier are
/// never changed.
#[must_use]
pub fn updated(stored: &Map<String, Value>, given: &Value) -> Map<String, Value> {
    let mut given = given.clone();
    if let Value::Object(given) = &mut given {
        for name in ["id", "externalSystemId", "metadata"] {
            given.shift_remove(name);
        }
        if let Some(Value::Object(contact)) = given.get_mut("contactInfo") {
            contact.shift_remove("email");
        }
    }
    let mut merged = Value::Object(stored.clone());
    merge(&mut merged, given);
    match merged {
        Value::Object(merged) => merged,
        _ => Map::new(),
    }
}

fn merge(stored: &mut Value, given: Value) {
    match (stored, given) {
        (Value::Object(stored), Value::Object(given)) => {
            for (name, value) in given {
                match stored.get_mut(&name) {
                    Some(inner) => merge(inner, value),
                    None => {
                        stored.insert(name, value);
                    }
                }
            }
        }
        (_, Value::Null) => {}
        (_, Value::Array(list)) if list.is_empty() => {}
        (stored, given) => *stored = given,
    }
}

/// The user made of a registration and of the stored user, if there is one. The home address becomes the
/// primary one.
#[must_use]
pub fn user(
    registration: &Map<String, Value>,
    stored: Option<&Map<String, Value>>,
    home_type: AddressTypeId,
    address_id: Uuid,
) -> Map<String, Value> {
    let mut user = stored.cloned().unwrap_or_default();
    if stored.is_none() {
        user.insert("type".to_owned(), json!("patron"));
    }
    user.insert("active".to_owned(), json!(true));
    put(
        &mut user,
        "preferredEmailCommunication",
        registration.get("preferredEmailCommunication"),
    );
    put(
        &mut user,
        "externalSystemId",
        registration.get("externalSystemId"),
    );
    let updated = registration
        .get("metadata")
        .and_then(|one| one.get("updatedDate"));
    put(&mut user, "enrollmentDate", updated);
    let mut personal = match user.get("personal") {
        Some(Value::Object(personal)) => personal.clone(),
        _ => Map::new(),
    };
    if let Some(contact) = registration.get("contactInfo") {
        for name in ["email", "phone", "mobilePhone"] {
            put(&mut personal, name, contact.get(name));
        }
        personal.insert("preferredContactTypeId".to_owned(), json!(BY_MAIL));
    }
    if let Some(general) = registration.get("generalInfo") {
        for name in ["firstName", "lastName", "middleName", "preferredFirstName"] {
            put(&mut personal, name, general.get(name));
        }
    }
    let addresses = personal.get("addresses").and_then(Value::as_array);
    let addresses = with_home(
        addresses.cloned().unwrap_or_default(),
        registration.get("addressInfo"),
        home_type,
        address_id,
    );
    personal.insert("addresses".to_owned(), Value::Array(addresses));
    user.insert("personal".to_owned(), Value::Object(personal));
    user
}

fn with_home(
    mut addresses: Vec<Value>,
    given: Option<&Value>,
    home_type: AddressTypeId,
    address_id: Uuid,
) -> Vec<Value> {
    for address in &mut addresses {
        address["primaryAddress"] = json!(false);
    }
    let home = home_type.to_string();
    let at = addresses
        .iter()
        .position(|address| address["addressTypeId"].as_str() == Some(home.as_str()));
    let at = at.unwrap_or_else(|| {
        addresses.push(json!({"id": address_id, "addressTypeId": home_type}));
        addresses.len() - 1
    });
    if let Value::Object(address) = &mut addresses[at] {
        for (name, from) in [
            ("countryId", "country"),
            ("addressLine1", "addressLine0"),
            ("addressLine2", "addressLine1"),
            ("city", "city"),
            ("region", "province"),
            ("postalCode", "zip"),
        ] {
            put(address, name, given.and_then(|given| given.get(from)));
        }
        address.insert("primaryAddress".to_owned(), json!(true));
    }
    addresses
}

/// Sets a property, or removes it when there is no value.
fn put(object: &mut Map<String, Value>, name: &str, value: Option<&Value>) {
    match value {
        Some(value) => {
            object.insert(name.to_owned(), value.clone());
        }
        None => {
            object.shift_remove(name);
        }
    }
}

/// The end of a membership that began at an instant, in a group that lasts the given number of days.
#[must_use]
pub fn expiration(enrolled: &str, days: i64) -> Option<String> {
    let began: Timestamp = instant::parse(enrolled)?;
    let days = days.clamp(-DAYS_MAX, DAYS_MAX);
    let ends = began
        .checked_add(SignedDuration::from_hours(days * 24))
        .ok()?;
    Some(instant::format(ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    fn registration() -> Map<String, Value> {
        object(json!({
            "externalSystemId": "e", "generalInfo": {"firstName": "A", "lastName": "B"},
            "contactInfo": {"email": "a@b.org", "phone": "1"},
            "addressInfo": {"addressLine0": "Street", "city": "Town", "zip": "1"},
            "metadata": {"updatedDate": "2026-01-01T00:00:00.000+00:00"},
        }))
    }

    #[test]
    fn a_registration_gets_an_identifier_whatever_it_says() {
        let mut given = object(json!({"externalSystemId": "mine", "status": "TIER-2"}));
        complete(&mut given, Uuid::nil());
        assert_eq!(given["externalSystemId"], json!(Uuid::nil()));
        assert_eq!(
            (given["status"].as_str(), &given["isEmailVerified"]),
            (Some("TIER-2"), &json!(false))
        );
    }

    #[test]
    fn a_later_registration_changes_what_it_names() {
        let given = json!({
            "id": "x", "externalSystemId": "other", "isEmailVerified": true,
            "generalInfo": {"firstName": "C", "lastName": "B"}, "preferredEmailCommunication": [],
            "contactInfo": {"email": "other@b.org", "mobilePhone": "2"},
        });
        let now = updated(&registration(), &given);
        assert_eq!(now["externalSystemId"], "e");
        assert_eq!(
            now["generalInfo"],
            json!({"firstName": "C", "lastName": "B"})
        );
        assert_eq!(
            now["contactInfo"],
            json!({"email": "a@b.org", "phone": "1", "mobilePhone": "2"})
        );
        assert_eq!(now["addressInfo"]["city"], "Town");
        assert_eq!(now["isEmailVerified"], true);
    }

    #[test]
    fn a_new_user_is_an_active_patron_with_a_home() {
        let home = AddressTypeId::from_u128(1);
        let made = user(&registration(), None, home, Uuid::from_u128(2));
        assert_eq!(
            (made["type"].as_str(), &made["active"]),
            (Some("patron"), &json!(true))
        );
        assert_eq!(made["enrollmentDate"], "2026-01-01T00:00:00.000+00:00");
        assert_eq!(
            made["personal"],
            json!({
                "email": "a@b.org", "phone": "1", "preferredContactTypeId": "002",
                "firstName": "A", "lastName": "B",
                "addresses": [{
                    "id": Uuid::from_u128(2), "addressTypeId": home, "addressLine1": "Street",
                    "city": "Town", "postalCode": "1", "primaryAddress": true,
                }],
            })
        );
    }

    #[test]
    fn a_stored_user_keeps_what_the_registration_does_not_know() {
        let home = AddressTypeId::from_u128(1);
        let stored = object(json!({
            "id": "u", "type": "staff", "barcode": "7",
            "personal": {"lastName": "Old", "pronouns": "she", "addresses": [
                {"id": "h", "addressTypeId": home, "city": "Village", "addressLine2": "Rear"},
                {"id": "w", "addressTypeId": Uuid::from_u128(9), "primaryAddress": true},
            ]},
        }));
        let made = user(&registration(), Some(&stored), home, Uuid::from_u128(2));
        assert_eq!(
            (made["type"].as_str(), made["barcode"].as_str()),
            (Some("staff"), Some("7"))
        );
        assert_eq!(made["personal"]["pronouns"], "she");
        let addresses = made["personal"]["addresses"].as_array().expect("a list");
        assert_eq!(addresses.len(), 2);
        assert_eq!(addresses[0]["id"], "h");
        assert_eq!(
            (
                &addresses[0]["primaryAddress"],
                &addresses[1]["primaryAddress"]
            ),
            (&json!(true), &json!(false))
        );
        assert!(addresses[0]["addressLine2"].is_null());
    }

    #[test]
    fn memberships_end_behind_their_days() {
        assert_eq!(
            expiration("2026-01-01T00:00:00.000+00:00", 365).as_deref(),
            Some("2027-01-01T00:00:00.000+00:00")
        );
        assert_eq!(expiration("never", 1), None);
        assert_eq!(expiration("9999-01-01T00:00:00.000+00:00", i64::MAX), None);
    }
}
