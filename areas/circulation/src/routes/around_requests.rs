//! Routes of pickup service points, slips and hold shelves.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::around_requests;

/// Adds to mod-circulation.
pub(super) fn extend(module: Module, cache: &Arc<ConfigCache>) -> Module {
    module
        .interface(Interface::new("allowed-service-points", "1.2").route(
            Method::GET,
            "/circulation/requests/allowed-service-points",
            "circulation.requests.allowed-service-points.get",
            with(cache, around_requests::allowed_service_points),
        ))
        .interface(Interface::new("pick-slips", "0.4").route(
            Method::GET,
            "/circulation/pick-slips/{servicePointId}",
            "circulation.pick-slips.get",
            with(cache, around_requests::pick_slips),
        ))
        .interface(Interface::new("search-slips", "0.1").route(
            Method::GET,
            "/circulation/search-slips/{servicePointId}",
            "circulation.search-slips.get",
            with(cache, around_requests::search_slips),
        ))
        .interface(Interface::new("requests-reports", "0.8").route(
            Method::GET,
            "/circulation/requests-reports/hold-shelf-clearance/{id}",
            "circulation.requests.hold-shelf-clearance-report.get",
            Handler::call(around_requests::hold_shelf_clearance),
        ))
}
