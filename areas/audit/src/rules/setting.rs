//! The settings of histories: their groups, and which values are valid.

use serde_json::Value;

/// A group of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    pub id: &'static str,
    pub name: &'static str,
    pub description: &'static str,
}

/// The groups, by id.
pub const GROUPS: [Group; 2] = [
    Group {
        id: "audit.authority",
        name: "Authority Audit Configuration",
        description: "History of authority records",
    },
    Group {
        id: INVENTORY,
        name: "Inventory Audit Configuration",
        description: "History of instances, holdings, items and their MARC records",
    },
];

/// The group of inventory.
pub const INVENTORY: &str = "audit.inventory";
/// The group of authorities.
pub const AUTHORITY: &str = "audit.authority";
/// Entries on a page, where the setting says nothing that can be used.
pub const PAGE_SIZE: i64 = 10;
/// The most entries on a page.
pub const PAGE_SIZE_MAX: i64 = 1_000;

/// Whether there is such a group.
#[must_use]
pub fn is_group(id: &str) -> bool {
    GROUPS.iter().any(|group| group.id == id)
}

/// What is wrong with a value of a type, if anything.
#[must_use]
pub fn fault_of(kind: &str, value: &Value) -> Option<&'static str> {
    match kind {
        "STRING" if !value.is_string() => Some("Setting value should be a string"),
        "INTEGER" if !is_integer(value) => Some("Setting value should be an integer"),
        "BOOLEAN" if !value.is_boolean() => Some("Setting value should be a boolean"),
        _ => None,
    }
}

fn is_integer(value: &Value) -> bool {
    value
        .as_i64()
        .is_some_and(|number| i32::try_from(number).is_ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_of_its_type() {
        for (kind, value) in [
            ("STRING", json!("x")),
            ("INTEGER", json!(-1)),
            ("BOOLEAN", json!(false)),
        ] {
            assert_eq!(fault_of(kind, &value), None);
            assert!(fault_of(kind, &json!([])).is_some(), "{kind}");
            assert!(fault_of(kind, &json!(1.5)).is_some(), "{kind}");
        }
        assert!(fault_of("INTEGER", &json!(i64::MAX)).is_some());
    }
}
