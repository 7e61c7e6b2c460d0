//! The record types of uploads. Jobs have tables of their own.

use octavo_records::{Collection, Index};

/// Upload definitions: files to import together.
#[must_use]
pub(crate) fn upload_definitions() -> Collection {
    let shape = include_str!("shapes/upload_definition.shape");
    Collection::new("upload_definition", "uploadDefinitions", shape)
        .index(Index::plain("status"))
        .index(Index::plain("metaJobExecutionId").keep_accents())
        .index(Index::plain("metadata.createdByUserId").keep_accents())
}

/// File extensions: which files are imported.
#[must_use]
pub(crate) fn file_extensions() -> Collection {
    let shape = include_str!("shapes/file_extension.shape");
    Collection::new("file_extension", "fileExtensions", shape)
        .index(Index::unique("extension"))
        .index(Index::plain("importBlocked"))
}
