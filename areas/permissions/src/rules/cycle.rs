//! Finds cycles of permission sets, visiting each set once.

use std::collections::{HashMap, HashSet};

/// The names along a cycle reachable from `starts`; `None` without one. `parts` has the parts of each
/// set.
#[must_use]
pub fn find(parts: &HashMap<&str, &[String]>, starts: &[&str]) -> Option<Vec<String>> {
    let mut finished: HashSet<&str> = HashSet::new();
    for start in starts {
        // An explicit stack instead of recursion, since clients choose the depth: each set with how many
        // of its parts were visited.
        let mut way: Vec<(&str, usize)> = vec![(start, 0)];
        let mut on_way: HashSet<&str> = HashSet::from([*start]);
        while let Some((name, seen)) = way.last_mut() {
            let name = *name;
            let next = parts.get(name).and_then(|all| all.get(*seen));
            *seen += 1;
            match next.map(String::as_str) {
                None => {
                    finished.insert(name);
                    on_way.remove(name);
                    way.pop();
                }
                Some(part) if on_way.contains(part) => {
                    let from = way.iter().position(|(on, _)| *on == part).unwrap_or(0);
                    return Some(way[from..].iter().map(|(on, _)| (*on).to_owned()).collect());
                }
                Some(part) if finished.contains(part) => {}
                Some(part) => {
                    on_way.insert(part);
                    way.push((part, 0));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_return_are_found() {
        let sets = [
            ("a", vec!["b", "c"]),
            ("b", vec!["d"]),
            ("c", vec!["d"]),
            ("d", vec![]),
            ("x", vec!["a", "y"]),
            ("y", vec!["z"]),
            ("z", vec!["unknown", "y"]),
            ("self", vec!["self"]),
        ];
        let owned: Vec<(&str, Vec<String>)> = sets
            .into_iter()
            .map(|(name, parts)| (name, parts.into_iter().map(str::to_owned).collect()))
            .collect();
        let parts: HashMap<&str, &[String]> = owned
            .iter()
            .map(|(name, parts)| (*name, parts.as_slice()))
            .collect();
        assert_eq!(find(&parts, &["a", "b", "d", "unknown"]), None);
        assert_eq!(
            find(&parts, &["a", "x"]),
            Some(vec!["y".to_owned(), "z".to_owned()])
        );
        assert_eq!(find(&parts, &["self"]), Some(vec!["self".to_owned()]));
    }

    #[test]
    fn a_long_chain_does_not_exhaust_the_stack() {
        let names: Vec<String> = (0..100_000).map(|at| at.to_string()).collect();
        let parts: HashMap<&str, &[String]> = (0..names.len() - 1)
            .map(|at| (names[at].as_str(), &names[at + 1..at + 2]))
            .collect();
        assert_eq!(find(&parts, &["0"]), None);
    }
}
