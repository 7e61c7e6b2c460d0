//! ISBNs: normalisation, check digits, and conversion between ten and thirteen digits (ISO 2108).
//! `isbn_groups` places hyphens.

use serde_json::Value;

/// The id of the identifier type "ISBN".
pub const ISBN_TYPE: &str = "8261054f-be78-422d-bd51-4ed9f33c3422";
/// The id of the identifier type "Invalid ISBN".
pub const INVALID_ISBN_TYPE: &str = "fcca2643-406a-482a-b760-7a7f8aec640e";

/// The form of an ISBN in which it is searched: blanks, tabs and hyphens are removed from the leading
/// digits; the rest follows after a blank, unchanged. A `*` after the digits counts as one of them, for
/// truncated searches.
#[must_use]
pub fn normalize(text: &str) -> String {
    let separator = |c: char| matches!(c, ' ' | '\t' | '-');
    let end = text
        .find(|c: char| !c.is_ascii_digit() && !separator(c))
        .unwrap_or(text.len());
    let (digits, mut rest) = text.split_at(end);
    let mut normalized: String = digits.chars().filter(|c| !separator(*c)).collect();
    let had_digits = end > 0;
    let mut had_star = false;
    if let Some(after) = rest.strip_prefix('*') {
        had_star = true;
        normalized.push('*');
        rest = after.trim_start_matches([' ', '\t']);
    }
    if (had_digits || had_star) && !rest.is_empty() {
        normalized.push(' ');
    }
    normalized.push_str(rest);
    normalized
}

/// The normalised identifiers of one type, joined by blanks: the text of the ISBN index.
#[must_use]
pub fn of_instance(instance: &Value, identifier_type: &str) -> String {
    let identifiers = instance.get("identifiers").and_then(Value::as_array);
    let values: Vec<String> = identifiers
        .into_iter()
        .flatten()
        .filter(|identifier| identifier["identifierTypeId"] == identifier_type)
        .filter_map(|identifier| identifier["value"].as_str())
        .map(normalize)
        .collect();
    values.join(" ")
}

/// Whether this is an ISBN of ten digits with the right check digit; hyphens and blanks may stand
/// between digits.
#[must_use]
pub fn is_valid_10(text: &str) -> bool {
    ten_digits(text).is_some()
}

/// Whether this is an ISBN of thirteen digits with the right check digit.
#[must_use]
pub fn is_valid_13(text: &str) -> bool {
    thirteen_digits(text).is_some()
}

/// The ISBN in thirteen digits, without hyphens; `None` if it is not an ISBN.
#[must_use]
pub fn to_13(text: &str) -> Option<String> {
    let digits = match thirteen_digits(text) {
        Some(digits) => digits.to_vec(),
        None => {
            let mut digits = vec![9, 7, 8];
            digits.extend_from_slice(&ten_digits(text)?[..9]);
            digits.push(check_13(&digits));
            digits
        }
    };
    Some(digits.into_iter().map(shown).collect())
}

/// The ISBN in ten digits, without hyphens; `None` if it is not an ISBN or has no ten-digit form (prefix
/// 979).
#[must_use]
pub fn to_10(text: &str) -> Option<String> {
    let digits = match ten_digits(text) {
        Some(digits) => digits.to_vec(),
        None => {
            let mut digits = thirteen_digits(text)?.strip_prefix(&[9, 7, 8])?[..9].to_vec();
            digits.push(check_10(&digits));
            digits
        }
    };
    Some(digits.into_iter().map(shown).collect())
}

fn ten_digits(text: &str) -> Option<[u8; 10]> {
    let digits: [u8; 10] = digits(text)?.try_into().ok()?;
    let only_last_is_ten = digits[..9].iter().all(|digit| *digit < 10);
    (only_last_is_ten && digits[9] == check_10(&digits)).then_some(digits)
}

fn thirteen_digits(text: &str) -> Option<[u8; 13]> {
    let digits: [u8; 13] = digits(text)?.try_into().ok()?;
    let bookland = digits.starts_with(&[9, 7, 8]) || digits.starts_with(&[9, 7, 9]);
    (bookland && digits[12] == check_13(&digits)).then_some(digits)
}

/// The digits of at most one ISBN; `X` counts as ten.
fn digits(text: &str) -> Option<Vec<u8>> {
    let mut digits = Vec::with_capacity(13);
    for c in text.trim().chars() {
        let digit = match c {
            '0'..='9' => c as u8 - b'0',
            'x' | 'X' => 10,
            ' ' | '-' => continue,
            _ => return None,
        };
        if digits.len() == 13 {
            return None;
        }
        digits.push(digit);
    }
    Some(digits)
}

/// The check digit for the first nine digits.
fn check_10(digits: &[u8]) -> u8 {
    let sum: u32 = digits
        .iter()
        .take(9)
        .zip((2..=10).rev())
        .map(|(digit, weight)| u32::from(*digit) * weight)
        .sum();
    ((11 - sum % 11) % 11) as u8
}

/// The check digit for the first twelve digits.
fn check_13(digits: &[u8]) -> u8 {
    let sum: u32 = digits
        .iter()
        .take(12)
        .zip([1, 3].into_iter().cycle())
        .map(|(digit, weight)| u32::from(*digit) * weight)
        .sum();
    ((10 - sum % 10) % 10) as u8
}

fn shown(digit: u8) -> char {
    if digit == 10 {
        'X'
    } else {
        char::from(b'0' + digit)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn digits_lose_their_separators_and_what_follows_keeps_its_own() {
        for (text, normalized) in [
            (" 0-1  2--3 4 ", "01234"),
            ("978-0-306-40615-7", "9780306406157"),
            ("978 92 8011 565 9(Vol. 1-2)", "9789280115659 (Vol. 1-2)"),
            ("0-8044-2957-X", "080442957 X"),
            ("978-0-306* pbk", "9780306* pbk"),
            ("n/a 12", "n/a 12"),
            ("", ""),
        ] {
            assert_eq!(normalize(text), normalized, "{text}");
        }
    }

    #[test]
    fn only_identifiers_of_the_type_are_looked_at() {
        let instance = json!({"identifiers": [
            {"identifierTypeId": ISBN_TYPE, "value": "0-306-40615-2"},
            {"identifierTypeId": INVALID_ISBN_TYPE, "value": "1-2"},
            {"identifierTypeId": ISBN_TYPE, "value": "978-3"},
        ]});
        assert_eq!(of_instance(&instance, ISBN_TYPE), "0306406152 9783");
        assert_eq!(of_instance(&instance, INVALID_ISBN_TYPE), "12");
        assert_eq!(of_instance(&json!({}), ISBN_TYPE), "");
    }

    #[test]
    fn ten_and_thirteen_digits_are_two_forms_of_one() {
        for (ten, thirteen) in [
            ("0-306-40615-2", "9780306406157"),
            ("080442957x", "9780804429573"),
            ("3 16 148410 X", "9783161484100"),
        ] {
            assert!(
                is_valid_10(ten) && is_valid_13(thirteen) && !is_valid_13(ten),
                "{ten}"
            );
            assert_eq!(to_13(ten).as_deref(), Some(thirteen));
            let plain: String = ten
                .to_uppercase()
                .chars()
                .filter(|c| c.is_ascii_alphanumeric())
                .collect();
            assert_eq!(to_10(thirteen), Some(plain.clone()));
            assert_eq!(to_10(ten), Some(plain));
        }
        assert_eq!(to_13("979-10-90636-07-1").as_deref(), Some("9791090636071"));
        assert_eq!(to_10("979-10-90636-07-1"), None);
    }

    #[test]
    fn wrong_digits_and_lengths_are_refused() {
        for text in [
            "0306406153",
            "9780306406158",
            "X306406152",
            "123",
            "",
            "9780306406157 0",
            "a",
        ] {
            assert!(!is_valid_10(text) && !is_valid_13(text), "{text}");
            assert_eq!((to_10(text), to_13(text)), (None, None), "{text}");
        }
    }
}
