//! mod-notes with its generic routes.

use octavo_platform::{Interface, Module, ReferenceData};

use crate::collections as own;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let notes = Interface::new("notes", "4.0")
        .records("/notes", "note", "notes")
        .records("/note-types", "note_type", "note.types");
    vec![
        Module::new("mod-notes", "7.0.0")
            .collection(own::note_types())
            .collection(own::notes())
            .migration("note_links", include_str!("migrations/note_links.sql"))
            .reference(ReferenceData::tsv(
                "note_type",
                include_str!("reference/note_type.tsv"),
            ))
            .interface(notes),
    ]
}
