//! Assignments of variables in a plan's scripts: `vars.put("a", vars.get("b"))`, `props.put("a",
//! "text")`, `${__setProperty(a,${b})}`. Nothing is run.

use std::collections::BTreeMap;

use super::text::{Piece, pieces};
use crate::reference;

const TEXT_BYTES_MAX: usize = 1 << 20;

/// Collects the variables that a script copies, and the texts that it sets.
pub(super) fn read(
    script: &str,
    aliases: &mut BTreeMap<String, String>,
    constants: &mut BTreeMap<String, String>,
) {
    if script.len() > TEXT_BYTES_MAX {
        return;
    }
    for call in ["vars.put(", "props.put(", "props.setProperty("] {
        for part in script.split(call).skip(1) {
            let Some((name, value)) = put(part) else {
                continue;
            };
            let name = reference::variable(name);
            match value {
                Value::Copy(from) => {
                    let from = reference::variable(from);
                    if from != name {
                        aliases.entry(name).or_insert(from);
                    }
                }
                Value::Text(text) => {
                    constants.entry(name).or_insert_with(|| text.to_owned());
                }
            }
        }
    }
    if script.contains("__setProperty(") {
        for piece in pieces(script) {
            if let Piece::Function {
                name, arguments, ..
            } = piece
                && name == "setProperty"
                && let [name, value, ..] = &arguments[..]
                && let [Piece::Variable(from)] = &pieces(value)[..]
            {
                let name = reference::variable(name);
                let from = reference::variable(from);
                if from != name {
                    aliases.entry(name).or_insert(from);
                }
            }
        }
    }
}

enum Value<'s> {
    Copy(&'s str),
    Text(&'s str),
}

/// `"name", vars.get("other"))` or `"name", "text")`.
fn put(text: &str) -> Option<(&str, Value<'_>)> {
    let (name, rest) = quoted(text)?;
    let rest = rest.trim_start().strip_prefix(',')?.trim_start();
    let is_end = |rest: &str| {
        let rest = rest.trim_start();
        let rest = rest.strip_prefix(".toString()").unwrap_or(rest);
        rest.trim_start().starts_with(')')
    };
    for get in ["vars.get(", "props.get(", "props.getProperty("] {
        if let Some(after) = rest.strip_prefix(get) {
            let (from, after) = quoted(after)?;
            let after = after.trim_start().strip_prefix(')')?;
            return is_end(after).then_some((name, Value::Copy(from)));
        }
    }
    let (text, after) = quoted(rest)?;
    let is_plain = !text.contains(['$', '\\']);
    (is_plain && is_end(after)).then_some((name, Value::Text(text)))
}

fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text
        .chars()
        .next()
        .filter(|letter| "\"'".contains(*letter))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_texts_are_read() {
        let (mut aliases, mut constants) = (BTreeMap::new(), BTreeMap::new());
        let script = "vars.put(\"a\", vars.get(\"b\"));\nprops.put('c', \"text\")\n\
            vars.put(\"d\", \"x\" + 1); vars.put(\"e\", count.toString()); vars.put(";
        read(script, &mut aliases, &mut constants);
        read(
            "${__setProperty(token,${okapi},)}",
            &mut aliases,
            &mut constants,
        );
        assert_eq!(aliases.len(), 2);
        assert_eq!(
            (aliases["a"].as_str(), aliases["token"].as_str()),
            ("b", "okapi")
        );
        assert_eq!(
            constants.into_iter().collect::<Vec<_>>(),
            [("c".into(), "text".into())]
        );
    }
}
