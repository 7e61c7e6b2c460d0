//! Vouchers and their lines.

use octavo_records::{Collection, Index};

use super::list;

/// The vouchers.
#[must_use]
pub fn vouchers() -> Collection {
    list(
        "vouchers",
        "vouchers",
        include_str!("../shapes/vouchers.shape"),
    )
    .located("/voucher-storage/vouchers/")
    .crossing("invoiceId", "invoices", "vouchers", "invoices")
    .crossing("batchGroupId", "batch_groups", "vouchers", "batchGroups")
    .index(Index::plain("voucherDate"))
    .index(Index::plain("voucherNumber"))
    .index(Index::gin("exportToAccounting"))
}

/// The lines of vouchers.
#[must_use]
pub fn voucher_lines() -> Collection {
    list(
        "voucher_lines",
        "voucherLines",
        include_str!("../shapes/voucher_lines.shape"),
    )
    .located("/voucher-storage/voucher-lines/")
    .crossing("voucherId", "vouchers", "voucherLines", "vouchers")
}
