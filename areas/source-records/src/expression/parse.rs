//! Text to a tree. `and` binds closer than `or`; a comparison is a key, a space, an operator, a space
//! and a value between single quotes.

use super::error::{ExpressionError, Fault};
use super::operand;
use super::{DEPTH_MAX, Expression, LENGTH_MAX, OPERANDS_MAX};

/// Reads an expression. `name` is its name in FOLIO's messages.
///
/// # Errors
/// When it is invalid, with the position.
pub fn parse(text: &str, name: &'static str) -> Result<Expression, ExpressionError> {
    check(text, name)?;
    let mut parser = Parser {
        text,
        at: 0,
        name,
        operands: 0,
    };
    let expression = parser.any(0)?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.stopped());
    }
    Ok(expression)
}

/// FOLIO's checks before parsing.
fn check(text: &str, name: &'static str) -> Result<(), ExpressionError> {
    let at = |fault, offset: usize| ExpressionError {
        fault,
        position: text[..offset].chars().count() + 1,
    };
    if text.len() > LENGTH_MAX {
        return Err(at(Fault::TooLarge("it has more than 10,000 bytes"), 0));
    }
    if text.trim().is_empty() {
        return Err(at(Fault::Blank(name), 0));
    }
    let (mut quoted, mut opened) = (None, Vec::new());
    for (offset, character) in text.char_indices() {
        match (character, quoted) {
            ('\'', Some(begin)) if begin + 1 == offset => {
                return Err(at(Fault::EmptyValue(name), begin));
            }
            ('\'', Some(_)) => quoted = None,
            ('\'', None) => quoted = Some(offset),
            ('(', None) => opened.push(offset),
            (')', None) if opened.pop().is_none() => {
                return Err(at(Fault::Brackets(name), offset));
            }
            _ => {}
        }
    }
    match (quoted, opened.pop()) {
        (Some(offset), _) => Err(at(Fault::Quotes(name), offset)),
        (None, Some(offset)) => Err(at(Fault::Brackets(name), offset)),
        (None, None) => Ok(()),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    name: &'static str,
    operands: usize,
}

impl<'a> Parser<'a> {
    fn any(&mut self, depth: usize) -> Result<Expression, ExpressionError> {
        let mut parts = vec![self.all(depth)?];
        while self.word("or") {
            parts.push(self.all(depth)?);
        }
        Ok(joined(parts, Expression::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Expression, ExpressionError> {
        let mut parts = vec![self.one(depth)?];
        while self.word("and") {
            parts.push(self.one(depth)?);
        }
        Ok(joined(parts, Expression::All))
    }

    fn one(&mut self, depth: usize) -> Result<Expression, ExpressionError> {
        self.blanks();
        if !self.rest().starts_with('(') {
            return self.comparison();
        }
        if depth == DEPTH_MAX {
            return Err(self.error(Fault::TooLarge(
                "it has more than 20 brackets in each other",
            )));
        }
        self.at += 1;
        let inner = self.any(depth + 1)?;
        self.blanks();
        if !self.rest().starts_with(')') {
            return Err(self.stopped());
        }
        self.at += 1;
        Ok(inner)
    }

    fn comparison(&mut self) -> Result<Expression, ExpressionError> {
        let begin = self.at;
        let key = self.until_blank().ok_or_else(|| self.stopped())?;
        self.blanks();
        let operator = self.until_blank().ok_or_else(|| self.stopped_at(begin))?;
        self.blanks();
        let rest = self.rest();
        let value = rest
            .strip_prefix('\'')
            .and_then(|rest| rest.split_once('\''))
            .map(|(value, _)| value);
        let value = value.ok_or_else(|| self.stopped_at(begin))?;
        self.at += value.len() + 2;
        self.operands += 1;
        if self.operands > OPERANDS_MAX {
            return Err(self.error(Fault::TooLarge("it has more than 50 comparisons")));
        }
        let operand = operand::read(key, operator, value);
        operand.map(Expression::Is).map_err(|fault| {
            self.at = begin;
            self.error(fault)
        })
    }

    /// A key or an operator: it is not empty and ends at a blank.
    fn until_blank(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find([' ', '\'', '(', ')']).unwrap_or(rest.len());
        if end == 0 || !rest[end..].starts_with(' ') {
            return None;
        }
        self.at += end;
        Some(&rest[..end])
    }

    fn word(&mut self, word: &str) -> bool {
        self.blanks();
        let begins = self
            .rest()
            .get(..word.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(word));
        if begins {
            self.at += word.len();
        }
        begins
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn stopped(&self) -> ExpressionError {
        self.stopped_at(self.at)
    }

    fn stopped_at(&self, at: usize) -> ExpressionError {
        ExpressionError {
            fault: match self.text[at..].trim() {
                "" => Fault::NotParsable(self.name.to_owned()),
                rest => Fault::NotParsable(rest.chars().take(200).collect()),
            },
            position: self.text[..at].chars().count() + 1,
        }
    }

    fn error(&self, fault: Fault) -> ExpressionError {
        ExpressionError {
            fault,
            position: self.text[..self.at].chars().count() + 1,
        }
    }
}

fn joined(
    mut parts: Vec<Expression>,
    join: impl FnOnce(Vec<Expression>) -> Expression,
) -> Expression {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            join(parts)
        }
        None => join(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DateTest, Operand, Tag, Test};
    use super::*;

    const NAME: &str = "marcFieldSearchExpression";

    fn tag(text: &str) -> Tag {
        Tag::new(text).expect("three digits")
    }

    #[test]
    fn comparisons_of_all_kinds_are_read() {
        let expected = [
            (
                "p_05 = 'c'",
                Operand::Leader {
                    at: 5,
                    length: 1,
                    value: "c".into(),
                    negated: false,
                },
            ),
            (
                "p_12_16 not= '00361'",
                Operand::Leader {
                    at: 12,
                    length: 5,
                    value: "00361".into(),
                    negated: true,
                },
            ),
            (
                "035.ind1 == '#'",
                Operand::Indicator {
                    tag: tag("035"),
                    number: 1,
                    test: Test::Equals("#".into()),
                },
            ),
            (
                "035.a ^= '(OCoLC)'",
                Operand::Subfield {
                    tag: tag("035"),
                    code: 'a',
                    test: Test::Begins("(OCoLC)".into()),
                },
            ),
            (
                "999.value is 'absent'",
                Operand::Value {
                    tag: tag("999"),
                    test: Test::Absent,
                },
            ),
            (
                "008.35_03 NOT= 'e g'",
                Operand::Position {
                    tag: tag("008"),
                    at: 35,
                    value: "e g".into(),
                    negated: true,
                },
            ),
            (
                "005.date in '20141106-20141108'",
                Operand::Date {
                    tag: tag("005"),
                    test: DateTest::Between(20_141_106, 20_141_108),
                },
            ),
        ];
        for (text, operand) in expected {
            assert_eq!(parse(text, NAME), Ok(Expression::Is(operand)), "{text}");
        }
    }

    fn shown(expression: &Expression) -> String {
        let list = |parts: &[Expression]| parts.iter().map(shown).collect::<Vec<_>>().join(" ");
        match expression {
            Expression::All(parts) => format!("(& {})", list(parts)),
            Expression::Any(parts) => format!("(| {})", list(parts)),
            Expression::Is(Operand::Subfield { code, .. }) => code.to_string(),
            Expression::Is(_) => "?".to_owned(),
        }
    }

    #[test]
    fn and_binds_closer_than_or_and_brackets_closer_still() {
        for (text, tree) in [
            ("1.", "(& a b)"),
            ("2.", "(| a (& b c))"),
            ("3.", "(& (| a b) c)"),
            ("4.", "(| (& a b) (& c d))"),
            ("5.", "a"),
        ] {
            let source = match text {
                "1." => "050.a = 'x' and 050.b = 'y'",
                "2." => "050.a = 'x' or 050.b = 'y' and 050.c = 'z'",
                "3." => "(050.a = 'x' OR 050.b = 'y') AND 050.c = 'z'",
                "4." => "( 050.a = '(' and 050.b = ')' ) or (050.c = 'or' and 050.d = 'z')",
                _ => "((050.a = 'x'))",
            };
            let parsed = parse(source, NAME).expect("an expression");
            assert_eq!(shown(&parsed), tree, "{source}");
        }
    }

    #[test]
    fn invalid_expressions_are_refused_in_folios_words_with_the_position() {
        for (text, message) in [
            (
                "  ",
                "The input expression should not be black or empty [expression: marcFieldSearchExpression] (position 1)",
            ),
            (
                "(001.value = '1'",
                "The number of opened brackets should be equal to number of closed brackets [expression: marcFieldSearchExpression] (position 1)",
            ),
            (
                "001.value = '1')",
                "The number of opened brackets should be equal to number of closed brackets [expression: marcFieldSearchExpression] (position 16)",
            ),
            (
                "001.value = '1",
                "Each value in the expression should be surrounded by single quotes [expression: marcFieldSearchExpression] (position 13)",
            ),
            (
                "001.value = ''",
                "Empty values are not allowed [expression: marcFieldSearchExpression] (position 13)",
            ),
            (
                "001.value = '1' xor 001.value = '2'",
                "The given expression [xor 001.value = '2'] is not parsable (position 17)",
            ),
            (
                "001.value = '1' and",
                "The given expression [marcFieldSearchExpression] is not parsable (position 20)",
            ),
            (
                "title = 'x'",
                "The given key is not supported [key: title, operator: =, value: x] (position 1)",
            ),
            (
                "001.value '1'",
                "The given expression [001.value '1'] is not parsable (position 1)",
            ),
            (
                "p_99 = 'x'",
                "The given key is not supported [key: p_99, operator: =, value: x] (position 1)",
            ),
            (
                "001.value = '1' and 245.a like 'x'",
                "The given binary operator is not supported [key: 245.a, operator: like, value: x]. Supported operators: [=, ^=, not=, from, to, in, is] (position 21)",
            ),
            (
                "245.a from 'x'",
                "Operator [from] is not supported for the given SubField operand (position 1)",
            ),
            (
                "p_05 ^= 'c'",
                "Operator [^=] is not supported for the given Leader operand. Supported operators: [=] (position 1)",
            ),
            (
                "245.a is 'there'",
                "Value [there] is not supported for the given Presence operand (position 1)",
            ),
            (
                "008.35_03 = 'en'",
                "The length of the value [en] should be equal to the end position [expected length = 3] (position 1)",
            ),
            (
                "005.date = 'May'",
                "The given date [May] is in a wrong format. Expected date pattern: [yyyymmdd] (position 1)",
            ),
            (
                "005.date in '20200101'",
                "The given expression [005.date in '20200101'] is not supported (position 1)",
            ),
            (
                "ü.a = 'é' or 245.ß = 'x'",
                "The given key is not supported [key: ü.a, operator: =, value: é] (position 1)",
            ),
        ] {
            let error = parse(text, NAME).expect_err(text);
            assert_eq!(error.to_string(), message, "{text}");
        }
    }

    #[test]
    fn nothing_makes_it_large() {
        let long = format!("001.value = '{}'", "x".repeat(LENGTH_MAX));
        assert!(matches!(
            parse(&long, NAME).map_err(|error| error.fault),
            Err(Fault::TooLarge(_))
        ));
        let deep = format!("{}001.value = '1'{}", "(".repeat(500), ")".repeat(500));
        assert!(parse(&deep, NAME).is_err());
        let many = vec!["001.value = '1'"; OPERANDS_MAX + 1].join(" or ");
        assert!(parse(&many, NAME).is_err());
        let just = vec!["001.value = '1'"; OPERANDS_MAX].join(" or ");
        assert!(parse(&just, NAME).is_ok());
    }
}
