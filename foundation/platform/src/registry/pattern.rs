//! Path patterns of module descriptors: `{id}` matches one segment, `*` anything.

/// Whether a pattern matches a path (without its query).
///
/// The work is bounded: only the last `*` is retried.
#[must_use]
pub fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (pattern.as_bytes(), path.as_bytes());
    let (mut at_pattern, mut at_path) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let step = match pattern.get(at_pattern) {
            None if at_path == path.len() => return true,
            None => None,
            Some(b'*') => {
                retry = Some((at_pattern + 1, at_path));
                at_pattern += 1;
                continue;
            }
            Some(b'{') => {
                let name = pattern[at_pattern..].iter().position(|byte| *byte == b'}');
                let segment = path[at_path..].iter().position(|byte| *byte == b'/');
                let length = segment.unwrap_or(path.len() - at_path);
                let past = name.map_or(pattern.len(), |length| at_pattern + length + 1);
                (length > 0).then_some((past, at_path + length))
            }
            Some(byte) => {
                (path.get(at_path) == Some(byte)).then_some((at_pattern + 1, at_path + 1))
            }
        };
        match (step, retry) {
            (Some(next), _) => (at_pattern, at_path) = next,
            (None, Some((after_star, from))) if from < path.len() => {
                retry = Some((after_star, from + 1));
                (at_pattern, at_path) = (after_star, from + 1);
            }
            (None, _) => return false,
        }
    }
}

/// The error in a pattern, in Okapi's words; `None` when it is well formed.
#[must_use]
pub fn fault(pattern: &str) -> Option<String> {
    const NOT_IN_PATTERNS: &str = "\\%+{}()[].;:=?@#^$\"' ";
    let mut inside = false;
    for character in pattern.chars() {
        match character {
            '}' if inside => inside = false,
            '{' if !inside => inside = true,
            '/' if inside => {
                return Some("Invalid character / inside {}-construct in pathPattern".to_owned());
            }
            _ if NOT_IN_PATTERNS.contains(character) => {
                return Some(format!("Invalid character {character} for pathPattern"));
            }
            _ => {}
        }
    }
    inside.then(|| "Missing }-character for {}-construct in pathPattern".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_okapi_means() {
        for (pattern, path, expected) in [
            ("/users", "/users", true),
            ("/users", "/users/", false),
            ("/users", "/user", false),
            ("/users/{id}", "/users/1", true),
            ("/users/{id}", "/users/", false),
            ("/users/{id}", "/users/1/2", false),
            ("/users/{id}/cards/{card}", "/users/1/cards/2", true),
            ("/perms/users*", "/perms/users", true),
            ("/perms/users*", "/perms/users/1/permissions", true),
            ("/perms/users*", "/perms/user", false),
            ("/*", "/anything/at/all", true),
            ("/*", "/", true),
            ("/a*b*c", "/aXXbYYc", true),
            ("/a*b*c", "/aXXcYYb", false),
            ("/groups/{id}*", "/groups/1", true),
            ("/groups/{id}*", "/groups/1/more", true),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn many_stars_do_not_cost_more_than_a_walk() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(20_000)));
    }

    #[test]
    fn malformed_patterns_are_reported() {
        assert_eq!(fault("/a/{id}/b*"), None);
        for wrong in ["/a/{id", "/a/{i/d}", "/a?b", "/a.b", "/a+b"] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
    }
}
