//! Parses JMeter's texts: `${variable}` and `${__function(arguments)}`, nested as JMeter allows.

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Variable(String),
    Function {
        /// Without the two underscores.
        name: String,
        /// Each a text of its own.
        arguments: Vec<String>,
        /// As it stands in the plan.
        source: String,
    },
}

/// Parses a text. An unclosed reference is literal.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        plain.push_str(before);
        let Some((piece, length)) = reference(after) else {
            plain.push_str("${");
            rest = after;
            continue;
        };
        if !plain.is_empty() {
            found.push(Piece::Text(std::mem::take(&mut plain)));
        }
        found.push(piece);
        rest = &after[length..];
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        found.push(Piece::Text(plain));
    }
    found
}

/// The reference that begins after `${`, and its length with the closing brace.
fn reference(text: &str) -> Option<(Piece, usize)> {
    let Some(function) = text.strip_prefix("__") else {
        let length = closing_brace(text)?;
        return Some((Piece::Variable(text[..length].to_owned()), length + 1));
    };
    let name_end = function.find(['(', '}'])?;
    let name = function[..name_end].trim().to_owned();
    let (arguments, end) = match function[name_end..].starts_with('(') {
        false => (Vec::new(), 2 + name_end),
        true => {
            let (arguments, length) = arguments(&function[name_end + 1..])?;
            let end = 2 + name_end + 1 + length;
            // JMeter requires the brace right here; existing plans have a blank or a semicolon
            // before it.
            (arguments, end + text[end..].find('}')?)
        }
    };
    let piece = Piece::Function {
        name,
        arguments,
        source: format!("${{{}}}", &text[..end]),
    };
    Some((piece, end + 1))
}

/// Where a variable's name ends, skipping nested references.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The arguments up to the closing parenthesis, and the length including it.
fn arguments(text: &str) -> Option<(Vec<String>, usize)> {
    let mut arguments = vec![String::new()];
    let mut brackets = 0usize;
    let mut braces = 0usize;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        let last = arguments.last_mut()?;
        if std::mem::take(&mut escaped) {
            last.push(letter);
            continue;
        }
        match letter {
            '\\' => escaped = true,
            ')' if brackets == 0 => {
                let arguments = arguments.iter().map(|one| one.trim().to_owned());
                return Some((arguments.collect(), at + 1));
            }
            ',' if brackets == 0 && braces == 0 => arguments.push(String::new()),
            _ => {
                match letter {
                    '(' => brackets += 1,
                    ')' => brackets -= 1,
                    '{' => braces += 1,
                    '}' => braces = braces.saturating_sub(1),
                    _ => {}
                }
                last.push(letter);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let function = |name: &str, arguments: &[&str], source: &str| Piece::Function {
            name: name.into(),
            arguments: arguments.iter().map(|one| (*one).into()).collect(),
            source: source.into(),
        };
        assert_eq!(
            pieces("a${b}${__UUID}${__P(c, ${d})}e${"),
            [
                Piece::Text("a".into()),
                Piece::Variable("b".into()),
                function("UUID", &[], "${__UUID}"),
                function("P", &["c", "${d}"], "${__P(c, ${d})}"),
                Piece::Text("e${".into()),
            ]
        );
        let groovy = "${__groovy(vars.get(\"a\").equals(\"}\") ;)}";
        assert!(matches!(&pieces(groovy)[..], [Piece::Function { name, .. }] if name == "groovy"));
        assert_eq!(pieces("${a_${b}}"), [Piece::Variable("a_${b}".into())]);
        assert_eq!(pieces("${__x("), [Piece::Text("${__x(".into())]);
    }
}
