//! Superintendent of Documents classification: author symbol, office, series, sub-series and a
//! suffix after a colon. Words sort after numbers, and numbers of three digits and more (years)
//! before shorter ones.

use super::sortable::push_text;
use super::take_while;

/// A number with this many characters is taken for a year.
const YEAR_CHARS: usize = 3;

pub(super) fn key(call_number: &str) -> String {
    let text = call_number.trim();
    let mut key = String::new();
    let rest = match Stem::take(text) {
        Some((stem, rest)) => {
            key.push_str(stem.author.trim());
            push_part(&mut key, stem.office);
            push_part(&mut key, stem.series);
            push_part(&mut key, stem.sub_series);
            rest
        }
        None => text,
    };
    push_part(&mut key, rest.strip_prefix(':').unwrap_or(rest));
    key
}

/// The parts before the colon; those after the office keep the sign they begin with.
struct Stem<'a> {
    author: &'a str,
    office: &'a str,
    series: &'a str,
    sub_series: &'a str,
}

impl<'a> Stem<'a> {
    fn take(text: &'a str) -> Option<(Stem<'a>, &'a str)> {
        let letters = take_while(text, |c| c.is_ascii_alphabetic()).0.len();
        let blanks = take_while(&text[letters..], |c| c.is_ascii_whitespace())
            .0
            .len();
        let (author, rest) = text.split_at(letters + blanks);
        let (office, rest) = take_while(rest, |c| c.is_ascii_digit());
        let after_point = rest.strip_prefix('.')?;
        let series = word_with_digits(after_point);
        if letters == 0 || office.is_empty() || series == 0 {
            return None;
        }
        let (series, rest) = rest.split_at(1 + series);
        let (sub_series, rest) = rest.split_at(sub_series(rest));
        Some((
            Stem {
                author,
                office,
                series,
                sub_series,
            },
            rest,
        ))
    }
}

/// The length of letters with digits after them, or of digits alone.
fn word_with_digits(text: &str) -> usize {
    let letters = take_while(text, |c| c.is_ascii_alphabetic()).0.len();
    letters + take_while(&text[letters..], |c| c.is_ascii_digit()).0.len()
}

/// The length of `/` with a word or number after it, which may continue with a hyphen and digits.
fn sub_series(text: &str) -> usize {
    let Some(after) = text.strip_prefix('/') else {
        return 0;
    };
    let first = word_with_digits(after);
    if first == 0 {
        return 0;
    }
    let ends_in_digit = after[..first].ends_with(|c: char| c.is_ascii_digit());
    let second = match after[first..].strip_prefix('-') {
        Some(more) if ends_in_digit => take_while(more, |c| c.is_ascii_digit()).0.len(),
        _ => 0,
    };
    1 + first + if second > 0 { 1 + second } else { 0 }
}

fn push_part(key: &mut String, part: &str) {
    if part.trim().is_empty() {
        return;
    }
    let part = part.strip_prefix(['.', '/', '-', ':']).unwrap_or(part);
    // Signs at the end begin no part of their own.
    let part = part.trim_end_matches(['.', '/', ' ', '-']);
    for piece in part.split(['.', '/', ' ', '-']) {
        if !key.is_empty() {
            key.push(' ');
        }
        let piece = piece.trim();
        if piece.is_empty() {
            continue;
        }
        if piece.starts_with(char::is_alphabetic) {
            key.push_str(" !");
        } else if piece.chars().count() >= YEAR_CHARS {
            key.push('!');
        }
        push_text(key, piece);
    }
}
