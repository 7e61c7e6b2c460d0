//! The permissions that a module defines: single ones and sets of them. The permissions area holds
//! the sets that a tenant defines.

use serde::{Deserialize, Serialize};

/// One permission, or a set of others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionSet {
    /// FOLIO's name, `users.item.get`.
    pub permission_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The permissions that it includes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sub_permissions: Vec<String>,
    /// Whether user interfaces offer it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<bool>,
    /// Former names: users who hold one of them get this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<String>,
}

/// Parses tab-separated permissions. The first line is `name displayName subPermissions visible
/// replaces`; sub-permissions and replaced names are separated by blanks, `visible` is `true` or
/// empty, and trailing cells may be left out.
#[must_use]
pub fn table(text: &str) -> Vec<PermissionSet> {
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let mut cells = line.split('\t');
            let mut cell = || cells.next().unwrap_or_default().trim();
            let names = |cell: &str| cell.split_whitespace().map(str::to_owned).collect();
            let permission_name = cell().to_owned();
            let display_name = Some(cell().to_owned()).filter(|name| !name.is_empty());
            let sub_permissions = names(cell());
            let visible = (cell() == "true").then_some(true);
            let replaces = names(cell());
            PermissionSet {
                permission_name,
                display_name,
                description: None,
                sub_permissions,
                visible,
                replaces,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_be_empty_or_left_out() {
        let read = table(
            "name\tdisplayName\tsubPermissions\tvisible\treplaces\n\
             a.get\tRead an a\n\n\
             a.all\t\ta.get a.put\ttrue\ta.everything\n",
        );
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].permission_name, "a.get");
        assert_eq!(read[0].display_name.as_deref(), Some("Read an a"));
        assert!(read[0].sub_permissions.is_empty() && read[0].visible.is_none());
        assert_eq!(read[1].display_name, None);
        assert_eq!(read[1].sub_permissions, ["a.get", "a.put"]);
        assert_eq!(read[1].visible, Some(true));
        assert_eq!(read[1].replaces, ["a.everything"]);
    }
}
