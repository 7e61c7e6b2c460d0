//! mod-batch-print: letters on paper.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, Timer};

use crate::collections::{PRINTING, print_entries};
use crate::http::printing;

/// When the letters of a day are merged: at 06:01 UTC, as in FOLIO.
const NIGHTLY: &str = "1 6 * * *";

#[must_use]
pub fn batch_print() -> Module {
    let write: &[&str] = &["batch-print.print.write"];
    let read: &[&str] = &["batch-print.print.read"];
    let (path, one) = ("/print/entries", Content::Record(PRINTING));
    let interface = Interface::new("batch-print", "1.0")
        .route(
            Method::POST,
            path,
            "batch-print.entries.item.post",
            Handler::transaction(printing::create),
        )
        .desiring(write)
        .taking(one)
        .route(
            Method::GET,
            path,
            "batch-print.entries.collection.get",
            Handler::list(PRINTING),
        )
        .desiring(read)
        .route(
            Method::DELETE,
            path,
            "batch-print.entries.collection.delete",
            Handler::call(printing::delete_several),
        )
        .desiring(write)
        .by_id(
            Method::GET,
            path,
            "batch-print.entries.item.get",
            Handler::call(printing::read),
        )
        .desiring(read)
        .answering(one)
        .by_id(
            Method::PUT,
            path,
            "batch-print.entries.item.put",
            Handler::transaction(printing::replace),
        )
        .desiring(write)
        .taking(one)
        .by_id(
            Method::DELETE,
            path,
            "batch-print.entries.item.delete",
            Handler::delete(PRINTING),
        )
        .desiring(write)
        .route(
            Method::POST,
            "/mail",
            "batch-print.entries.mail.post",
            Handler::call(printing::mail),
        )
        .desiring(write);
    Module::new("mod-batch-print", "1.3.0")
        .permissions(include_str!("permissions/batch-print.tsv"))
        .collection(print_entries())
        .migration(
            "printing_content",
            include_str!("migrations/printing_content.sql"),
        )
        .timer(Timer::cron(
            NIGHTLY,
            "/print/batch-creation",
            Handler::call(printing::merge),
        ))
        .interface(interface)
}
