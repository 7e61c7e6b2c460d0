//! The routes of rollovers themselves, in both modules.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Timer};

use crate::app::rollover::Rollovers;
use crate::http::rollovers;

const TABLE: &str = "ledger_fiscal_year_rollover";

fn begun(work: &Arc<Rollovers>, prefix: &'static str) -> Handler {
    let work = Arc::clone(work);
    Handler::transaction(move |call| rollovers::create(Arc::clone(&work), prefix, call))
}

/// Those of mod-finance-storage.
pub(super) fn storage(work: &Arc<Rollovers>) -> Interface {
    let (path, stem) = (
        "/finance-storage/ledger-rollovers",
        "finance-storage.ledger-rollovers",
    );
    Interface::new(stem, "2.0")
        .readable(path, TABLE, stem)
        .route(
            Method::POST,
            path,
            "finance-storage.ledger-rollovers.item.post",
            begun(work, "/finance-storage/ledger-rollovers/"),
        )
        .taking(Content::Record(TABLE))
        .answering(Content::Record(TABLE))
        .by_id(
            Method::PUT,
            path,
            "finance-storage.ledger-rollovers.item.put",
            Handler::replace(TABLE),
        )
        .by_id(
            Method::DELETE,
            path,
            "finance-storage.ledger-rollovers.item.delete",
            Handler::transaction(rollovers::remove),
        )
}

/// Those of mod-finance.
pub(super) fn business(work: &Arc<Rollovers>) -> Interface {
    let (path, stem) = ("/finance/ledger-rollovers", "finance.ledger-rollovers");
    Interface::new(stem, "2.0")
        .readable(path, TABLE, stem)
        .route(
            Method::POST,
            path,
            "finance.ledger-rollovers.item.post",
            begun(work, "/finance/ledger-rollovers/"),
        )
        .taking(Content::Record(TABLE))
        .answering(Content::Record(TABLE))
}

/// Takes up rollovers that a process has left.
pub(super) fn timer(work: &Arc<Rollovers>) -> Timer {
    let work = Arc::clone(work);
    let run = Handler::call(move |call| rollovers::run(Arc::clone(&work), call));
    Timer::every(
        1,
        "minute",
        "/finance-storage/ledger-rollovers/process",
        run,
    )
}
