//! mod-orders: titles, pieces and receiving.

use std::sync::Arc;

use ::http::Method;
use octavo_circulation::config_cache::ConfigCache;
use octavo_platform::{Content, Handler, Interface};

use crate::http::{receiving as own, storage};

/// The interfaces.
pub(super) fn interfaces() -> Vec<Interface> {
    let mut all = vec![titles(), pieces(), arrivals()];
    all.extend(views());
    all
}

fn titles() -> Interface {
    let (path, stem) = ("/orders/titles", "orders.titles");
    Interface::new("titles", "1.2")
        .route(
            Method::GET,
            path,
            &format!("{stem}.collection.get"),
            Handler::call(own::titles_page),
        )
        .answering(Content::List("titles"))
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(own::create_title),
        )
        .taking(Content::Record("titles"))
        .answering(Content::Record("titles"))
        .desiring(&["titles.acquisitions-units-assignments.assign"])
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::call(own::read_title),
        )
        .answering(Content::Record("titles"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(own::replace_title),
        )
        .taking(Content::Record("titles"))
        .desiring(&["titles.acquisitions-units-assignments.manage"])
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(own::delete_title),
        )
}

fn pieces() -> Interface {
    let (path, stem) = ("/orders/pieces", "orders.pieces");
    Interface::new("pieces", "3.1")
        .readable(path, "pieces", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(own::create_piece),
        )
        .taking(Content::Record("pieces"))
        .answering(Content::Record("pieces"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(own::replace_piece),
        )
        .taking(Content::Record("pieces"))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(own::delete_piece),
        )
        .route(
            Method::POST,
            "/orders/pieces-batch",
            "orders.pieces.collection.post",
            Handler::transaction(own::create_pieces),
        )
        .taking(Content::List("pieces"))
        .answering(Content::List("pieces"))
        .route(
            Method::PUT,
            "/orders/pieces-batch/status",
            "orders.pieces.collection.put",
            Handler::transaction(own::set_statuses),
        )
        .route(
            Method::GET,
            "/orders/pieces-requests",
            "orders.piece-requests.collection.get",
            Handler::call(own::requests),
        )
}

fn arrivals() -> Interface {
    Interface::new("receiving", "2.0")
        .route(
            Method::POST,
            "/orders/receive",
            "orders.receiving.collection.post",
            Handler::transaction(own::receive),
        )
        .route(
            Method::POST,
            "/orders/check-in",
            "orders.check-in.collection.post",
            Handler::transaction(own::check_in),
        )
        .route(
            Method::POST,
            "/orders/expect",
            "orders.expect.collection.post",
            Handler::transaction(own::expect),
        )
        .route(
            Method::GET,
            "/orders/receiving-history",
            "orders.receiving-history.collection.get",
            Handler::call(own::receiving_history),
        )
}

fn views() -> Vec<Interface> {
    let wrapped = "/orders/wrapper-pieces";
    let cache = Arc::new(ConfigCache::default());
    vec![
        Interface::new("wrapper-pieces", "1.0")
            .route(
                Method::GET,
                wrapped,
                "orders.wrapper-pieces.collection.get",
                Handler::call(storage::wrapper_pieces),
            )
            .by_id(
                Method::GET,
                wrapped,
                "orders.wrapper-pieces.item.get",
                Handler::call(storage::wrapper_piece),
            ),
        Interface::new("orders.holding-summary", "1.0").by_id(
            Method::GET,
            "/orders/holding-summary",
            "orders.holding-summary.collection.get",
            Handler::call(own::holding_summary),
        ),
        Interface::new("orders.bind-pieces", "1.0")
            .route(
                Method::POST,
                "/orders/bind-pieces",
                "orders.bind-pieces.collection.post",
                Handler::transaction(move |call| own::bind(Arc::clone(&cache), call)),
            )
            .by_id(
                Method::DELETE,
                "/orders/bind-pieces",
                "orders.bind-pieces.item.delete",
                Handler::transaction(own::unbind),
            ),
        Interface::new("pieces.send-claims", "1.0").route(
            Method::POST,
            "/pieces/claim",
            "pieces.send-claims.collection.post",
            Handler::transaction(own::claim),
        ),
    ]
}
