//! References to variables in templates of the workload language.

/// Variables that the driver sets itself.
pub(crate) const DRIVERS: [&str; 5] = ["host", "prefix", "tenant", "username", "password"];

/// A variable with the value `$`, for texts with a literal `${`.
pub(crate) const DOLLAR: &str = "dollar";

/// The names of the variables in `text`, without functions.
pub(crate) fn names(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("${") {
        let Some((inside, after)) = after.split_once('}') else {
            break;
        };
        if !inside.contains('(') {
            found.push(inside);
        }
        rest = after;
    }
    found
}

/// Renames each reference to `from` in `text` to `to`.
pub(crate) fn rename(text: &mut String, from: &str, to: &str) {
    let reference = format!("${{{from}}}");
    if text.contains(&reference) {
        *text = text.replace(&reference, &format!("${{{to}}}"));
    }
}

/// A valid name for a reference that is not one of the driver's variables.
pub(crate) fn variable(name: &str) -> String {
    let name: String = name
        .trim()
        .chars()
        .map(|letter| match letter {
            // In a request's target these characters are delimiters.
            '&' | '=' | '?' | '#' => '_',
            '(' | ')' | '{' | '}' | '$' | '"' | '\'' | '\\' => '_',
            letter if letter.is_control() => '_',
            letter => letter,
        })
        .collect();
    match name.as_str() {
        "" => "unnamed".to_owned(),
        "host" | "prefix" => format!("plan_{name}"),
        _ => name,
    }
}

/// Escapes text so that all of it is literal.
pub(crate) fn literal(text: &str) -> String {
    text.replace("${", &format!("${{{DOLLAR}}}{{"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_and_renames() {
        assert_eq!(names("a${b}/${uuid()}?${c d}${"), ["b", "c d"]);
        let mut text = "${a}${ab}".to_owned();
        rename(&mut text, "a", "x");
        assert_eq!(text, "${x}${ab}");
        assert_eq!(variable("host"), "plan_host");
        assert_eq!(literal("a${b"), "a${dollar}{b");
    }
}
