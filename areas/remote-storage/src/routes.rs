//! mod-remote-storage.

use std::sync::Arc;

use ::http::Method;
use axum::response::Response;
use octavo_circulation::config_cache::ConfigCache;
use octavo_platform::{ApiError, Call, Handler, Interface, Module};

use crate::collections::{self as own, CONFIGURATIONS};
use crate::http::{
    accessions, configurations, events, extended_mappings, items, mappings, retrievals,
};
use crate::shapes;

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let cache = Arc::new(ConfigCache::default());
    let module = Module::new("mod-remote-storage", "3.4.3")
        .reads("contributor_type holdings_record identifier_type instance item item_note_type")
        .reads("location material_type request service_point users check_in")
        .needs(include_str!("needs.tsv"))
        .permissions(include_str!("permissions.tsv"))
        .collection(own::configurations())
        .migration(
            "remote_storage_queues",
            include_str!("migrations/queues.sql"),
        )
        .emptying("location_mappings")
        .emptying("original_locations")
        .emptying("accession_queue")
        .emptying("retrieval_queue");
    let interfaces = [
        of_configurations(),
        of_mappings(),
        of_extended_mappings(),
        providers(),
        of_accessions(),
        of_retrievals(),
        check_in(&cache),
        handlers(),
        of_items(),
    ];
    let module = interfaces.into_iter().fold(module, Module::interface);
    vec![shapes::declared(module)]
}

/// A handler that uses the cache of circulation's configuration.
fn with<F, R>(cache: &Arc<ConfigCache>, function: F) -> Handler
where
    F: Fn(Arc<ConfigCache>, Call) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let cache = Arc::clone(cache);
    Handler::transaction(move |call| function(Arc::clone(&cache), call))
}

fn permission(name: &str) -> String {
    format!("remote-storage.{name}")
}

fn of_configurations() -> Interface {
    let path = "/remote-storage/configurations";
    let stem = "remote-storage.configurations";
    Interface::new("remote-storage-configurations", "1.1")
        .readable(path, CONFIGURATIONS, stem)
        .route(
            Method::POST,
            path,
            &permission("configurations.item.post"),
            Handler::create(CONFIGURATIONS),
        )
        .by_id(
            Method::PUT,
            path,
            &permission("configurations.item.put"),
            Handler::replace(CONFIGURATIONS),
        )
        .hooked(path, &configurations::HOOKS)
        .by_id(
            Method::DELETE,
            path,
            &permission("configurations.item.delete"),
            Handler::call(configurations::delete),
        )
}

fn of_mappings() -> Interface {
    let (path, one) = (
        "/remote-storage/mappings",
        "/remote-storage/mappings/{finalLocationId}",
    );
    Interface::new("remote-storage-mappings", "1.0")
        .route(
            Method::POST,
            path,
            &permission("mappings.item.post"),
            Handler::transaction(mappings::create),
        )
        .route(
            Method::GET,
            path,
            &permission("mappings.collection.get"),
            Handler::call(mappings::list),
        )
        .route(
            Method::GET,
            one,
            &permission("mappings.item.get"),
            Handler::call(mappings::read),
        )
        .route(
            Method::DELETE,
            one,
            &permission("mappings.item.delete"),
            Handler::transaction(mappings::delete),
        )
}

fn of_extended_mappings() -> Interface {
    let path = "/remote-storage/extended-mappings";
    Interface::new("remote-storage-extended-mappings", "1.0")
        .route(
            Method::POST,
            path,
            &permission("extended-mappings.item.post"),
            Handler::transaction(extended_mappings::create),
        )
        .route(
            Method::GET,
            path,
            &permission("extended-mappings.collection.get"),
            Handler::call(extended_mappings::list),
        )
        .route(
            Method::GET,
            "/remote-storage/extended-mappings/{finalLocationId}",
            &permission("extended-mappings.item.get"),
            Handler::call(extended_mappings::read),
        )
        .route(
            Method::GET,
            "/remote-storage/extended-mappings/locations",
            &permission("extended-mappings-locations.collection.get"),
            Handler::call(extended_mappings::locations),
        )
        .route(
            Method::DELETE,
            "/remote-storage/extended-mappings/{finalLocationId}/{originalLocationId}",
            &permission("extended-mappings.item.delete"),
            Handler::transaction(extended_mappings::delete),
        )
}

fn providers() -> Interface {
    Interface::new("remote-storage-providers", "1.0").route(
        Method::GET,
        "/remote-storage/providers",
        &permission("providers.collection.get"),
        Handler::call(configurations::providers),
    )
}

fn of_accessions() -> Interface {
    let path = "/remote-storage/accessions";
    Interface::new("remote-storage-accessions", "1.1")
        .route(
            Method::POST,
            path,
            &permission("accessions.item.post"),
            Handler::transaction(accessions::create),
        )
        .route(
            Method::GET,
            path,
            &permission("accessions.collection.get"),
            Handler::call(accessions::list),
        )
        .route(
            Method::PUT,
            "/remote-storage/accessions/id/{accessionId}",
            &permission("accessions.item.put"),
            Handler::transaction(accessions::done_by_id),
        )
        .route(
            Method::PUT,
            "/remote-storage/accessions/barcode/{barcode}",
            &permission("accessions.item-barcode.put"),
            Handler::transaction(accessions::done_by_barcode),
        )
}

fn of_retrievals() -> Interface {
    Interface::new("remote-storage-retrievals", "1.1")
        .route(
            Method::GET,
            "/remote-storage/retrievals",
            &permission("retrievals.collection.get"),
            Handler::call(retrievals::list),
        )
        .route(
            Method::PUT,
            "/remote-storage/retrievals/id/{retrievalId}",
            &permission("retrievals.item.put"),
            Handler::transaction(retrievals::done_by_id),
        )
        .route(
            Method::PUT,
            "/remote-storage/retrievals/barcode/{barcode}",
            &permission("retrievals.item-barcode.put"),
            Handler::transaction(retrievals::done_by_barcode),
        )
}

fn check_in(cache: &Arc<ConfigCache>) -> Interface {
    Interface::new("remote-storage-check-in", "1.2")
        .route(
            Method::POST,
            "/remote-storage/retrieve/{remoteStorageConfigurationId}/checkInItem",
            &permission("check-in.item.post"),
            with(cache, items::check_in),
        )
        .route(
            Method::POST,
            "/remote-storage/retrieve/{remoteStorageConfigurationId}/checkInItemByHoldId",
            &permission("check-in.item-hold.post"),
            with(cache, items::check_in_by_hold),
        )
        .route(
            Method::POST,
            "/remote-storage/return/{remoteStorageConfigurationId}",
            &permission("return.item.post"),
            with(cache, items::give_back),
        )
}

fn handlers() -> Interface {
    Interface::new("remote-storage-event-handlers", "1.1").route(
        Method::POST,
        "/remote-storage/pub-sub-handlers/log-record-event",
        &permission("pub-sub-handlers.log-record-event.post"),
        Handler::transaction(events::log_record),
    )
}

fn of_items() -> Interface {
    Interface::new("remote-storage-items", "1.0").route(
        Method::POST,
        "/remote-storage/items/barcode/{barcode}/markAsMissing",
        &permission("items.item.mark-as-missing.post"),
        Handler::transaction(items::missing),
    )
}
