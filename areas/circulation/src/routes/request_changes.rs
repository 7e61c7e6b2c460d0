//! Requests that are placed: changed, deleted, and their queues.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::{placing, request_changes};

/// Adds the routes of the interface `circulation`.
pub(super) fn circulation(interface: Interface, cache: &Arc<ConfigCache>) -> Interface {
    interface
        .by_id(
            Method::PUT,
            "/circulation/requests",
            "circulation.requests.item.put",
            with(cache, request_changes::replace),
        )
        .desiring(placing::OVERRIDES)
        .by_id(
            Method::DELETE,
            "/circulation/requests",
            "circulation.requests.item.delete",
            with(cache, request_changes::delete),
        )
        .route(
            Method::DELETE,
            "/circulation/requests",
            "circulation.requests.collection.delete",
            Handler::call(request_changes::delete_all),
        )
        .route(
            Method::GET,
            "/circulation/requests/queue/item/{id}",
            "circulation.requests.queue-item.collection.get",
            Handler::call(request_changes::queue_of_item),
        )
        .route(
            Method::POST,
            "/circulation/requests/queue/item/{id}/reorder",
            "circulation.requests.queue.item-reorder.collection.post",
            with(cache, request_changes::reorder_item),
        )
        .route(
            Method::GET,
            "/circulation/requests/queue/instance/{id}",
            "circulation.requests.queue-instance.collection.get",
            Handler::call(request_changes::queue_of_title),
        )
        .route(
            Method::POST,
            "/circulation/requests/queue/instance/{id}/reorder",
            "circulation.requests.queue.instance-reorder.collection.post",
            with(cache, request_changes::reorder_title),
        )
}
