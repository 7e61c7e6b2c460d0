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
        .route(
            Method::GET,
            path,
            "notes.collection.get",
            Handler::call(notes::list),
        )
        .answering(Content::List("note"))
        .route(
            Method::POST,
            path,
            "notes.item.post",
            Handler::call(notes::create),
        )
        .taking(Content::Record("note"))
        .answering(Content::Record("note"))
        .by_id(
            Method::GET,
            path,
            "notes.item.get",
            Handler::call(notes::read),
        )
        .answering(Content::Record("note"))
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
            Handler::call(notes::delete),
        )
        .route(
            Method::GET,
            types,
            "note.types.collection.get",
            Handler::call(note_types::list),
        )
        .answering(Content::List("note_type"))
        .route(
            Method::POST,
            types,
            "note.types.item.post",
            Handler::transaction(note_types::create),
        )
        .taking(Content::Record("note_type"))
        .answering(Content::Record("note_type"))
        .by_id(
            Method::GET,
            types,
            "note.types.item.get",
            Handler::call(note_types::read),
        )
        .answering(Content::Record("note_type"))
        .by_id(
            Method::PUT,
            types,
            "note.types.item.put",
            Handler::call(note_types::replace),
        )
        .taking(Content::Record("note_type"))
        .by_id(
            Method::DELETE,
            types,
            "note.types.item.delete",
            Handler::call(note_types::delete),
        )
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
    let path = "/tags";
    Interface::new("tags", "1.0")
        .route(
            Method::GET,
            path,
            "tags.collection.get",
            Handler::call(tags::list),
        )
        .route(
            Method::POST,
            path,
            "tags.item.post",
            Handler::call(tags::create),
        )
        .by_id(
            Method::GET,
            path,
            "tags.item.get",
            Handler::call(tags::read),
        )
        .by_id(
            Method::PUT,
            path,
            "tags.item.put",
            Handler::call(tags::replace),
        )
        .by_id(
            Method::DELETE,
            path,
            "tags.item.delete",
            Handler::call(tags::delete),
        )
}
