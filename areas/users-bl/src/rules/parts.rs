//! The requested parts of a composite user.

/// The parts beside the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// The patron group.
    pub groups: bool,
    /// The permissions assigned to the user.
    pub permissions: bool,
    /// The permissions expanded, each as a record.
    pub expanded: bool,
    /// The user's proxies and sponsors.
    pub proxies: bool,
    pub service_points: bool,
}

impl Parts {
    /// FOLIO's default.
    pub const DEFAULT: Parts = Parts {
        groups: true,
        permissions: true,
        expanded: false,
        proxies: false,
        service_points: true,
    };

    /// Reads FOLIO's `include`, once for each part or with commas between them; unknown names are
    /// ignored, as in FOLIO.
    #[must_use]
    pub fn read(include: &[String], expand: bool) -> Parts {
        let names = include
            .iter()
            .flat_map(|value| value.split(','))
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let mut parts = Parts::default();
        let mut any = false;
        for name in names {
            any = true;
            match name {
                "groups" => parts.groups = true,
                "perms" => parts.permissions = true,
                "expanded_perms" => (parts.permissions, parts.expanded) = (true, true),
                "proxiesfor" => parts.proxies = true,
                "servicepoints" | "expanded_servicepoints" => parts.service_points = true,
                _ => {}
            }
        }
        if !any {
            parts = Parts::DEFAULT;
        }
        parts.expanded |= expand && parts.permissions;
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;

    fn read(include: &[&str], expand: bool) -> Parts {
        let include: Vec<String> = include.iter().map(|&one| one.to_owned()).collect();
        Parts::read(&include, expand)
    }

    #[test]
    fn parts_are_named_one_by_one_or_in_a_list() {
        assert_eq!(read(&[], false), Parts::DEFAULT);
        assert_eq!(read(&[""], false), Parts::DEFAULT);
        let groups = Parts {
            groups: true,
            ..Parts::default()
        };
        assert_eq!(read(&["groups"], false), groups);
        // Nothing to expand.
        assert_eq!(read(&["groups"], true), groups);
        let both = Parts {
            proxies: true,
            ..groups
        };
        assert_eq!(read(&["groups", "proxiesfor"], false), both);
        assert_eq!(read(&["groups, proxiesfor"], false), both);
        assert_eq!(read(&["horses"], false), Parts::default());
        let expanded = Parts {
            permissions: true,
            expanded: true,
            ..Parts::default()
        };
        assert_eq!(read(&["perms"], true), expanded);
        assert_eq!(read(&["expanded_perms"], false), expanded);
        assert!(read(&[], true).expanded);
    }
}
