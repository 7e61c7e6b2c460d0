//! Rules for users of a tenant that is a member of a consortium, and when other members are notified of
//! changes. Other tenants have no such rules.

use serde_json::{Map, Value, json};

/// The types that a user of a consortium may have.
pub const USER_TYPES: [&str; 5] = ["patron", "staff", "shadow", "system", "dcb"];

/// Why a consortium's rules do not allow a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberRefusal {
    /// The type is missing or unknown.
    UnknownType,
    /// Staff need a username, since they log in.
    StaffWithoutName,
}

/// The kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserChange {
    Created,
    /// It was changed.
    Edited,
    /// It is gone.
    Deleted,
}

impl UserChange {
    /// The topic of the event for members of the consortium.
    #[must_use]
    pub fn topic(self) -> &'static str {
        match self {
            UserChange::Created => "users.USER_CREATED",
            UserChange::Edited => "users.USER_UPDATED",
            UserChange::Deleted => "users.USER_DELETED",
        }
    }

    /// FOLIO's name for it inside the event.
    #[must_use]
    pub fn action(self) -> &'static str {
        match self {
            UserChange::Created => "Create",
            UserChange::Edited => "Edit",
            UserChange::Deleted => "Delete",
        }
    }
}

/// Checks type and username against the consortium's rules.
pub fn check(user: &Map<String, Value>) -> Result<(), MemberRefusal> {
    let kind = text(user, "type");
    if !kind.is_some_and(|kind| USER_TYPES.contains(&kind)) {
        return Err(MemberRefusal::UnknownType);
    }
    if kind == Some("staff") && text(user, "username").is_none_or(|name| name.trim().is_empty()) {
        return Err(MemberRefusal::StaffWithoutName);
    }
    Ok(())
}

/// The username that has to be unique in all tenants: that of a new user who is not a system user, or a
/// changed one.
#[must_use]
pub fn name_to_check<'a>(
    new: &'a Map<String, Value>,
    old: Option<&Map<String, Value>>,
) -> Option<&'a str> {
    let name = text(new, "username")?;
    let wanted = match old {
        None => text(new, "type") != Some("system"),
        Some(old) => text(old, "username") != Some(name),
    };
    wanted.then_some(name)
}

/// Whether members are notified of a new or changed user: for staff and system users when a shared
/// property changed, and for users who became staff or patrons.
#[must_use]
pub fn is_notified(new: &Map<String, Value>, old: Option<&Map<String, Value>>) -> bool {
    let official = matches!(text(new, "type"), Some("staff" | "system"));
    let Some(old) = old else {
        return official;
    };
    let kinds = (text(old, "type"), text(new, "type"));
    let moved = matches!(
        kinds,
        (Some("staff"), Some("patron")) | (Some("patron"), Some("staff"))
    );
    let kept = ["username", "barcode", "externalSystemId"]
        .iter()
        .any(|name| text(new, name) != text(old, name))
        || new.contains_key("personal") != old.contains_key("personal")
        || ["email", "phone", "mobilePhone"]
            .iter()
            .any(|name| personal(new, name) != personal(old, name));
    moved || official && (kept || is_renamed(new, old))
}

/// Whether username or address changed, which is a field of the event.
#[must_use]
pub fn is_renamed(new: &Map<String, Value>, old: &Map<String, Value>) -> bool {
    new.contains_key("personal")
        && old.contains_key("personal")
        && ["firstName", "lastName", "email"]
            .iter()
            .any(|name| personal(new, name) != personal(old, name))
}

/// The properties of a user that other tenants get.
#[must_use]
pub fn shared_part(user: &Map<String, Value>) -> Value {
    let mut shared = Map::new();
    for name in [
        "id",
        "username",
        "active",
        "type",
        "barcode",
        "externalSystemId",
    ] {
        if let Some(value) = user.get(name) {
            shared.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(Value::Object(all)) = user.get("personal") {
        let names = ["firstName", "lastName", "email", "phone", "mobilePhone"];
        let shared_personal: Map<String, Value> = names
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), all.get(*name)?.clone())))
            .collect();
        shared.insert("personal".to_owned(), json!(shared_personal));
    }
    Value::Object(shared)
}

fn text<'a>(user: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    user.get(name).and_then(Value::as_str)
}

fn personal<'a>(user: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    user.get("personal").and_then(|personal| personal.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_consortium_asks_for_a_type_and_staff_for_a_name() {
        assert_eq!(check(&user(json!({}))), Err(MemberRefusal::UnknownType));
        let unknown = user(json!({"type": "guest", "username": "a"}));
        assert_eq!(check(&unknown), Err(MemberRefusal::UnknownType));
        let nameless = user(json!({"type": "staff"}));
        assert_eq!(check(&nameless), Err(MemberRefusal::StaffWithoutName));
        assert_eq!(check(&user(json!({"type": "patron"}))), Ok(()));
    }

    #[test]
    fn members_hear_of_staff_and_of_who_becomes_staff() {
        let staff = user(json!({"type": "staff", "username": "a", "personal": {"lastName": "A"}}));
        let patron = user(json!({"type": "patron", "username": "a"}));
        assert!(is_notified(&staff, None));
        assert!(!is_notified(&patron, None));
        assert!(is_notified(&staff, Some(&patron)) && is_notified(&patron, Some(&staff)));
        assert!(!is_notified(&staff, Some(&staff)));
        let mut renamed = staff.clone();
        renamed["personal"] = json!({"lastName": "B"});
        assert!(is_notified(&renamed, Some(&staff)) && is_renamed(&renamed, &staff));
        let mut tagged = staff.clone();
        tagged.insert("tags".to_owned(), json!({"tagList": ["x"]}));
        assert!(!is_notified(&tagged, Some(&staff)));
    }

    #[test]
    fn names_are_compared_across_tenants_only_where_they_are_new() {
        let old = user(json!({"type": "staff", "username": "a"}));
        let new = user(json!({"type": "staff", "username": "b"}));
        let system = user(json!({"type": "system", "username": "s"}));
        assert_eq!(name_to_check(&new, Some(&old)), Some("b"));
        assert_eq!(name_to_check(&old, Some(&old)), None);
        assert_eq!(name_to_check(&old, None), Some("a"));
        assert_eq!(name_to_check(&system, None), None);
        assert_eq!(name_to_check(&user(json!({})), None), None);
    }

    #[test]
    fn other_tenants_learn_no_more_than_they_need() {
        let all = user(json!({
            "id": "1", "type": "staff", "patronGroup": "2", "barcode": "3",
            "personal": {"lastName": "A", "dateOfBirth": "2000-01-01", "addresses": []},
        }));
        assert_eq!(
            shared_part(&all),
            json!({"id": "1", "type": "staff", "barcode": "3", "personal": {"lastName": "A"}})
        );
    }
}
