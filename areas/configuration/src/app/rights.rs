//! Who may read and write settings: permissions with the scope in their names. Pure; FOLIO's names are
//! `mod-settings.{whose}.{action}.{scope}` and `mod-settings.{whose}.{scope}.{action}`.

use std::collections::BTreeMap;

use uuid::Uuid;

/// The prefix of these permissions.
pub const PREFIX: &str = "mod-settings.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Reading.
    Read,
    /// Creating, changing or deleting.
    Write,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::Read => "read",
            Action::Write => "write",
        }
    }
}

/// Whose settings of one scope a caller may read, or write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rights {
    /// The tenant's.
    pub global: bool,
    /// Those of all users.
    pub users: bool,
    /// The caller's own.
    pub owner: bool,
}

impl Rights {
    /// The rights on a scope that permissions give.
    pub fn on(scope: &str, action: Action, holds: impl Fn(&str) -> bool) -> Rights {
        let action = action.name();
        let of = |whose: &str| {
            holds(&format!("{PREFIX}{whose}.{action}.{scope}"))
                || holds(&format!("{PREFIX}{whose}.{scope}.{action}"))
        };
        Rights {
            global: of("global"),
            users: of("users"),
            owner: of("owner"),
        }
    }

    /// Whether the rights cover the settings of an owner; the tenant's settings have none.
    #[must_use]
    pub fn reach(self, owner: Option<Uuid>, caller: Option<Uuid>) -> bool {
        match owner {
            None => self.global,
            Some(owner) => self.users || (self.owner && caller == Some(owner)),
        }
    }

    fn grant(&mut self, whose: &str) {
        match whose {
            "global" => self.global = true,
            "users" => self.users = true,
            "owner" => self.owner = true,
            _ => {}
        }
    }
}

/// The scopes that these permissions allow reading.
pub fn readable<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, Rights> {
    let mut scopes: BTreeMap<&str, Rights> = BTreeMap::new();
    for name in names {
        let Some((whose, rest)) = name
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split_once('.'))
        else {
            continue;
        };
        let named = [rest.strip_prefix("read."), rest.strip_suffix(".read")];
        for scope in named.into_iter().flatten().filter(|one| !one.is_empty()) {
            scopes.entry(scope).or_default().grant(whose);
        }
    }
    scopes.retain(|_, rights| *rights != Rights::default());
    scopes
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: Rights = Rights {
        global: false,
        users: false,
        owner: false,
    };

    #[test]
    fn a_right_reaches_whom_its_name_says() {
        let (me, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let global = Rights {
            global: true,
            ..NOBODY
        };
        let users = Rights {
            users: true,
            ..NOBODY
        };
        let owner = Rights {
            owner: true,
            ..NOBODY
        };
        for (rights, caller, reached) in [
            (NOBODY, Some(me), [false, false, false]),
            (global, Some(me), [true, false, false]),
            (users, Some(me), [false, true, true]),
            (owner, Some(me), [false, true, false]),
            (owner, None, [false, false, false]),
        ] {
            let owners = [None, Some(me), Some(other)];
            let found = owners.map(|owner| rights.reach(owner, caller));
            assert_eq!(found, reached, "{rights:?} of {caller:?}");
        }
    }

    #[test]
    fn both_forms_of_names_are_known() {
        for name in [
            "mod-settings.owner.write.a.b",
            "mod-settings.owner.a.b.write",
        ] {
            let rights = Rights::on("a.b", Action::Write, |asked| asked == name);
            assert!(rights.owner && !rights.global && !rights.users, "{name}");
            assert_eq!(
                Rights::on("a.b", Action::Read, |asked| asked == name),
                NOBODY
            );
            assert_eq!(
                Rights::on("a", Action::Write, |asked| asked == name),
                NOBODY
            );
        }
    }

    #[test]
    fn scopes_are_read_from_names() {
        let scopes = readable(
            [
                "mod-settings.global.read.ui-tags.tags.manage",
                "mod-settings.users.read.ui-tags.tags.manage",
                "mod-settings.owner.mine.read",
                "mod-settings.global.write.other",
                "mod-settings.entries.collection.get",
                "mod-settings.entries.read.x",
                "mod-settings.global.read.",
                "users.global.read.x",
            ]
            .into_iter(),
        );
        let names: Vec<&str> = scopes.keys().copied().collect();
        assert_eq!(names, ["mine", "ui-tags.tags.manage"]);
        assert!(scopes["mine"].owner);
        let both = scopes["ui-tags.tags.manage"];
        assert!(both.global && both.users && !both.owner);
    }
}
