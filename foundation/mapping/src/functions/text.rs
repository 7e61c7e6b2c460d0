//! Functions that depend only on the value and its field.

use std::borrow::Cow;

use super::View;

/// ISBD marks that introduce the next element.
const ANNOUNCING: [char; 7] = [';', ':', ',', '/', '+', '=', ' '];

/// Keeps a part of the value, without copying it where it is borrowed.
fn keep<'r>(value: Cow<'r, str>, part: impl FnOnce(&str) -> &str) -> Cow<'r, str> {
    match value {
        Cow::Borrowed(text) => {
            let kept = part(text);
            let start = kept.as_ptr() as usize - text.as_ptr() as usize;
            Cow::Borrowed(&text[start..start + kept.len()])
        }
        Cow::Owned(mut text) => {
            let kept = part(&text);
            let start = kept.as_ptr() as usize - text.as_ptr() as usize;
            let end = start + kept.len();
            text.truncate(end);
            text.drain(..start);
            Cow::Owned(text)
        }
    }
}

/// Trims what FOLIO's Java trims: all characters up to the blank.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

pub(super) fn trim(value: Cow<'_, str>) -> Cow<'_, str> {
    keep(value, trimmed)
}

/// The characters from one position up to another; empty if the value is not longer than that.
pub(super) fn char_select(value: Cow<'_, str>, from: usize, to: usize) -> Cow<'_, str> {
    keep(value, |text| {
        let place = |at: usize| text.char_indices().nth(at).map(|(place, _)| place);
        match (place(from), place(to)) {
            (Some(start), Some(end)) if start <= end => &text[start..end],
            (_, None) => &text[..0],
            _ => text,
        }
    })
}

/// Without one trailing mark that introduces the next element.
pub(super) fn remove_ending_punctuation(value: Cow<'_, str>) -> Cow<'_, str> {
    keep(value, |text| text.strip_suffix(ANNOUNCING).unwrap_or(text))
}

pub(super) fn trim_period(value: Cow<'_, str>) -> Cow<'_, str> {
    keep(value, |text| text.strip_suffix('.').unwrap_or(text))
}

/// Without a trailing full stop or comma. The full stop of an initial and the hyphen of an open
/// date stay; an initial with full stop and comma loses the comma.
pub(super) fn trim_punctuation(value: Cow<'_, str>) -> Cow<'_, str> {
    let value = keep(value, trimmed);
    if value.ends_with('-') || ends_with_initial(value.strip_suffix('.')) {
        return value;
    }
    if let Some(initial) = value.strip_suffix(",.")
        && ends_with_initial(Some(initial))
    {
        return Cow::Owned(format!("{initial}."));
    }
    keep(value, |text| text.strip_suffix(['.', ',']).unwrap_or(text))
}

/// Whether a text ends with a single letter after white space.
fn ends_with_initial(text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    if text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) {
        return false;
    }
    let mut from_end = text.chars().rev();
    from_end.next().is_some() && matches!(from_end.next(), Some(' ' | '\t' | '\u{b}' | '\u{c}'))
}

/// Without any occurrence of a text.
pub(super) fn remove_all<'r>(value: Cow<'r, str>, text: &str) -> Cow<'r, str> {
    if text.is_empty() || !value.contains(text) {
        return value;
    }
    Cow::Owned(value.replace(text, ""))
}

/// Without the characters that the second indicator marks as nonfiling; as in FOLIO, they are
/// removed wherever they occur.
pub(super) fn remove_prefix<'r>(value: Cow<'r, str>, field: Option<&View<'r>>) -> Cow<'r, str> {
    let Some(field) = field else { return value };
    // Letters count on from ten, as in FOLIO.
    let count = field.indicators[1].to_digit(36).unwrap_or(0) as usize;
    let end = value.char_indices().nth(count).map(|(end, _)| end);
    match end {
        Some(end) if count > 0 => {
            let prefix = value[..end].to_owned();
            remove_all(value, &prefix)
        }
        _ => value,
    }
}

pub(super) fn capitalize(value: Cow<'_, str>) -> Cow<'_, str> {
    let mut characters = value.chars();
    match characters.next() {
        Some(first) if !first.is_uppercase() && first.is_alphabetic() => {
            let rest = characters.as_str();
            Cow::Owned(first.to_uppercase().chain(rest.chars()).collect())
        }
        _ => value,
    }
}

/// The value with the subfields of these codes that follow it, up to the next of its own code or of
/// the codes that stop.
pub(super) fn concat_subfields<'r>(
    value: Cow<'r, str>,
    field: Option<&View<'r>>,
    codes: &[char],
    stops: &[char],
) -> Cow<'r, str> {
    let Some(field) = field else { return value };
    let (subfields, at) = (&field.subfields, field.at);
    let Some(&(own, _)) = subfields.get(at) else {
        return value;
    };
    let following = subfields[at + 1..]
        .iter()
        .take_while(|(code, _)| *code != own && !stops.contains(code));
    let run = &subfields[at..at + 1 + following.count()];
    let mut value = value;
    for wanted in codes {
        for (_, more) in run.iter().filter(|(code, _)| code == wanted) {
            let text = value.to_mut();
            text.push(' ');
            text.push_str(more);
        }
    }
    value
}
