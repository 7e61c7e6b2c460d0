//! mod-invoice: invoices, lines, documents and vouchers.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module};

use crate::http::permissions::{APPROVE, ASSIGN, BYPASS, CANCEL, FISCAL_YEAR, MANAGE, PAY};
use crate::http::{invoices, numbers, storage, vouchers};

/// mod-invoice.
pub(super) fn module() -> Module {
    Module::new("mod-invoice", "6.0.4")
        .system("_tenant", "2.0")
        .reads(
            "budget budget_expense_class config_data \
             expense_class fiscal_year po_line purchase_order transaction",
        )
        .needs(include_str!("../needs/mod-invoice.tsv"))
        .permissions(include_str!("../permissions/mod-invoice.tsv"))
        .interface(documents(lines(invoices())))
        .interface(voucher())
        .interface(
            Interface::new("voucher-number", "1.0")
                .route(
                    Method::POST,
                    "/voucher/voucher-number/start/{value}",
                    "voucher-number.start.post",
                    Handler::call(numbers::set_voucher_start),
                )
                .route(
                    Method::GET,
                    "/voucher/voucher-number/start",
                    "voucher-number.start.get",
                    Handler::call(numbers::voucher_start),
                ),
        )
}

fn invoices() -> Interface {
    let path = "/invoice/invoices";
    let record = Content::Record("invoices");
    Interface::new("invoice", "7.2")
        .route(
            Method::GET,
            path,
            "invoice.invoices.collection.get",
            Handler::call(invoices::list),
        )
        .desiring(&[BYPASS])
        .answering(Content::List("invoices"))
        .route(
            Method::POST,
            path,
            "invoice.invoices.item.post",
            Handler::transaction(invoices::create),
        )
        .desiring(&[ASSIGN])
        .taking(record)
        .answering(record)
        .by_id(
            Method::GET,
            path,
            "invoice.invoices.item.get",
            Handler::call(invoices::read),
        )
        .desiring(&[BYPASS])
        .answering(record)
        .by_id(
            Method::PUT,
            path,
            "invoice.invoices.item.put",
            Handler::transaction(invoices::replace),
        )
        .desiring(&[MANAGE, FISCAL_YEAR, APPROVE, PAY, CANCEL, BYPASS])
        .taking(record)
        .by_id(
            Method::DELETE,
            path,
            "invoice.invoices.item.delete",
            Handler::transaction(invoices::delete),
        )
        .route(
            Method::GET,
            "/invoice/invoices/{id}/fiscal-years",
            "invoice.invoices.fiscal-years.collection.get",
            Handler::call(invoices::fiscal_years),
        )
        .route(
            Method::GET,
            "/invoice/invoice-number",
            "invoice.invoice-number.item.get",
            Handler::call(numbers::invoice),
        )
}

fn lines(interface: Interface) -> Interface {
    let path = "/invoice/invoice-lines";
    let record = Content::Record("invoice_lines");
    interface
        .route(
            Method::GET,
            path,
            "invoice.invoice-lines.collection.get",
            Handler::call(invoices::list_lines),
        )
        .desiring(&[BYPASS])
        .answering(Content::List("invoice_lines"))
        .route(
            Method::POST,
            path,
            "invoice.invoice-lines.item.post",
            Handler::transaction(invoices::create_line),
        )
        .taking(record)
        .answering(record)
        .by_id(
            Method::GET,
            path,
            "invoice.invoice-lines.item.get",
            Handler::call(invoices::read_line),
        )
        .desiring(&[BYPASS])
        .answering(record)
        .by_id(
            Method::PUT,
            path,
            "invoice.invoice-lines.item.put",
            Handler::transaction(invoices::replace_line),
        )
        .desiring(&[BYPASS])
        .taking(record)
        .by_id(
            Method::DELETE,
            path,
            "invoice.invoice-lines.item.delete",
            Handler::transaction(invoices::delete_line),
        )
        .route(
            Method::PUT,
            "/invoice/invoice-lines/fund-distributions/validate",
            "invoice.invoice-lines.fund-distributions.validate",
            Handler::call(invoices::validate),
        )
}

fn documents(interface: Interface) -> Interface {
    let (list, one) = (
        "/invoice/invoices/{id}/documents",
        "/invoice/invoices/{id}/documents/{documentId}",
    );
    interface
        .route(
            Method::GET,
            list,
            "invoice.invoices.documents.collection.get",
            Handler::call(storage::documents),
        )
        .answering(Content::List("documents"))
        .route(
            Method::POST,
            list,
            "invoice.invoices.documents.item.post",
            Handler::call(storage::upload_document),
        )
        .streaming()
        .route(
            Method::GET,
            one,
            "invoice.invoices.documents.item.get",
            Handler::call(storage::document),
        )
        .route(
            Method::DELETE,
            one,
            "invoice.invoices.documents.item.delete",
            Handler::call(storage::delete_document),
        )
}

fn voucher() -> Interface {
    let (path, lines) = ("/voucher/vouchers", "/voucher/voucher-lines");
    let (record, line) = (
        Content::Record("vouchers"),
        Content::Record("voucher_lines"),
    );
    Interface::new("voucher", "2.3")
        .route(
            Method::GET,
            path,
            "voucher.vouchers.collection.get",
            Handler::call(vouchers::list),
        )
        .answering(Content::List("vouchers"))
        .by_id(
            Method::GET,
            path,
            "voucher.vouchers.item.get",
            Handler::call(vouchers::read),
        )
        .answering(record)
        .by_id(
            Method::PUT,
            path,
            "voucher.vouchers.item.put",
            Handler::transaction(vouchers::replace),
        )
        .taking(record)
        .route(
            Method::GET,
            lines,
            "voucher.voucher-lines.collection.get",
            Handler::call(vouchers::list_lines),
        )
        .answering(Content::List("voucher_lines"))
        .by_id(
            Method::GET,
            lines,
            "voucher.voucher-lines.item.get",
            Handler::call(vouchers::read_line),
        )
        .answering(line)
        .by_id(
            Method::PUT,
            lines,
            "voucher.voucher-lines.item.put",
            Handler::replace("voucher_lines"),
        )
        .hooked(lines, &vouchers::LISTED)
}
