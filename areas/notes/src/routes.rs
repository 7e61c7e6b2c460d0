//! mod-notes and mod-tags.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData};

use crate::collections as own;
use crate::http::{note_links, note_types, notes, tags};

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![
        Module::new("mod-notes", "7.0.0")
            .reads("config_data users")
            .needs(include_str!("needs/notes.tsv"))
            .permissions(include_str!("permissions/notes.tsv"))
            .collection(own::note_types())
            .collection(own::notes())
            .migration("note_links", include_str!("migrations/note_links.sql"))
            .reference(
                ReferenceData::tsv("note_type", include_str!("reference/note_type.tsv"))
                    .essential(),
            )
            .interface(interface()),
        Module::new("mod-tags", "2.4.1")
            .permissions(include_str!("permissions/tags.tsv"))
            .collection(own::tags())
            .reference(ReferenceData::tsv("tag", include_str!("reference/tag.tsv")).essential())
            .interface(tags_interface()),
    ]
}

fn interface() -> Interface {
    let (path, types) = ("/notes", "/note-types");
    Interface::new("notes", "4.0")
        .readable(path, "note", "notes")
        .route(
            Method::POST,
            path,
            "notes.item.post",
            Handler::create("note"),
        )
        .by_id(
            Method::PUT,
            path,
            "notes.item.put",
            Handler::call(notes::replace),
        )
        .taking(Content::Record("note"))
        .by_id(
            Method::DELETE,
            path,
            "notes.item.delete",
            Handler::delete("note"),
        )
        .hooked(path, &notes::HOOKS)
        .readable(types, "note_type", "note.types")
        .route(
            Method::POST,
            types,
            "note.types.item.post",
            Handler::transaction(note_types::create),
        )
        .taking(Content::Record("note_type"))
        .answering(Content::Record("note_type"))
        .by_id(
            Method::PUT,
            types,
            "note.types.item.put",
            Handler::replace("note_type"),
        )
        .by_id(
            Method::DELETE,
            types,
            "note.types.item.delete",
            Handler::delete("note_type"),
        )
        .hooked(types, &note_types::HOOKS)
        .route(
            Method::GET,
            "/note-links/domain/{domain}/type/{type}/id/{id}",
            "note.links.collection.get",
            Handler::call(note_links::list),
        )
        .route(
            Method::PUT,
            "/note-links/type/{type}/id/{id}",
            "note.links.collection.put",
            Handler::call(note_links::update),
        )
}

fn tags_interface() -> Interface {
    Interface::new("tags", "1.0")
        .records("/tags", "tag", "tags")
        .hooked("/tags", &tags::HOOKS)
}
