//! Who may assign which permission: those that one has, and others by kind with a permission for that
//! kind.

/// Allows assigning the gateway's permissions.
pub const ASSIGN_OKAPI: &str = "perms.users.assign.okapi";
/// Allows assigning permissions that modules defined.
pub const ASSIGN_IMMUTABLE: &str = "perms.users.assign.immutable";
/// Allows assigning permissions that the library defined.
pub const ASSIGN_MUTABLE: &str = "perms.users.assign.mutable";

/// A permission to be assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defined {
    pub name: String,
    /// Whether the library defined it.
    pub mutable: bool,
    /// Whether it is a placeholder.
    pub dummy: bool,
}

/// The kinds of permissions that assignment distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermissionKind {
    /// The gateway's.
    Okapi,
    /// Modules'.
    Immutable,
    /// The library's.
    Mutable,
}

impl PermissionKind {
    /// FOLIO's name for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            PermissionKind::Okapi => "okapi",
            PermissionKind::Immutable => "immutable",
            PermissionKind::Mutable => "mutable",
        }
    }
}

/// Permissions of one kind that the user may not assign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unowned {
    pub kind: PermissionKind,
    pub names: Vec<String>,
}

/// Checks an assignment by what the assigning user has.
///
/// # Errors
/// The first kind that the user may not assign, with all permissions of it.
pub fn may_give<'a>(
    added: impl Iterator<Item = &'a Defined>,
    has: impl Fn(&str) -> bool,
) -> Result<(), Unowned> {
    let unowned: Vec<&Defined> = added.filter(|one| !has(&one.name)).collect();
    for (kind, key) in [
        (PermissionKind::Okapi, ASSIGN_OKAPI),
        (PermissionKind::Immutable, ASSIGN_IMMUTABLE),
        (PermissionKind::Mutable, ASSIGN_MUTABLE),
    ] {
        let names: Vec<String> = unowned
            .iter()
            .filter(|one| is_of(one, kind))
            .map(|one| one.name.clone())
            .collect();
        if !names.is_empty() && !has(key) {
            return Err(Unowned { kind, names });
        }
    }
    Ok(())
}

/// Checks all permissions that sets contain: the gateway's permissions may be assigned only by users who
/// have them or may assign that kind, even inside a set.
///
/// # Errors
/// The permissions that the user may not assign.
pub fn may_give_all_of(all: &[String], has: impl Fn(&str) -> bool) -> Result<(), Unowned> {
    let unowned = all.iter().filter(|name| is_gateways(name) && !has(name));
    let names: Vec<String> = unowned.cloned().collect();
    if names.is_empty() || has(ASSIGN_OKAPI) {
        return Ok(());
    }
    let kind = PermissionKind::Okapi;
    Err(Unowned { kind, names })
}

/// Prefixes of the gateway's permissions: they allow administration of the whole server.
pub const GATEWAYS: [&str; 2] = ["okapi.", "octavo."];

fn is_gateways(name: &str) -> bool {
    name == ASSIGN_OKAPI || GATEWAYS.iter().any(|start| name.starts_with(start))
}

fn is_of(permission: &Defined, kind: PermissionKind) -> bool {
    match kind {
        PermissionKind::Okapi => is_gateways(&permission.name),
        PermissionKind::Immutable => !permission.mutable,
        PermissionKind::Mutable => permission.mutable,
    }
}

#[cfg(test)]
mod tests {
    use octavo_platform::identity::ALL_PERMISSIONS;

    use super::*;

    #[test]
    fn a_set_gives_the_gateways_only_from_who_has_them() {
        let all = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| (*name).to_owned()).collect()
        };
        let has = |held: &'static [&'static str]| move |name: &str| held.contains(&name);
        let set = all(&["desk", "users.item.get", ALL_PERMISSIONS]);
        let refused = may_give_all_of(&set, has(&[ASSIGN_MUTABLE, ASSIGN_IMMUTABLE]));
        let names = all(&[ALL_PERMISSIONS]);
        let kind = PermissionKind::Okapi;
        assert_eq!(refused, Err(Unowned { kind, names }));
        assert!(may_give_all_of(&set, has(&[ASSIGN_OKAPI])).is_ok());
        assert!(may_give_all_of(&set, has(&[ALL_PERMISSIONS])).is_ok());
        assert!(may_give_all_of(&set[..2], has(&[])).is_ok());
    }

    fn refusal_of(given: &[(&str, bool)], has: &[&str]) -> Option<(PermissionKind, Vec<String>)> {
        let given: Vec<Defined> = given
            .iter()
            .map(|(name, mutable)| Defined {
                name: (*name).to_owned(),
                mutable: *mutable,
                dummy: false,
            })
            .collect();
        may_give(given.iter(), |name| has.contains(&name))
            .err()
            .map(|unowned| (unowned.kind, unowned.names))
    }

    #[test]
    fn one_gives_what_one_has_and_the_kinds_one_is_trusted_with() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        for (given, has, expected) in [
            (&[("a", false)][..], &["a"][..], None),
            (&[("a", false)], &[ASSIGN_IMMUTABLE], None),
            (
                &[("a", false), ("b", false)],
                &[ASSIGN_MUTABLE],
                Some((PermissionKind::Immutable, names(&["a", "b"]))),
            ),
            (
                &[("desk", true)],
                &[ASSIGN_IMMUTABLE],
                Some((PermissionKind::Mutable, names(&["desk"]))),
            ),
            (&[("desk", true)], &[ASSIGN_MUTABLE], None),
            // The gateway's permissions are immutable too: both are needed, and the first kind is
            // reported.
            (
                &[("okapi.all", false), ("a", false)],
                &[ASSIGN_IMMUTABLE],
                Some((PermissionKind::Okapi, names(&["okapi.all"]))),
            ),
            (
                &[("okapi.all", false)],
                &[ASSIGN_OKAPI],
                Some((PermissionKind::Immutable, names(&["okapi.all"]))),
            ),
            (
                &[("okapi.all", false)],
                &[ASSIGN_OKAPI, ASSIGN_IMMUTABLE],
                None,
            ),
            (
                &[(ASSIGN_OKAPI, false), (ALL_PERMISSIONS, false)],
                &[ASSIGN_IMMUTABLE, ASSIGN_MUTABLE],
                Some((
                    PermissionKind::Okapi,
                    names(&[ASSIGN_OKAPI, ALL_PERMISSIONS]),
                )),
            ),
        ] {
            assert_eq!(refusal_of(given, has), expected, "{given:?} by {has:?}");
        }
    }
}
