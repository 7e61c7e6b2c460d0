//! The routes of Octavo's own desk, beside FOLIO's.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::Interface;

use super::with;
use crate::app::patron_card;
use crate::config_cache::ConfigCache;
use crate::http::{desk, scan};

pub(super) fn interface(cache: &Arc<ConfigCache>) -> Interface {
    Interface::new("octavo-desk", "1.0")
        .route(
            Method::POST,
            "/_/octavo/desk/check-out",
            "circulation.check-out-by-barcode.post",
            with(cache, scan::check_out),
        )
        .desiring(desk::OVERRIDES)
        .route(
            Method::POST,
            "/_/octavo/desk/check-in",
            "circulation.check-in-by-barcode.post",
            with(cache, scan::check_in),
        )
        .desiring(&[scan::AMNESTY])
        .route(
            Method::GET,
            "/_/octavo/desk/patron",
            "users.collection.get",
            with(cache, scan::card),
        )
        .desiring(patron_card::PERMISSIONS)
}
