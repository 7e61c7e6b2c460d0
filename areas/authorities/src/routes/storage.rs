//! Authorities, their source files and kinds, settings and jobs.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Content, Handler, Interface};

use super::following;
use crate::collections::{
    AUTHORITY, HEADING_TYPE, IDENTIFIER_TYPE, NOTE_TYPE, REINDEX_JOB, SOURCE_FILE,
};
use crate::http::{self, authorities, jobs, note_types, settings, source_files};
use crate::link_followers::Follower;

pub(super) fn interfaces(follower: &Arc<dyn Follower>) -> Vec<Interface> {
    vec![
        storage(follower),
        kinds_of_notes(),
        Interface::new("authority-identifier-types", "1.0")
            .route(
                Method::GET,
                "/authority-identifier-types",
                "authority-identifier-types.collection.get",
                Handler::list(IDENTIFIER_TYPE),
            )
            .hooked("/authority-identifier-types", &http::HOOKS),
        Interface::new("authority-heading-types", "1.0")
            .route(
                Method::GET,
                "/authority-heading-types",
                "authority-heading-types.collection.get",
                Handler::list(HEADING_TYPE),
            )
            .hooked("/authority-heading-types", &http::HOOKS),
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
            Handler::read(AUTHORITY),
        )
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
        .hooked(path, &authorities::HOOKS)
}

fn kinds_of_notes() -> Interface {
    let (path, stem) = (
        "/authority-note-types",
        "inventory-storage.authority-note-types",
    );
    Interface::new("authority-note-types", "1.0")
        .records(path, NOTE_TYPE, stem)
        .hooked(path, &note_types::HOOKS)
}

fn files() -> Interface {
    let path = "/authority-source-files";
    let stem = |verb: &str| format!("inventory-storage.authority-source-files.{verb}");
    Interface::new("authority-source-files", "2.2")
        .route(
            Method::GET,
            path,
            &stem("collection.get"),
            Handler::list(SOURCE_FILE),
        )
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
            Handler::read(SOURCE_FILE),
        )
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
        .hooked(path, &source_files::HOOKS)
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
            Handler::list(REINDEX_JOB),
        )
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
            Handler::read(REINDEX_JOB),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(jobs::cancel),
        )
        .hooked(path, &jobs::HOOKS)
}
