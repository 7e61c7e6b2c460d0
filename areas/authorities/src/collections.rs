//! The record types of authorities. Links, rules and statistics are tables of this area's own
//! (`migrations/`).

use octavo_records::{Collection, Index};

/// The table of authorities.
pub const AUTHORITY: &str = "authority";
/// The table of deleted authorities.
pub const ARCHIVE: &str = "authority_archive";
/// The table of source files.
pub const SOURCE_FILE: &str = "authority_source_file";
/// The table of kinds of notes.
pub const NOTE_TYPE: &str = "authority_note_type";
/// The table of kinds of headings.
pub const HEADING_TYPE: &str = "authority_heading_type";
/// The table of kinds of identifiers.
pub const IDENTIFIER_TYPE: &str = "authority_identifier_type";
/// The table of reindex jobs.
pub const REINDEX_JOB: &str = "authority_reindex_job";
/// FOLIO's topic of authorities.
pub const TOPIC: &str = "authorities.authority";

/// The files that authorities are taken from.
#[must_use]
pub fn source_files() -> Collection {
    Collection::new(
        SOURCE_FILE,
        "authoritySourceFiles",
        include_str!("shapes/authority_source_file.shape"),
    )
    .dropping_unknown()
    .index(
        Index::unique("name")
            .case_sensitive()
            .keep_accents()
            .refusing("Authority source file with the given 'name' already exists."),
    )
    .index(
        Index::unique("baseUrl")
            .case_sensitive()
            .keep_accents()
            .refusing("Authority source file with the given 'baseUrl' already exists."),
    )
    .index(Index::full_text("name"))
    .index(Index::full_text("type"))
    .index(Index::plain("source"))
    .index(Index::plain("selectable"))
}

/// The kinds of notes.
#[must_use]
pub fn note_types() -> Collection {
    Collection::new(
        NOTE_TYPE,
        "authorityNoteTypes",
        include_str!("shapes/authority_note_type.shape"),
    )
    .located("/authority-note-types/")
    .dropping_unknown()
    .index(
        Index::unique("name")
            .case_sensitive()
            .keep_accents()
            .refusing("Authority note type with the given 'name' already exists."),
    )
    .index(Index::plain("source"))
}

/// The kinds of identifiers.
#[must_use]
pub fn identifier_types() -> Collection {
    Collection::new(
        IDENTIFIER_TYPE,
        "identifierTypes",
        include_str!("shapes/authority_identifier_type.shape"),
    )
    .index(Index::unique("name"))
    .index(Index::unique("code"))
}

/// The kinds of headings.
#[must_use]
pub fn heading_types() -> Collection {
    Collection::new(
        HEADING_TYPE,
        "headingTypes",
        include_str!("shapes/authority_heading_type.shape"),
    )
    .index(Index::unique("name"))
    .index(Index::unique("code"))
    .index(Index::plain("queryable"))
}

#[must_use]
pub fn authorities() -> Collection {
    of_authorities(AUTHORITY).events(TOPIC)
}

/// Authorities that were deleted, until they expire.
#[must_use]
pub fn archive() -> Collection {
    of_authorities(ARCHIVE)
}

/// Reindex jobs.
#[must_use]
pub fn reindex_jobs() -> Collection {
    Collection::new(
        REINDEX_JOB,
        "reindexJobs",
        include_str!("shapes/authority_reindex_job.shape"),
    )
}

fn of_authorities(table: &str) -> Collection {
    let dated = |name: &str| {
        let path = format!("metadata.{name}");
        Index::plain(name)
            .over(&[&path])
            .case_sensitive()
            .keep_accents()
    };
    Collection::new(table, "authorities", include_str!("shapes/authority.shape"))
        .dropping_unknown()
        .reaching("sourceFileId", SOURCE_FILE, "authoritySourceFile")
        .index(Index::plain("naturalId").case_sensitive().keep_accents())
        .index(Index::plain("source"))
        .index(
            Index::plain("subjectHeadingCode")
                .over(&["subjectHeadings"])
                .case_sensitive(),
        )
        .index(Index::plain("heading").expression(&heading("value")))
        .index(Index::full_text("heading").expression(&heading("value")))
        .index(
            Index::plain("headingType")
                .expression(&heading("type"))
                .with(&[]),
        )
        .index(dated("createdDate"))
        .index(dated("updatedDate"))
        .index(
            Index::plain("metadata.createdDate")
                .case_sensitive()
                .keep_accents(),
        )
        .index(
            Index::plain("metadata.updatedDate")
                .case_sensitive()
                .keep_accents(),
        )
}

/// SQL of a record's heading, or of its type: that of the first property that holds one.
fn heading(of: &str) -> String {
    let types = crate::rules::headings::TYPES.iter();
    if of == "value" {
        let values: Vec<String> = types.map(|one| format!("jsonb->>'{}'", one.name)).collect();
        return format!("coalesce({})", values.join(", "));
    }
    let cases: Vec<String> = types
        .map(|one| format!("WHEN jsonb->>'{0}' IS NOT NULL THEN '{0}'", one.name))
        .collect();
    format!("CASE {} END", cases.join(" "))
}
