//! The interfaces for many records of one type at once: with optimistic locking and without.

use ::http::Method;
use octavo_platform::{Handler, Interface};

use crate::http::batches;

/// Two interfaces for each of instances, holdings and items.
pub(super) fn interfaces() -> Vec<Interface> {
    let of = |id, version, path, permission: &str, handler| {
        Interface::new(id, version).route(Method::POST, path, permission, handler)
    };
    vec![
        of(
            "instance-storage-batch-sync",
            "3.1",
            "/instance-storage/batch/synchronous",
            "inventory-storage.instances.batch.synchronous.post",
            Handler::transaction(batches::instances),
        ),
        of(
            "instance-storage-batch-sync-unsafe",
            "3.1",
            "/instance-storage/batch/synchronous-unsafe",
            "inventory-storage.instances.batch-unsafe.post",
            Handler::transaction(batches::instances_unsafe),
        ),
        of(
            "holdings-storage-batch-sync",
            "2.0",
            "/holdings-storage/batch/synchronous",
            "inventory-storage.holdings.batch.post",
            Handler::transaction(batches::holdings),
        ),
        of(
            "holdings-storage-batch-sync-unsafe",
            "2.0",
            "/holdings-storage/batch/synchronous-unsafe",
            "inventory-storage.holdings.batch-unsafe.post",
            Handler::transaction(batches::holdings_unsafe),
        ),
        of(
            "item-storage-batch-sync",
            "1.0",
            "/item-storage/batch/synchronous",
            "inventory-storage.items.batch.post",
            Handler::transaction(batches::items),
        )
        .satisfying(&["2.0"]),
        of(
            "item-storage-batch-sync-unsafe",
            "1.0",
            "/item-storage/batch/synchronous-unsafe",
            "inventory-storage.items.batch-unsafe.post",
            Handler::transaction(batches::items_unsafe),
        )
        .satisfying(&["2.0"]),
    ]
}
