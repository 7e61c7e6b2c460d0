//! mod-circulation: the routes of a desk.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use super::{desk as beside, loan_acts, request_changes, rules, scan, with};
use crate::config_cache::ConfigCache;
use crate::http::{around_requests, desk, loans, placing, requests, sessions};

pub(super) fn module(cache: &Arc<ConfigCache>) -> Module {
    let module = Module::new("mod-circulation", "24.4.18")
        .reads(
            "addresstype calendar_version config_data departments feefines groups holdings_record \
             identifier_type instance loan_type locale location loccampus locinstitution \
             loclibrary lost_item_fee_policy manualblocks material_type note_type \
             overdue_fine_policy owners patron_block_conditions patron_block_limits \
             patron_debt proxyfor service_point setting_entry template users",
        )
        .writes("accounts feefineactions item note")
        .system("_tenant", "1.0")
        .needs(include_str!("../needs/mod-circulation.tsv"))
        .permissions(include_str!("../permissions/mod-circulation.tsv"))
        .interface(request_changes::circulation(
            loan_acts::circulation(circulation(cache), cache),
            cache,
        ))
        .interface(rules::circulation_rules(cache))
        .interface(scan::interface(cache))
        .interface(Interface::new("request-move", "0.7").route(
            Method::POST,
            "/circulation/requests/{id}/move",
            "circulation.requests.item.move.post",
            with(cache, placing::move_to),
        ))
        .interface(Interface::new("patron-action-session", "0.2").route(
            Method::POST,
            "/circulation/end-patron-action-session",
            "circulation.end-patron-action-session.post",
            with(cache, sessions::end),
        ));
    beside::circulation(loan_acts::interfaces(module, cache), cache)
}

fn circulation(cache: &Arc<ConfigCache>) -> Interface {
    Interface::new("circulation", "14.6")
        .satisfying(&["14.7"])
        .route(
            Method::POST,
            "/circulation/check-out-by-barcode",
            "circulation.check-out-by-barcode.post",
            with(cache, desk::check_out_by_barcode),
        )
        .desiring(desk::OVERRIDES)
        .route(
            Method::POST,
            "/circulation/check-in-by-barcode",
            "circulation.check-in-by-barcode.post",
            with(cache, desk::check_in_by_barcode),
        )
        .route(
            Method::GET,
            "/circulation/loans",
            "circulation.loans.collection.get",
            Handler::list("loan"),
        )
        .by_id(
            Method::GET,
            "/circulation/loans",
            "circulation.loans.item.get",
            Handler::call(loans::read),
        )
        .hooked("/circulation/loans", &loans::HOOKS)
        .route(
            Method::GET,
            "/circulation/requests",
            "circulation.requests.collection.get",
            Handler::list("request"),
        )
        .by_id(
            Method::GET,
            "/circulation/requests",
            "circulation.requests.item.get",
            Handler::call(requests::read),
        )
        .hooked("/circulation/requests", &requests::HOOKS)
        .route(
            Method::POST,
            "/circulation/requests",
            "circulation.requests.item.post",
            with(cache, placing::create),
        )
        .desiring(placing::OVERRIDES)
        .route(
            Method::POST,
            "/circulation/requests/instances",
            "circulation.requests.instances.item.post",
            with(cache, around_requests::create_for_instance),
        )
        .desiring(placing::OVERRIDES)
}
