//! The JSONPaths that the workload language supports, and the conversion of plans' paths to them.

/// Whether the workload language supports this path: `$.a.b[0]`, `$['a']`, `$.list[*].id`,
/// `$..name`.
pub(crate) fn is_readable(path: &str) -> bool {
    let Some(mut rest) = path.strip_prefix('$') else {
        return false;
    };
    while !rest.is_empty() {
        let Some(after) = step(rest) else {
            return false;
        };
        rest = after;
    }
    true
}

fn step(rest: &str) -> Option<&str> {
    if let Some(after) = rest.strip_prefix("..") {
        return name(after);
    }
    let bracket = rest.strip_prefix(".[").or_else(|| rest.strip_prefix('['));
    if let Some(inner) = bracket {
        let (inside, after) = inner.split_once(']')?;
        let quoted = ['\'', '"'].iter().any(|quote| {
            let inside = inside.strip_prefix(*quote);
            inside.is_some_and(|inside| inside.ends_with(*quote))
        });
        let fits = inside == "*" || quoted || inside.parse::<usize>().is_ok();
        return fits.then_some(after);
    }
    let after = rest.strip_prefix('.')?;
    match after.strip_prefix('*') {
        Some(after) => Some(after),
        None => name(after),
    }
}

fn name(rest: &str) -> Option<&str> {
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    (end > 0).then(|| &rest[end..])
}

/// Whether several values can be found.
pub(crate) fn is_many(path: &str) -> bool {
    path.contains('*') || path.contains("..")
}

/// A plan's path in the workload language.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Adopted {
    /// An equivalent path.
    Same(String),
    /// A path that finds more: filters and slices are left out.
    Wider(String),
    None,
}

/// Converts a plan's path to the workload language.
pub(crate) fn adopt(text: &str) -> Adopted {
    let text = text.trim();
    let mut path = match text.strip_prefix('$') {
        Some(_) => text.to_owned(),
        None if text.starts_with(['.', '[']) => format!("${text}"),
        None if text.is_empty() => return Adopted::None,
        None => format!("$.{text}"),
    };
    if is_readable(&path) {
        return Adopted::Same(path);
    }
    while let Some(start) = path.find("[?(") {
        let Some(length) = filter_length(&path[start..]) else {
            return Adopted::None;
        };
        path.replace_range(start..start + length, "[*]");
    }
    // A descent directly into a list: its elements are found by name all the same.
    let path = path.replace("..[*].", "..").replace("[:]", "[*]");
    let path = path.replace("[-1:]", "[*]").replace("[-1]", "[*]");
    match is_readable(&path) && !path.contains("${") {
        true => Adopted::Wider(path),
        false => Adopted::None,
    }
}

/// The length of `[?( … )]` at the beginning of `text`, nested brackets included.
fn filter_length(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '[') => depth += 1,
            (None, ']') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_plans_are_adopted() {
        let same = |from: &str, to: &str| assert_eq!(adopt(from), Adopted::Same(to.into()));
        let wider = |from: &str, to: &str| assert_eq!(adopt(from), Adopted::Wider(to.into()));
        same("$.users.[0].id", "$.users.[0].id");
        same(" .data[*].id", "$.data[*].id");
        same("invoices.*.id", "$.invoices.*.id");
        same("$", "$");
        wider("$.a.[?(@.id == \"${x}\")].b", "$.a.[*].b");
        wider("$.a[?(@.b[0] != null)].id", "$.a[*].id");
        wider("$..[?(@.name == 'x')].id", "$..id");
        for none in ["", "$.a.length()['x','y'", "$.a[?(@.x == 1", "$.a['x', y]"] {
            assert_eq!(adopt(none), Adopted::None, "{none}");
        }
    }
}
