//! mod-source-record-storage.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::{records, snapshots, source_records};

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![
        Module::new("mod-source-record-storage", "5.10.0")
            .permissions(include_str!("permissions.tsv"))
            .collection(own::snapshots())
            .collection(own::records())
            .migration(
                "source_record_bytes",
                include_str!("migrations/source_record_bytes.sql"),
            )
            .interface(snapshot_routes())
            .interface(record_routes())
            .interface(source_record_routes()),
    ]
}

fn snapshot_routes() -> Interface {
    let path = "/source-storage/snapshots";
    let item = "/source-storage/snapshots/{jobExecutionId}";
    let stem = "source-storage.snapshots";
    let permission = |verb: &str| format!("{stem}.{verb}");
    Interface::new("source-storage-snapshots", "2.1")
        .route(
            Method::GET,
            path,
            &permission("collection.get"),
            Handler::call(snapshots::list),
        )
        .route(
            Method::POST,
            path,
            &permission("post"),
            Handler::call(snapshots::create),
        )
        .route(
            Method::GET,
            item,
            &permission("item.get"),
            Handler::call(snapshots::read),
        )
        .route(
            Method::PUT,
            item,
            &permission("put"),
            Handler::call(snapshots::replace),
        )
        .route(
            Method::DELETE,
            item,
            &permission("delete"),
            Handler::call(snapshots::delete),
        )
}

fn record_routes() -> Interface {
    let path = "/source-storage/records";
    let item = "/source-storage/records/{id}";
    let stem = "source-storage.records";
    let permission = |verb: &str| format!("{stem}.{verb}");
    let formatted = permission("formatted.item.get");
    Interface::new("source-storage-records", "3.4")
        .route(
            Method::GET,
            path,
            &permission("collection.get"),
            Handler::call(records::list),
        )
        .route(
            Method::POST,
            path,
            &permission("post"),
            Handler::call(records::create),
        )
        .route(
            Method::GET,
            item,
            &permission("item.get"),
            Handler::call(records::read),
        )
        .route(
            Method::PUT,
            item,
            &permission("put"),
            Handler::call(records::replace),
        )
        .route(
            Method::DELETE,
            item,
            &permission("delete"),
            Handler::call(records::delete),
        )
        .route(
            Method::GET,
            "/source-storage/records/{id}/formatted",
            &formatted,
            Handler::call(records::formatted),
        )
        // The path of older releases, which the published load tests still play.
        .route(
            Method::GET,
            "/source-storage/formattedRecords/{id}",
            &formatted,
            Handler::call(records::formatted),
        )
        .route(
            Method::PUT,
            "/source-storage/records/{id}/generation",
            &permission("generation.item.put"),
            Handler::call(records::replace_generation),
        )
        .route(
            Method::POST,
            "/source-storage/records/{id}/un-delete",
            &permission("undelete.item.post"),
            Handler::call(records::undelete),
        )
        .route(
            Method::PUT,
            "/source-storage/records/{id}/suppress-from-discovery",
            &permission("suppress-discovery.item.put"),
            Handler::call(records::suppress),
        )
}

fn source_record_routes() -> Interface {
    let path = "/source-storage/source-records";
    let list = "source-storage.source-records.collection.get";
    Interface::new("source-storage-source-records", "3.3")
        .route(Method::GET, path, list, Handler::call(source_records::list))
        .route(
            Method::POST,
            path,
            list,
            Handler::call(source_records::fetch),
        )
        .by_id(
            Method::GET,
            path,
            "source-storage.source-records.item.get",
            Handler::call(source_records::read),
        )
}
