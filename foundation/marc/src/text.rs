//! Records as lines of text, one field a line: `245 10$aTitle$cAuthor`.
//!
//! FOLIO serves this form as a record's formatted content. It cannot distinguish a dollar sign in a
//! value from a delimiter; in text that is read, `{dollar}` stands for a dollar sign.

use std::fmt;

use thiserror::Error;

use crate::{ControlField, DataField, Field, Leader, Record, Subfield, Tag};

const DOLLAR: &str = "{dollar}";

/// A line that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct TextError {
    /// The line's number, from 1.
    pub line: usize,
    /// What is expected there.
    pub problem: &'static str,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "LEADER {}", self.leader)?;
        for field in &self.fields {
            match field {
                Field::Control(control) => writeln!(f, "{} {}", control.tag, control.value)?,
                Field::Data(data) => {
                    let [first, second] = data.indicators;
                    write!(f, "{} {first}{second}", data.tag)?;
                    for subfield in &data.subfields {
                        write!(f, "${}{}", subfield.code, subfield.value)?;
                    }
                    writeln!(f)?;
                }
            }
        }
        Ok(())
    }
}

/// Parses a record from lines of text. The leader may be absent, blank lines are ignored.
pub fn parse(text: &str) -> Result<Record, TextError> {
    let mut record = Record::default();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let problem = |problem| TextError {
            line: index + 1,
            problem,
        };
        if let Some(leader) = line.strip_prefix("LEADER ") {
            record.leader = Leader::from_bytes(leader.as_bytes());
            continue;
        }
        let (tag, content) = line
            .split_at_checked(4)
            .and_then(|(tag, content)| Some((Tag::new(tag.strip_suffix(' ')?)?, content)))
            .ok_or(problem("a line begins with a tag and a space"))?;
        record.fields.push(field(tag, content).map_err(problem)?);
    }
    Ok(record)
}

fn field(tag: Tag, content: &str) -> Result<Field, &'static str> {
    if tag.is_control() {
        let value = content.replace(DOLLAR, "$");
        return Ok(Field::Control(ControlField { tag, value }));
    }
    let mut pieces = content.split('$');
    let mut head = pieces.next().unwrap_or_default().chars();
    let (Some(first), Some(second), None) = (head.next(), head.next(), head.next()) else {
        return Err("two indicators and a subfield are expected after the tag");
    };
    let subfields = pieces
        .map(|piece| {
            let mut characters = piece.chars();
            let code = characters.next().ok_or("a subfield has a code")?;
            Ok(Subfield {
                code,
                value: characters.as_str().replace(DOLLAR, "$"),
            })
        })
        .collect::<Result<_, &'static str>>()?;
    Ok(Field::Data(DataField {
        tag,
        indicators: [first, second],
        subfields,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
LEADER 00714cam a2200205 a 4500
001 12883376
245 10$aSilence under glass /$cIda Holm.
650  0$aGlass$xHistory.
";

    #[test]
    fn text_is_read_and_written_alike() {
        let record = parse(TEXT).unwrap();
        assert_eq!(record.to_string(), TEXT);
        assert_eq!(record.control("001"), Some("12883376"));
        let titles: Vec<_> = record
            .data("245")
            .filter_map(|field| field.get('c'))
            .collect();
        assert_eq!(titles, ["Ida Holm."]);
    }

    #[test]
    fn dollars_are_spelled_out() {
        let record = parse("020   $c{dollar}12.50").unwrap();
        assert_eq!(record.data("020").next().unwrap().get('c'), Some("$12.50"));
    }

    #[test]
    fn other_lines_are_refused() {
        let refused = |text| parse(text).unwrap_err().to_string();
        assert_eq!(
            refused("\n24510 $a"),
            "line 2: a line begins with a tag and a space"
        );
        assert_eq!(
            refused("245 1$a"),
            "line 1: two indicators and a subfield are expected after the tag"
        );
        assert_eq!(refused("245 10$"), "line 1: a subfield has a code");
        assert_eq!(
            refused("ÄÖÜ"),
            "line 1: a line begins with a tag and a space"
        );
    }
}
