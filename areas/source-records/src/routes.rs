//! mod-source-record-storage.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use crate::collections as own;
use crate::http::{batch, matching, migrations, records, snapshots, source_records, stream};

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![
        Module::new("mod-source-record-storage", "5.10.15")
            .needs(include_str!("needs.tsv"))
            .permissions(include_str!("permissions.tsv"))
            .collection(own::snapshots())
            .collection(own::records())
            .migration(
                "source_record_bytes",
                include_str!("migrations/source_record_bytes.sql"),
            )
            .collection(own::migration_jobs())
            .migration("marc_terms", include_str!("migrations/marc_terms.sql"))
            .migration(
                "marc_terms_anew",
                include_str!("migrations/marc_terms_anew.sql"),
            )
            .timer(Timer::every(
                5,
                "second",
                "/source-storage/marc-terms",
                Handler::call(migrations::keep_terms),
            ))
            .interface(snapshot_routes())
            .interface(record_routes())
            .interface(source_record_routes())
            .interface(test_record_routes())
            .interface(stream_routes())
            .interface(batch_routes())
            .interface(migration_routes()),
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
            &permission("update"),
            Handler::call(records::suppress),
        )
        .route(
            Method::POST,
            "/source-storage/records/matching",
            &permission("matching.collection.post"),
            Handler::call(matching::matching),
        )
}

fn test_record_routes() -> Interface {
    Interface::new("source-storage-test-records", "2.1").route(
        Method::POST,
        "/source-storage/populate-test-marc-records",
        "source-storage.records.populate.collection.post",
        Handler::call(migrations::populate),
    )
}

fn stream_routes() -> Interface {
    Interface::new("source-storage-stream", "1.2")
        .route(
            Method::GET,
            "/source-storage/stream/records",
            "source-storage.stream.records.collection.get",
            Handler::call(stream::records),
        )
        .route(
            Method::GET,
            "/source-storage/stream/source-records",
            "source-storage.stream.source-records.collection.get",
            Handler::call(stream::source_records),
        )
        .route(
            Method::POST,
            "/source-storage/stream/marc-record-identifiers",
            "source-storage.stream.marc-record-identifiers.collection.post",
            Handler::call(stream::marc_record_identifiers),
        )
}

fn batch_routes() -> Interface {
    Interface::new("source-storage-batch", "1.3")
        .route(
            Method::POST,
            "/source-storage/batch/records",
            "source-storage.batch.records.collection.post",
            Handler::call(batch::create),
        )
        .route(
            Method::PUT,
            "/source-storage/batch/parsed-records",
            "source-storage.parsed-records.collection.put",
            Handler::call(batch::replace),
        )
        .route(
            Method::POST,
            "/source-storage/batch/parsed-records/fetch",
            "source-storage.parsed-records.fetch.collection.post",
            Handler::call(batch::fetch),
        )
        .route(
            Method::POST,
            "/source-storage/batch/verified-records",
            "source-storage.verified-records.collection.post",
            Handler::call(batch::verify),
        )
}

fn migration_routes() -> Interface {
    Interface::new("source-storage-async-migrations", "1.1")
        .route(
            Method::POST,
            "/source-storage/migrations/jobs",
            "source-storage.migrations.post",
            Handler::call(migrations::begin),
        )
        .by_id(
            Method::GET,
            "/source-storage/migrations/jobs",
            "source-storage.migrations.item.get",
            Handler::call(migrations::read),
        )
}

fn source_record_routes() -> Interface {
    let path = "/source-storage/source-records";
    let list = "source-storage.source-records.collection.get";
    Interface::new("source-storage-source-records", "3.2")
        .satisfying(&["3.3"])
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
