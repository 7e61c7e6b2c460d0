//! Dewey Decimal classification: digits with a fraction, one cutter, and what follows.

use super::sortable::{push_gap, push_number, push_text};
use super::{take_number, take_while};

/// A cutter has at most this many digits.
const CUTTER_DIGITS_MAX: usize = 3;

pub(super) fn key(call_number: &str) -> String {
    let mut key = String::new();
    let (digits, fraction, rest) = take_number(call_number);
    if digits.is_empty() {
        push_text(&mut key, call_number);
        return key;
    }
    push_number(&mut key, digits);
    key.push_str(fraction);
    let (cutter, suffix) = take_cutter(rest).unwrap_or(("", rest));
    for (text, is_cutter) in [(cutter, true), (suffix, false)] {
        if !text.is_empty() {
            push_gap(&mut key);
            if is_cutter {
                key.push_str(text)
            } else {
                push_text(&mut key, text)
            }
        }
    }
    key
}

/// A capital, up to three digits, and capitals: `W91M`. A point may stand before it.
fn take_cutter(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    let text = text.strip_prefix('.').unwrap_or(text);
    let after = text.strip_prefix(|c: char| c.is_ascii_uppercase())?;
    let digits = take_while(after, |c| c.is_ascii_digit())
        .0
        .len()
        .min(CUTTER_DIGITS_MAX);
    if digits == 0 {
        return None;
    }
    let (capitals, _) = take_while(&after[digits..], |c| c.is_ascii_uppercase());
    let (cutter, rest) = text.split_at(1 + digits + capitals.len());
    Some((cutter, rest.trim_start_matches(' ')))
}
