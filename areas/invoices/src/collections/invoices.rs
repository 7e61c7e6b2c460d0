//! Invoices, their lines and documents.

use octavo_records::{Collection, Index};

use super::list;

/// The invoices. FOLIO's indexes on numbers and dates are for orders; here they serve searches too.
#[must_use]
pub fn invoices() -> Collection {
    list(
        "invoices",
        "invoices",
        include_str!("../shapes/invoices.shape"),
    )
    .located("/invoice-storage/invoices/")
    .crossing("batchGroupId", "batch_groups", "invoices", "batchGroups")
    .index(Index::plain("vendorId"))
    .index(Index::gin("acqUnitIds"))
    .index(Index::full_text("acqUnitIds"))
    .index(Index::plain("invoiceDate"))
    .index(Index::plain("vendorInvoiceNo"))
    .index(Index::plain("folioInvoiceNo"))
    .index(Index::plain("voucherNumber"))
    .index(Index::plain("status"))
}

/// The lines of invoices.
#[must_use]
pub fn invoice_lines() -> Collection {
    list(
        "invoice_lines",
        "invoiceLines",
        include_str!("../shapes/invoice_lines.shape"),
    )
    .located("/invoice-storage/invoice-lines/")
    .crossing("invoiceId", "invoices", "invoiceLines", "invoices")
    .index(Index::plain("invoiceLineStatus"))
    .index(Index::plain("poLineId"))
    .index(Index::gin("poLineId"))
    .index(Index::gin("fundDistributions"))
    .index(Index::full_text("description"))
}

/// The documents of invoices, without their contents.
#[must_use]
pub fn documents() -> Collection {
    list(
        "documents",
        "documents",
        include_str!("../shapes/documents.shape"),
    )
    .reference("invoiceId", "invoices")
}
