//! Notes on what a draft left out or changed: one for each place in the plan, printed in groups.

use std::collections::HashSet;

/// A note for the person who completes a draft.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Note {
    /// The line of the plan; 0 where there is none (a recording has none).
    pub line: usize,
    /// The heading of notes of this kind.
    pub group: &'static str,
    /// The element with its name, and what was done with it.
    pub what: String,
}

/// Collects notes, each place only once.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    seen: HashSet<Note>,
    all: Vec<Note>,
}

impl Notes {
    pub(crate) fn add(&mut self, line: usize, group: &'static str, what: impl Into<String>) {
        let what = what.into();
        let note = Note { line, group, what };
        if self.seen.insert(note.clone()) {
            self.all.push(note);
        }
    }

    /// All notes: groups in the order of their first note, lines in order within a group.
    pub(crate) fn into_sorted(self) -> Vec<Note> {
        let mut groups: Vec<&'static str> = Vec::new();
        for note in &self.all {
            if !groups.contains(&note.group) {
                groups.push(note.group);
            }
        }
        let place = |group| groups.iter().position(|one| *one == group);
        let mut all = self.all;
        all.sort_by_key(|note| (place(note.group), note.line));
        all
    }
}

/// The notes as text: a heading with a count, then a line for each.
pub fn to_text(notes: &[Note]) -> String {
    let mut text = String::new();
    for group in notes.chunk_by(|one, next| one.group == next.group) {
        text.push_str(&format!("{} ({})\n", group[0].group, group.len()));
        for note in group {
            match note.line {
                0 => text.push_str(&format!("  {}\n", note.what)),
                line => text.push_str(&format!("  line {line}: {}\n", note.what)),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_reported_once_in_groups() {
        let mut notes = Notes::default();
        notes.add(9, "scripts", "b");
        notes.add(0, "hosts", "h");
        notes.add(3, "scripts", "a");
        notes.add(9, "scripts", "b");
        assert_eq!(
            to_text(&notes.into_sorted()),
            "scripts (2)\n  line 3: a\n  line 9: b\nhosts (1)\n  h\n"
        );
    }
}
