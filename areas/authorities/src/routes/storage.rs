//! Authorities, their source files and kinds, settings and jobs.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Content, Handler, Interface};

use super::following;
use crate::collections::{AUTHORITY, NOTE_TYPE, REINDEX_JOB, SOURCE_FILE};
use crate::http::{authorities, jobs, note_types, settings, source_files, types};
use crate::link_followers::Follower;

pub(super) fn interfaces(follower: &Arc<dyn Follower>) -> Vec<Interface> {
    vec![
        storage(follower),
        kinds_of_notes(),
        Interface::new("authority-identifier-types", "1.0").route(
            Method::GET,
            "/authority-identifier-types",
            "authority-identifier-types.collection.get",
            Handler::call(types::identifiers),
        ),
        Interface::new("authority-heading-types", "1.0").route(
            Method::GET,
            "/authority-heading-types",
            "authority-heading-types.collection.get",
            Handler::call(types::headings),
        ),
        files(),
        config(),
        reindex(),
    ]
}

fn storage(follower: &Arc<dyn Follower>) -> Interface {
    let path = "/authority-storage/authorities";
    let stem = |verb: &str| format!("inventory-storage.authorities.{verb}");
    Interface::new("authority-storage", "2.2")
        .route(
            Method::GET,
            path,
            &stem("collection.get"),
            Handler::call(authorities::list),
        )
        .answering(Content::List(AUTHORITY))
        .route(
            Method::POST,
            path,
            &stem("item.post"),
            Handler::transaction(authorities::create),
        )
        .taking(Content::Record(AUTHORITY))
        .answering(Content::Record(AUTHORITY))
        .route(
            Method::POST,
            "/authority-storage/authorities/bulk",
            &stem("bulk.post"),
            Handler::call(authorities::bulk),
        )
        .by_id(
            Method::GET,
            path,
            &stem("item.get"),
            Handler::call(authorities::read),
        )
        .answering(Content::Record(AUTHORITY))
        .by_id(
            Method::PUT,
            path,
            &stem("item.put"),
            following(follower, true, authorities::replace),
        )
        .taking(Content::Record(AUTHORITY))
        .by_id(
            Method::DELETE,
            path,
            &stem("item.delete"),
            following(follower, true, authorities::delete),
        )
}

fn kinds_of_notes() -> Interface {
    let path = "/authority-note-types";
    let stem = |verb: &str| format!("inventory-storage.authority-note-types.{verb}");
    Interface::new("authority-note-types", "1.0")
        .route(
            Method::GET,
            path,
            &stem("collection.get"),
            Handler::call(note_types::list),
        )
        .answering(Content::List(NOTE_TYPE))
        .route(
            Method::POST,
            path,
            &stem("item.post"),
            Handler::call(note_types::create),
        )
        .taking(Content::Record(NOTE_TYPE))
        .answering(Content::Record(NOTE_TYPE))
        .by_id(
            Method::GET,
            path,
            &stem("item.get"),
            Handler::call(note_types::read),
        )
        .answering(Content::Record(NOTE_TYPE))
        .by_id(
            Method::PUT,
            path,
            &stem("item.put"),
            Handler::call(note_types::replace),
        )
        .taking(Content::Record(NOTE_TYPE))
        .by_id(
            Method::DELETE,
            path,
            &stem("item.delete"),
            Handler::call(note_types::delete),
        )
}

fn files() -> Interface {
    let path = "/authority-source-files";
    let stem = |verb: &str| format!("inventory-storage.authority-source-files.{verb}");
    Interface::new("authority-source-files", "2.2")
        .route(
            Method::GET,
            path,
            &stem("collection.get"),
            Handler::call(source_files::list),
        )
        .answering(Content::List(SOURCE_FILE))
        .route(
            Method::POST,
            path,
            &stem("item.post"),
            Handler::transaction(source_files::create),
        )
        .answering(Content::Record(SOURCE_FILE))
        .by_id(
            Method::GET,
            path,
            &stem("item.get"),
            Handler::call(source_files::read),
        )
        .answering(Content::Record(SOURCE_FILE))
        .by_id(
            Method::PATCH,
            path,
            &stem("item.patch"),
            Handler::transaction(source_files::patch),
        )
        .by_id(
            Method::DELETE,
            path,
            &stem("item.delete"),
            Handler::transaction(source_files::delete),
        )
        .route(
            Method::POST,
            "/authority-source-files/{id}/hrid",
            &stem("hrid.post"),
            Handler::call(source_files::next_hrid),
        )
}

fn config() -> Interface {
    Interface::new("authorities-config", "1.0")
        .route(
            Method::GET,
            "/authorities/config/groups",
            "authorities.config.groups.collection.get",
            Handler::call(settings::groups),
        )
        .route(
            Method::GET,
            "/authorities/config/groups/{groupId}/settings",
            "authorities.config.groups.settings.collection.get",
            Handler::call(settings::list),
        )
        .desiring(settings::TO_READ)
        .route(
            Method::PATCH,
            "/authorities/config/groups/{groupId}/settings/{settingId}",
            "authorities.config.groups.settings.item.patch",
            Handler::call(settings::patch),
        )
        .desiring(settings::TO_CHANGE)
}

fn reindex() -> Interface {
    let path = "/authority-storage/reindex";
    let stem = "authority-storage.authority.reindex";
    Interface::new("authority-reindex", "0.1")
        .route(
            Method::GET,
            path,
            &format!("{stem}.collection.get"),
            Handler::call(jobs::list),
        )
        .answering(Content::List(REINDEX_JOB))
        .route(
            Method::POST,
            path,
            &format!("{stem}.post"),
            Handler::transaction(jobs::submit),
        )
        .answering(Content::Record(REINDEX_JOB))
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::call(jobs::read),
        )
        .answering(Content::Record(REINDEX_JOB))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(jobs::cancel),
        )
}
