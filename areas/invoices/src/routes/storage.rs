//! mod-invoice-storage: its record types and the routes of invoices.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData, Timer};

use super::vouchers;
use crate::app::import_invoice::MessageMaker;
use crate::collections as own;
use crate::http::{numbers, storage};

/// mod-invoice-storage.
pub(super) fn module() -> Module {
    let module = Module::new("mod-invoice-storage", "6.0.1")
        .permissions(include_str!("../permissions/mod-invoice-storage.tsv"))
        .timer(Timer::every(
            30,
            "minute",
            "/invoice-storage/audit-outbox/process",
            Handler::call(storage::process_outbox),
        ))
        .collection(own::batch_groups())
        .collection(own::export_configurations())
        .collection(own::credentials())
        .collection(own::invoices())
        .collection(own::invoice_lines())
        .collection(own::vouchers())
        .collection(own::voucher_lines())
        .collection(own::documents())
        .collection(own::batch_vouchers())
        .collection(own::batch_voucher_exports())
        .migration("invoice_numbers", include_str!("../migrations/numbers.sql"))
        .migration(
            "document_contents",
            include_str!("../migrations/document_contents.sql"),
        )
        .migration(
            "server keys of exports",
            include_str!("../migrations/server_keys.sql"),
        )
        .emptying("export_config_server_key")
        .emptying("document_contents")
        .providing(MessageMaker::shared())
        .reference(
            ReferenceData::tsv(
                "batch_groups",
                include_str!("../reference/batch_groups.tsv"),
            )
            .essential(),
        )
        .interface(invoices())
        .interface(lines())
        .interface(
            Interface::new("invoice-storage.invoice-number", "1.0").route(
                Method::GET,
                "/invoice-storage/invoice-number",
                "invoice-storage.invoice-number.get",
                Handler::call(numbers::invoice),
            ),
        )
        .interface(
            Interface::new("invoice-storage.invoice-line-number", "1.0").route(
                Method::GET,
                "/invoice-storage/invoice-line-number",
                "invoice-storage.invoice-line-number.get",
                Handler::call(numbers::invoice_line),
            ),
        );
    vouchers::extend(module)
}

fn invoices() -> Interface {
    let (path, table, stem) = (
        "/invoice-storage/invoices",
        "invoices",
        "invoice-storage.invoices",
    );
    let record = Content::Record(table);
    let interface = Interface::new(stem, "5.0")
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            "invoice-storage.invoices.item.post",
            Handler::transaction(storage::create_invoice),
        )
        .taking(record)
        .answering(record)
        .by_id(
            Method::PUT,
            path,
            "invoice-storage.invoices.item.put",
            Handler::transaction(storage::replace_invoice),
        )
        .taking(record)
        .by_id(
            Method::DELETE,
            path,
            "invoice-storage.invoices.item.delete",
            Handler::transaction(storage::delete_invoice),
        );
    let (list, one) = (
        "/invoice-storage/invoices/{id}/documents",
        "/invoice-storage/invoices/{id}/documents/{documentId}",
    );
    interface
        .route(
            Method::GET,
            list,
            "invoice-storage.invoices.documents.collection.get",
            Handler::call(storage::documents),
        )
        .answering(Content::List("documents"))
        .route(
            Method::POST,
            list,
            "invoice-storage.invoices.documents.item.post",
            Handler::call(storage::create_document),
        )
        .route(
            Method::GET,
            one,
            "invoice-storage.invoices.documents.item.get",
            Handler::call(storage::document),
        )
        .route(
            Method::DELETE,
            one,
            "invoice-storage.invoices.documents.item.delete",
            Handler::call(storage::delete_document),
        )
}

fn lines() -> Interface {
    let (path, table, stem) = (
        "/invoice-storage/invoice-lines",
        "invoice_lines",
        "invoice-storage.invoice-lines",
    );
    let record = Content::Record(table);
    Interface::new(stem, "4.0")
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            "invoice-storage.invoice-lines.item.post",
            Handler::transaction(storage::create_line),
        )
        .taking(record)
        .answering(record)
        .by_id(
            Method::PUT,
            path,
            "invoice-storage.invoice-lines.item.put",
            Handler::transaction(storage::replace_line),
        )
        .taking(record)
        .by_id(
            Method::DELETE,
            path,
            "invoice-storage.invoice-lines.item.delete",
            Handler::transaction(storage::delete_line),
        )
}
