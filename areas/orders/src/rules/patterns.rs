//! The forms of numbers and codes, with the refusal of FOLIO's validation where they do not match.

use octavo_records::Violation;

use super::doc::{Doc, objects, text};

/// Characters of an order's number at most.
const NUMBER_CHARS_MAX: usize = 22;
/// The same where a number is only asked about.
const ASKED_CHARS_MAX: usize = 16;

fn is_alphanumeric(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether this can be the number of an order.
#[must_use]
pub fn is_order_number(number: &str) -> bool {
    is_alphanumeric(number, 1, NUMBER_CHARS_MAX)
}

/// Whether this can be the number of an order that is asked about.
#[must_use]
pub fn is_asked_number(number: &str) -> bool {
    is_alphanumeric(number, 1, ASKED_CHARS_MAX)
}

/// Whether this can be the number of a line.
#[must_use]
pub fn is_line_number(number: &str) -> bool {
    number.rsplit_once('-').is_some_and(|(order, line)| {
        is_order_number(order)
            && (1..=3).contains(&line.len())
            && line.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether this can be a reporting code.
#[must_use]
pub fn is_reporting_code(code: &str) -> bool {
    is_alphanumeric(code, 4, usize::MAX)
}

fn violation(path: &str, pattern: &str, value: &str) -> Violation {
    Violation {
        message: format!("must match \"{pattern}\""),
        code: "jakarta.validation.constraints.Pattern.message",
        path: path.to_owned(),
        value: value.to_owned(),
    }
}

/// What does not match in an order.
#[must_use]
pub fn of_order(order: &Doc) -> Vec<Violation> {
    let number = text(order, "poNumber").filter(|number| !is_order_number(number));
    let wrong = number.map(|number| violation("poNumber", "^[a-zA-Z0-9]{1,22}$", number));
    wrong.into_iter().collect()
}

/// What does not match in a line; `path` leads to it.
#[must_use]
pub fn of_line(line: &Doc, path: &str) -> Vec<Violation> {
    let mut wrong = Vec::new();
    if let Some(number) = text(line, "poLineNumber").filter(|number| !is_line_number(number)) {
        let pattern = "^[a-zA-Z0-9]{1,22}-[0-9]{1,3}$";
        wrong.push(violation(&format!("{path}poLineNumber"), pattern, number));
    }
    for (at, row) in objects(line, "fundDistribution").enumerate() {
        if let Some(code) = text(row, "code").filter(|code| code.is_empty() || code.contains(':')) {
            let path = format!("{path}fundDistribution[{at}].code");
            wrong.push(violation(&path, "^[^:]+$", code));
        }
    }
    wrong
}

/// What does not match in a reporting code.
#[must_use]
pub fn of_reporting_code(record: &Doc) -> Vec<Violation> {
    let code = text(record, "code").filter(|code| !is_reporting_code(code));
    let wrong = code.map(|code| violation("code", "^[a-zA-Z0-9]{4}[a-zA-Z0-9]*$", code));
    wrong.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_letters_and_digits() {
        for (number, order, asked) in [
            ("10000", true, true),
            ("PRE10000S", true, true),
            ("1234567890abcdefg", true, false),
            ("1234567890abcdefghijkl", true, false),
            ("1234567890abcdefghijklm", false, false),
            ("10-1", false, false),
            ("", false, false),
        ] {
            assert_eq!(is_order_number(number), order, "{number}");
            assert_eq!(is_asked_number(number), asked, "{number}");
        }
        for (number, fits) in [
            ("10000-1", true),
            ("10000-999", true),
            ("10000-1000", false),
            ("10000", false),
            ("10000-a", false),
        ] {
            assert_eq!(is_line_number(number), fits, "{number}");
        }
        assert!(is_reporting_code("CODEV"));
        assert!(!is_reporting_code("COD"));
    }
}
