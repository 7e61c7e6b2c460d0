//! One comparison of key, operator and value: which kind of key it is, and what that kind allows.

use super::error::Fault;
use super::{DateTest, Operand, Tag, Test};

/// The positions of the leader that can be asked for.
const LEADER: [(&str, u8, u8); 15] = [
    ("p_00_04", 0, 5),
    ("p_05", 5, 1),
    ("p_06", 6, 1),
    ("p_07", 7, 1),
    ("p_08", 8, 1),
    ("p_09", 9, 1),
    ("p_10", 10, 1),
    ("p_11", 11, 1),
    ("p_12_16", 12, 5),
    ("p_17", 17, 1),
    ("p_18", 18, 1),
    ("p_19", 19, 1),
    ("p_20", 20, 1),
    ("p_21", 21, 1),
    ("p_22", 22, 1),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equals,
    Differs,
    Begins,
    From,
    To,
    In,
    Is,
}

/// Reads a comparison.
pub(super) fn read(key: &str, operator: &str, value: &str) -> Result<Operand, Fault> {
    let known = match operator.to_ascii_lowercase().as_str() {
        // Some clients write two signs; FOLIO knows only one.
        "=" | "==" => Operator::Equals,
        "not=" => Operator::Differs,
        "^=" => Operator::Begins,
        "from" => Operator::From,
        "to" => Operator::To,
        "in" => Operator::In,
        "is" => Operator::Is,
        _ => {
            return Err(Fault::Operator {
                key: key.to_owned(),
                operator: operator.to_owned(),
                value: value.to_owned(),
            });
        }
    };
    let unknown = || Fault::Key {
        key: key.to_owned(),
        operator: operator.to_owned(),
        value: value.to_owned(),
    };
    if key.starts_with("p_") {
        let place = LEADER.iter().find(|(name, ..)| *name == key);
        let (_, at, length) = place.ok_or_else(unknown)?;
        let negated = match known {
            Operator::Equals => false,
            Operator::Differs => true,
            _ => return Err(Fault::OperatorOfLeader(operator.to_owned())),
        };
        return Ok(Operand::Leader {
            at: *at,
            length: *length,
            value: value.to_owned(),
            negated,
        });
    }
    let (tag, part) = key.split_once('.').ok_or_else(unknown)?;
    let tag = Tag::new(tag).ok_or_else(unknown)?;
    let test = |kind| test(known, operator, value, kind);
    let mut characters = part.chars();
    match (part, characters.next(), characters.next()) {
        ("ind1" | "ind2", ..) => Ok(Operand::Indicator {
            tag,
            number: if part == "ind1" { 1 } else { 2 },
            test: test("Indicator")?,
        }),
        (_, Some(code), None) if code.is_ascii_lowercase() || code.is_ascii_digit() => {
            Ok(Operand::Subfield {
                tag,
                code,
                test: test("SubField")?,
            })
        }
        ("value", ..) => Ok(Operand::Value {
            tag,
            test: test("Value")?,
        }),
        ("date", ..) => Ok(Operand::Date {
            tag,
            test: date(known, key, operator, value)?,
        }),
        _ => {
            let (at, length) = position(part).ok_or_else(unknown)?;
            if length != value.chars().count() {
                let value = value.to_owned();
                return Err(Fault::Length { value, length });
            }
            let negated = match known {
                Operator::Equals => false,
                Operator::Differs => true,
                _ => {
                    return Err(Fault::OperatorOf {
                        operator: operator.to_owned(),
                        kind: "Position",
                    });
                }
            };
            Ok(Operand::Position {
                tag,
                at,
                value: value.to_owned(),
                negated,
            })
        }
    }
}

fn test(known: Operator, operator: &str, value: &str, kind: &'static str) -> Result<Test, Fault> {
    let text = value.to_owned();
    match known {
        Operator::Equals => Ok(Test::Equals(text)),
        Operator::Differs => Ok(Test::Differs(text)),
        Operator::Begins => Ok(Test::Begins(text)),
        Operator::Is if value == "present" => Ok(Test::Present),
        Operator::Is if value == "absent" => Ok(Test::Absent),
        Operator::Is => Err(Fault::Presence(text)),
        Operator::From | Operator::To | Operator::In => Err(Fault::OperatorOf {
            operator: operator.to_owned(),
            kind,
        }),
    }
}

fn date(known: Operator, key: &str, operator: &str, value: &str) -> Result<DateTest, Fault> {
    let day = |text: &str| {
        let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        number.ok_or_else(|| Fault::Date(text.to_owned()))
    };
    let range = match value.split_once('-') {
        Some((first, last)) => Some((day(first)?, day(last)?)),
        None => None,
    };
    match (known, range) {
        (Operator::In, Some((first, last))) => Ok(DateTest::Between(first, last)),
        (Operator::Equals, None) => Ok(DateTest::On(day(value)?)),
        (Operator::Differs, None) => Ok(DateTest::NotOn(day(value)?)),
        (Operator::From, None) => Ok(DateTest::From(day(value)?)),
        (Operator::To, None) => Ok(DateTest::To(day(value)?)),
        _ => Err(Fault::DateTest {
            key: key.to_owned(),
            operator: operator.to_owned(),
            value: value.to_owned(),
        }),
    }
}

/// `35_03`: the first position, and how many characters.
fn position(part: &str) -> Option<(u16, usize)> {
    let (at, length) = part.split_once('_')?;
    let number = |text: &str| -> Option<u16> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && matches!(text.len(), 2 | 3)).then(|| text.parse().ok())?
    };
    Some((number(at)?, usize::from(number(length)?)))
}
