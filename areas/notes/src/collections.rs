//! The record types of notes.

use octavo_records::{Collection, Index};

/// The kinds of note.
#[must_use]
pub fn note_types() -> Collection {
    Collection::new(
        "note_type",
        "noteTypes",
        include_str!("shapes/note_type.shape"),
    )
    .index(Index::unique("name"))
}

/// What a search of a record's notes looks into.
pub const SEARCH: [&str; 2] = ["title", "content"];

/// The notes. The links of a note are indexed by this area's migration `note_links`.
#[must_use]
pub fn notes() -> Collection {
    Collection::new("note", "notes", include_str!("shapes/note.shape"))
        .reference("typeId", "note_type")
        .index(Index::plain("domain"))
        .index(Index::plain("title"))
        .index(Index::full_text("title"))
        .index(Index::gin("title"))
        .index(Index::gin("search").over(&SEARCH))
}
