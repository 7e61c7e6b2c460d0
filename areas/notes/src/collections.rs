//! The record types of notes and tags.

use octavo_records::{Collection, Index};

/// The kinds of note.
#[must_use]
pub fn note_types() -> Collection {
    Collection::new(
        "note_type",
        "noteTypes",
        include_str!("shapes/note_type.shape"),
    )
    .dropping_unknown()
    .located("/note-types/")
    .index(Index::unique("name"))
    .index(by_metadata("createdBy"))
    .index(by_metadata("updatedBy"))
}

/// The user of the last change, under mod-notes' CQL name.
fn by_metadata(name: &str) -> Index {
    let sql = format!("jsonb->'metadata'->>'{name}UserId'");
    Index::plain(name).expression(&sql).term("lower($)")
}

/// The text that a search of a record's notes covers: the title, and the content without markup.
#[must_use]
pub fn readable_text() -> Index {
    Index::gin("readableText").expression(READABLE_TEXT)
}

const READABLE_TEXT: &str = "coalesce(jsonb->>'title', '') || ' ' || regexp_replace(\
    regexp_replace(coalesce(jsonb->>'content', ''), '<[^>]+>', '', 'g'), '\\n+', ' ', 'g')";

/// The notes. The links of a note are indexed by this area's migration `note_links`.
#[must_use]
pub fn notes() -> Collection {
    Collection::new("note", "notes", include_str!("shapes/note.shape"))
        .dropping_unknown()
        .located("/notes/")
        .reaching("typeId", "note_type", "type")
        .index(Index::plain("domain"))
        .index(Index::full_text("domain"))
        .index(Index::plain("title"))
        .index(Index::full_text("title"))
        .index(Index::gin("title"))
        .index(Index::full_text("content"))
        .index(Index::full_text("links.objectId").over(&["links[*].id"]))
        .index(Index::full_text("links.objectType").over(&["links[*].type"]))
        .index(by_metadata("createdBy"))
        .index(by_metadata("updatedBy"))
        .index(readable_text())
}

/// The tags that records of all kinds can be given. Labels differ by case and accents.
#[must_use]
pub fn tags() -> Collection {
    Collection::new("tag", "tags", include_str!("shapes/tag.shape"))
        .dropping_unknown()
        .located("/tags/")
        .index(
            Index::unique("exactLabel")
                .over(&["label"])
                .case_sensitive()
                .keep_accents(),
        )
        .index(Index::plain("label").keep_accents())
        .index(Index::full_text("label"))
        .index(Index::full_text("description"))
}
