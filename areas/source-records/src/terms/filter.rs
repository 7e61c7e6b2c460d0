//! Translates comparisons to conditions on search terms, with a recheck in the record itself if the
//! terms are not exact.

use super::entry::is_significant;
use super::{BLANK, FIXED, FIXED_TEXTS, POSITIONED, POSITIONS, PREFIXES, UNUSUAL};
use crate::expression::{DateTest, Operand, Tag, Test};

/// The filter of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The condition on terms.
    pub terms: Terms,
    /// The recheck; `None` if the terms are exact.
    pub recheck: Option<Recheck>,
}

/// A condition on search terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terms {
    /// All of these.
    All(Vec<i64>),
    /// One of these.
    Any(Vec<i64>),
    /// None of these.
    Without(Vec<i64>),
    /// The first, and not the second.
    Only(i64, i64),
    /// The day of field 005.
    Changed(DateTest),
    /// No record.
    Nothing,
}

/// A condition on the stored record: one of the texts at a path must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recheck {
    /// The path in PostgreSQL's notation; consists of tags and codes only.
    pub path: String,
    /// The condition.
    pub condition: Condition,
}

/// A condition on one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Equals(String),
    /// It is not this.
    Differs(String),
    Begins(String),
    /// It has these characters there, counted from 0; or others.
    At {
        /// The first position.
        at: u16,
        /// The characters.
        value: String,
        /// Whether others.
        negated: bool,
    },
    /// It begins with such a date.
    Date(DateTest),
}

impl Filter {
    fn exact(terms: Terms) -> Filter {
        Filter {
            terms,
            recheck: None,
        }
    }
}

/// The filter of a comparison.
#[must_use]
pub fn filter(operand: &Operand) -> Filter {
    match operand {
        Operand::Leader {
            at,
            length,
            value,
            negated,
        } => leader(*at, *length, value, *negated),
        Operand::Indicator { tag, number, test } => indicator(*tag, *number, test),
        Operand::Subfield { tag, code, test } => subfield(*tag, *code, test),
        Operand::Value { tag, test } => any_value(*tag, test),
        Operand::Position {
            tag,
            at,
            value,
            negated,
        } => position(*tag, *at, value, *negated),
        Operand::Date { tag, test } if tag.as_str() == "005" => {
            Filter::exact(Terms::Changed(*test))
        }
        Operand::Date { tag, test } => Filter {
            terms: Terms::Any(vec![super::has_tag(*tag)]),
            recheck: Some(Recheck {
                path: value_path(*tag, None),
                condition: Condition::Date(*test),
            }),
        },
    }
}

fn leader(at: u8, length: u8, value: &str, negated: bool) -> Filter {
    let mut characters = value.chars();
    let term = match (length, characters.next(), characters.next()) {
        (1, Some(one), None) => super::leader(at, one),
        _ => super::leader_text(at, value),
    };
    Filter::exact(if negated {
        Terms::Without(vec![term])
    } else {
        Terms::Any(vec![term])
    })
}

fn indicator(tag: Tag, number: u8, test: &Test) -> Filter {
    let all = || super::codes().chain([BLANK]);
    let terms = |wanted: &dyn Fn(char) -> bool| {
        let wanted = all().filter(|one| wanted(*one));
        Terms::Any(
            wanted
                .map(|one| super::has_indicator(tag, number, one))
                .collect(),
        )
    };
    let recheck = |condition| {
        Some(Recheck {
            path: indicator_path(tag, number),
            condition,
        })
    };
    let single = |text: &str| {
        let mut characters = text.chars();
        characters.next().filter(|_| characters.next().is_none())
    };
    match test {
        Test::Present => Filter::exact(terms(&|one| one != BLANK)),
        Test::Absent => Filter::exact(terms(&|one| one == BLANK)),
        // An indicator is one character, so a prefix is the whole value.
        Test::Equals(text) | Test::Begins(text) => match single(text) {
            None => Filter::exact(Terms::Nothing),
            Some(wanted) => {
                let kept = super::indicator_kept(wanted);
                let unusual = kept == UNUSUAL;
                Filter {
                    terms: terms(&|one| one == kept),
                    recheck: recheck(Condition::Equals(text.clone())).filter(|_| unusual),
                }
            }
        },
        Test::Differs(text) => match single(text).map(super::indicator_kept) {
            None => Filter::exact(terms(&|_| true)),
            Some(UNUSUAL) => Filter {
                terms: terms(&|_| true),
                recheck: recheck(Condition::Differs(text.clone())),
            },
            Some(kept) => Filter::exact(terms(&|one| one != kept)),
        },
    }
}

fn subfield(tag: Tag, code: char, test: &Test) -> Filter {
    let of = |test: &dyn Fn(char) -> i64| Terms::Any(vec![test(code)]);
    let path = || value_path(tag, Some(code));
    match test {
        Test::Present => Filter::exact(of(&|code| super::has_code(tag, code))),
        // As in FOLIO, "absent" requires that the field exists.
        Test::Absent => Filter::exact(Terms::Only(super::has_tag(tag), super::has_code(tag, code))),
        other => compared(tag, &of, &path, other),
    }
}

fn any_value(tag: Tag, test: &Test) -> Filter {
    // The value of a control field is stored under the code 0.
    let of = |test: &dyn Fn(char) -> i64| match tag.is_control() {
        true => Terms::Any(vec![test('0')]),
        false => Terms::Any(super::codes().map(test).collect()),
    };
    let path = || value_path(tag, None);
    match test {
        Test::Present => Filter::exact(Terms::Any(vec![super::has_tag(tag)])),
        Test::Absent => Filter::exact(Terms::Without(vec![super::has_tag(tag)])),
        Test::Differs(text) => Filter {
            terms: Terms::Any(vec![super::has_tag(tag)]),
            recheck: Some(Recheck {
                path: path(),
                condition: Condition::Differs(text.clone()),
            }),
        },
        other => compared(tag, &of, &path, other),
    }
}

/// Builds a condition from a term for each possible code.
type Spread<'a> = &'a dyn Fn(&dyn Fn(char) -> i64) -> Terms;

fn compared(tag: Tag, of: Spread<'_>, path: &dyn Fn() -> String, test: &Test) -> Filter {
    let recheck = |condition| {
        Some(Recheck {
            path: path(),
            condition,
        })
    };
    match test {
        Test::Equals(text) => Filter::exact(of(&|code| super::value(tag, code, text))),
        Test::Begins(text) => {
            let length = text.chars().count();
            let kept = PREFIXES.iter().rev().find(|kept| **kept <= length);
            let Some(kept) = kept else {
                return Filter {
                    terms: of(&|code| super::has_code(tag, code)),
                    recheck: recheck(Condition::Begins(text.clone())),
                };
            };
            let begin: String = text.chars().take(*kept).collect();
            Filter {
                terms: of(&|code| super::prefix(tag, code, &begin)),
                recheck: recheck(Condition::Begins(text.clone())).filter(|_| *kept < length),
            }
        }
        Test::Differs(text) => Filter {
            terms: of(&|code| super::has_code(tag, code)),
            recheck: recheck(Condition::Differs(text.clone())),
        },
        Test::Present | Test::Absent => Filter::exact(Terms::Nothing),
    }
}

fn position(tag: Tag, at: u16, value: &str, negated: bool) -> Filter {
    let length = value.chars().count();
    if tag.as_str() == FIXED && !negated && FIXED_TEXTS.contains(&(at, length)) {
        return Filter::exact(Terms::Any(vec![super::fixed_text(at, value)]));
    }
    let recheck = Recheck {
        path: value_path(tag, None),
        condition: Condition::At {
            at,
            value: value.to_owned(),
            negated,
        },
    };
    let kept =
        POSITIONED.contains(&tag.as_str()) && usize::from(at) + length <= POSITIONS && !negated;
    let significant: Vec<i64> = (usize::from(at)..)
        .zip(value.chars())
        .filter(|(_, one)| kept && is_significant(*one))
        .map(|(at, one)| super::position(tag, at as u8, one))
        .collect();
    if significant.is_empty() {
        return Filter {
            terms: Terms::Any(vec![super::has_tag(tag)]),
            recheck: Some(recheck),
        };
    }
    // Single-character terms may match in different occurrences of the field, so several need a recheck.
    let alone = length == 1;
    Filter {
        terms: Terms::All(significant),
        recheck: (!alone).then_some(recheck),
    }
}

/// The path of the values of a field, of one code or of all.
#[must_use]
pub fn value_path(tag: Tag, code: Option<char>) -> String {
    let field = format!("$.parsedRecord.content.fields[*].\"{}\"", tag.as_str());
    match (tag.is_control(), code) {
        (true, None | Some('0')) => field,
        (_, Some(code)) => format!("{field}.subfields[*].\"{code}\""),
        (false, None) => format!("{field}.subfields[*].*"),
    }
}

/// The path of an indicator.
#[must_use]
pub fn indicator_path(tag: Tag, number: u8) -> String {
    format!(
        "$.parsedRecord.content.fields[*].\"{}\".ind{number}",
        tag.as_str()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::{Expression, parse};

    fn of(text: &str) -> Filter {
        match parse(text, "fields") {
            Ok(Expression::Is(operand)) => filter(&operand),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn most_comparisons_need_the_terms_alone() {
        for text in [
            "p_05 = 'c'",
            "p_00_04 not= '01542'",
            "035.ind1 = '#'",
            "035.ind1 not= '1'",
            "035.ind2 is 'present'",
            "001.value = '393893'",
            "035.a = '(OCoLC)63611770'",
            "050.a ^= 'M3'",
            "050.a ^= 'M300'",
            "240.a is 'absent'",
            "999.value is 'absent'",
            "008.23_01 = 'o'",
            "008.35_03 = 'eng'",
            "008.07_04 = '19  '",
            "245.a ^= 'Twelve chars'",
            "005.date from '20141106'",
        ] {
            assert_eq!(of(text).recheck, None, "{text}");
        }
        for text in [
            "245.a not= 'x'",
            "050.a ^= 'M'",
            "050.a ^= 'M30'",
            "008.34_04 = '0eng'",
            "008.35_03 not= 'eng'",
            "245.a ^= 'Thirteen char'",
            "008.23_01 = ' '",
            "008.23_01 not= 'o'",
            "245.ind1 = 'A'",
            "046.date to '20200101'",
        ] {
            assert!(of(text).recheck.is_some(), "{text}");
        }
        assert_eq!(of("245.ind1 = '10'").terms, Terms::Nothing);
        let found = of("008.34_03 = 'en '");
        assert!(matches!(found.terms, Terms::All(terms) if terms.len() == 2));
    }
}
