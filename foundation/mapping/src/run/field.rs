//! Maps one data field by the entries of its tag.

use std::borrow::Cow;

use octavo_marc::Tag;

use super::Run;
use super::draft::Remembered;
use crate::functions::View;
use crate::rules::{Entry, OfTag, Row};

/// State shared by the entries of a field.
struct State {
    /// Whether the next value begins a new object in its list.
    makes_new: bool,
    /// The object that further values are added to.
    remembered: Option<Remembered>,
}

/// State of one entry.
#[derive(Default)]
struct EntryState {
    /// The object of each subfield.
    of_subfield: Vec<Option<Remembered>>,
    /// Codes whose first subfield has been used.
    taken: Vec<char>,
}

impl<'r> Run<'r> {
    /// Applies the entries that match this field.
    pub(super) fn entries(&mut self, tag: Tag, of_tag: &'r OfTag, view: &mut View<'r>) {
        let mut state = State {
            makes_new: true,
            remembered: None,
        };
        let claimed = of_tag
            .indicators
            .iter()
            .any(|own| own.claim(view.indicators));
        for entry in &of_tag.entries {
            let fits = match entry.indicators {
                Some(indicators) => indicators.fit(view.indicators),
                None => !claimed,
            };
            let related = entry.relation.is_none_or(|letter| {
                let first = view.values('w').next();
                first.is_some_and(|control| control.contains(letter))
            });
            if fits && related && self.takes(tag, entry) {
                self.entry(entry, view, &mut state);
            }
        }
    }

    /// Whether the entry still applies to fields of the tag.
    fn takes(&mut self, tag: Tag, entry: &Entry) -> bool {
        if !entry.is_first_only {
            return true;
        }
        let is_first = !self.taken.contains(&tag);
        if is_first {
            self.taken.push(tag);
        }
        is_first
    }

    fn entry(&mut self, entry: &'r Entry, view: &mut View<'r>, state: &mut State) {
        let mut own = EntryState::default();
        for row in &entry.rows {
            let has = |code: &char| view.subfields.iter().any(|(own, _)| own == code);
            if !row.required.iter().all(has) || row.exclusive.iter().any(has) {
                return;
            }
            self.row(entry, row, view, state, &mut own);
        }
        if entry.is_entity {
            state.makes_new = true;
        }
    }

    fn row(
        &mut self,
        entry: &'r Entry,
        row: &'r Row,
        view: &mut View<'r>,
        state: &mut State,
        own: &mut EntryState,
    ) {
        if let Some(size) = row.split {
            split(view, size);
        }
        let is_wanted = |code: char| row.codes.contains(code);
        let any = |(code, _): &(char, &str)| row.codes.is_empty() || is_wanted(*code);
        if !view.subfields.iter().any(any) {
            return;
        }
        let each_alone = entry.is_per_subfield && entry.is_entity;
        view.at = 0;
        if row.is_given && !each_alone {
            let made = self.processed(row, Cow::Borrowed(""), Some(view), entry.keeps_backslash);
            return self.put(entry, row, made, view, state, own);
        }
        let mut groups = Groups::of(row);
        for at in 0..view.subfields.len() {
            let (code, value) = view.subfields[at];
            if !is_wanted(code) || (row.is_once && own.taken.contains(&code)) {
                continue;
            }
            if row.is_once {
                own.taken.push(code);
            }
            view.at = at;
            let value = if row.is_whole {
                Cow::Borrowed(value)
            } else {
                self.processed(row, Cow::Borrowed(value), Some(view), entry.keeps_backslash)
            };
            if entry.is_per_subfield {
                groups.clear();
            }
            groups.add(row, code, value);
            if each_alone {
                if own.of_subfield.len() <= at {
                    own.of_subfield.resize(at + 1, None);
                }
                let made = groups.together(row);
                let remembered = &mut own.of_subfield[at];
                state.makes_new = remembered.is_none();
                if !made.is_empty() {
                    self.draft
                        .put(row.target, made.into_owned(), state.makes_new, remembered);
                }
            }
        }
        if each_alone {
            return;
        }
        let mut made = groups.together(row);
        if row.is_whole {
            view.at = 0;
            made = self.processed(row, made, Some(view), entry.keeps_backslash);
        }
        self.put(entry, row, made, view, state, own);
    }

    /// Writes a row's result, or applies its alternative when there is none.
    fn put(
        &mut self,
        entry: &'r Entry,
        row: &'r Row,
        made: Cow<'r, str>,
        view: &mut View<'r>,
        state: &mut State,
        own: &mut EntryState,
    ) {
        if !made.is_empty() {
            let target = row.target;
            if self.draft.put(
                target,
                made.into_owned(),
                state.makes_new,
                &mut state.remembered,
            ) {
                state.makes_new = false;
            }
        } else if let Some(otherwise) = &row.otherwise {
            own.taken.clear();
            self.row(entry, otherwise, view, state, own);
        }
    }
}

/// Cuts every subfield into pieces.
fn split(view: &mut View<'_>, size: usize) {
    let mut pieces = Vec::with_capacity(view.subfields.len());
    for (code, value) in &view.subfields {
        let mut rest = *value;
        loop {
            let end = rest.char_indices().nth(size).map(|(end, _)| end);
            let (piece, more) = rest.split_at(end.unwrap_or(rest.len()));
            pieces.push((*code, piece));
            if more.is_empty() {
                break;
            }
            rest = more;
        }
    }
    view.subfields = pieces;
}

/// Values being joined, by group.
struct Groups<'r> {
    first: Cow<'r, str>,
    more: Vec<Cow<'r, str>>,
}

impl<'r> Groups<'r> {
    fn of(row: &Row) -> Groups<'r> {
        let count = row
            .joins
            .as_ref()
            .map_or(0, |joins| joins.delimiters.len() - 1);
        Groups {
            first: Cow::Borrowed(""),
            more: vec![Cow::Borrowed(""); count],
        }
    }

    fn clear(&mut self) {
        self.first = Cow::Borrowed("");
        self.more.fill(Cow::Borrowed(""));
    }

    /// Adds a value to the group of its code, or to the first if it has none.
    fn add(&mut self, row: &Row, code: char, value: Cow<'r, str>) {
        let group = row.joins.as_ref().and_then(|joins| {
            let (_, group) = joins.groups.iter().find(|(own, _)| *own == code)?;
            Some((*group, joins.delimiters[*group].as_str()))
        });
        let (buffer, delimiter) = match group {
            None => (&mut self.first, " "),
            Some((0, delimiter)) => (&mut self.first, delimiter),
            Some((group, delimiter)) => (&mut self.more[group - 1], delimiter),
        };
        append(buffer, delimiter, value);
    }

    /// All groups that are not empty, joined.
    fn together(&self, row: &Row) -> Cow<'r, str> {
        let between = row.joins.as_ref().map_or(" ", |joins| &joins.between);
        let mut all = self.first.clone();
        for group in self.more.iter().filter(|group| !group.is_empty()) {
            append(&mut all, between, group.clone());
        }
        all
    }
}

fn append<'r>(buffer: &mut Cow<'r, str>, delimiter: &str, value: Cow<'r, str>) {
    if buffer.is_empty() {
        *buffer = value;
    } else {
        let text = buffer.to_mut();
        text.push_str(delimiter);
        text.push_str(&value);
    }
}
