//! Notes: how long they may be, and the ids of circulation notes.

use serde_json::Value;
use uuid::Uuid;

/// A note has at most this many UTF-16 units, as FOLIO counts.
pub const NOTE_LENGTH_MAX: usize = 32_000;

/// A note that is too long, with its list.
#[derive(Debug, PartialEq, Eq)]
pub struct LongNote<'a> {
    /// `administrativeNotes` or `notes`.
    pub property: &'static str,
    /// The note itself.
    pub note: &'a str,
}

impl LongNote<'_> {
    /// FOLIO's message for it.
    pub const MESSAGE: &'static str = "A note has exceeded the 32,000 character limit.";
}

/// The first note of a record that is too long; administrative notes are checked first.
#[must_use]
pub fn long_note(record: &Value) -> Option<LongNote<'_>> {
    let elements = |property: &str| {
        record
            .get(property)
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default()
    };
    let administrative = elements("administrativeNotes")
        .iter()
        .map(|note| ("administrativeNotes", Some(note)));
    let notes = elements("notes")
        .iter()
        .map(|note| ("notes", note.get("note")));
    administrative
        .chain(notes)
        .filter_map(|(property, note)| Some((property, note?.as_str()?)))
        .find(|(_, note)| is_long(note))
        .map(|(property, note)| LongNote { property, note })
}

fn is_long(note: &str) -> bool {
    // Bytes are never fewer than UTF-16 units, so that most notes need not be counted.
    note.len() > NOTE_LENGTH_MAX && note.encode_utf16().count() > NOTE_LENGTH_MAX
}

/// Assigns ids to circulation notes without one.
pub fn identify_circulation_notes(item: &mut Value, mut new_id: impl FnMut() -> Uuid) {
    let notes = item
        .get_mut("circulationNotes")
        .and_then(Value::as_array_mut);
    for note in notes.into_iter().flatten().filter_map(Value::as_object_mut) {
        if note
            .get("id")
            .and_then(Value::as_str)
            .is_none_or(str::is_empty)
        {
            note.insert("id".to_owned(), Value::String(new_id().to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn notes_are_limited_wherever_they_stand() {
        let longest = "ü".repeat(NOTE_LENGTH_MAX);
        let too_long = format!("{longest}.");
        let note = |text: &str| json!({"notes": [{"note": "short"}, {"note": text}]});
        let administrative = |text: &str| json!({"administrativeNotes": [text]});
        let refused = |record: &Value| long_note(record).map(|long| long.property);
        assert_eq!(refused(&json!({})), None);
        assert_eq!(refused(&note(&longest)), None);
        assert_eq!(refused(&note(&too_long)), Some("notes"));
        assert_eq!(refused(&administrative(&longest)), None);
        assert_eq!(
            refused(&administrative(&too_long)),
            Some("administrativeNotes")
        );
    }

    #[test]
    fn circulation_notes_keep_the_ids_they_have() {
        let mut item = json!({"circulationNotes": [{"id": "mine"}, {"note": "count the discs"}]});
        identify_circulation_notes(&mut item, Uuid::nil);
        assert_eq!(item["circulationNotes"][0]["id"], "mine");
        assert_eq!(item["circulationNotes"][1]["id"], Uuid::nil().to_string());
    }
}
