//! Library of Congress classification, and that of the National Library of Medicine which is built
//! alike: class letters, a class number, a suffix, then cutters with the text between them.

use super::sortable::{push_gap, push_text};
use super::{take_number, take_while};

pub(super) fn key(call_number: &str) -> String {
    let call_number = call_number.trim();
    let mut key = String::new();
    let (letters, after) = take_while(call_number, |c| c.is_ascii_alphabetic());
    let rest = if letters.is_empty() {
        call_number
    } else {
        key.push_str(&letters.to_uppercase());
        let (digits, fraction, rest) = take_number(after.trim_start_matches(' '));
        push_class_number(&mut key, digits, fraction);
        rest.trim()
    };
    let (suffix, cutters) = rest.split_at(find_cutter(rest).unwrap_or(rest.len()));
    push_suffix(&mut key, suffix.trim());
    push_cutters(&mut key, &cutters.trim().to_uppercase());
    key
}

/// Class numbers keep their leading zeroes.
fn push_class_number(key: &mut String, digits: &str, fraction: &str) {
    if !digits.is_empty() {
        push_gap(key);
        key.push_str(&digits.len().to_string());
        key.push_str(digits);
        key.push_str(fraction);
    }
}

/// A suffix of words sorts after one of numbers.
fn push_suffix(key: &mut String, suffix: &str) {
    if !key.is_empty() && !suffix.is_empty() {
        key.push(' ');
        if suffix.starts_with(char::is_alphabetic) {
            key.push('_');
        }
    }
    push_text(key, &suffix.to_uppercase());
}

/// Cutters as they are, since they sort as decimal fractions; the text between them sortable.
fn push_cutters(key: &mut String, text: &str) {
    let mut rest = text;
    while let Some((start, length)) = find_letter_with_digits(rest) {
        push_gap(key);
        push_text(key, &rest[..start]);
        push_gap(key);
        key.push_str(&rest[start..start + length]);
        rest = &rest[start + length..];
    }
    if !rest.is_empty() {
        push_gap(key);
        push_text(key, rest);
    }
}

/// Where the first cutter begins: a letter with digits, with or without a point before it, or a
/// point and a letter at the beginning or after a blank (which then belongs to it).
fn find_cutter(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    (0..bytes.len()).find(|&at| match bytes[at] {
        b'.' => letter(at + 1) && (at == 0 || digit(at + 2)),
        b' ' => bytes.get(at + 1) == Some(&b'.') && letter(at + 2),
        _ => letter(at) && digit(at + 1),
    })
}

/// The first letter that digits follow: its position, and how long it is with them.
fn find_letter_with_digits(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let start = bytes
        .windows(2)
        .position(|pair| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit())?;
    let digits = bytes[start + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    Some((start, 1 + digits))
}
