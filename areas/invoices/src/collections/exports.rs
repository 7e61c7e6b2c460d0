//! Batch groups and the exports of their vouchers.

use octavo_records::{Collection, Index};

use super::list;

/// The groups of invoices that are exported together.
#[must_use]
pub fn batch_groups() -> Collection {
    list(
        "batch_groups",
        "batchGroups",
        include_str!("../shapes/batch_groups.shape"),
    )
    .located("/batch-group-storage/batch-groups/")
}

/// How the vouchers of groups are exported.
#[must_use]
pub fn export_configurations() -> Collection {
    list(
        "batch_voucher_export_configs",
        "exportConfigs",
        include_str!("../shapes/batch_voucher_export_configs.shape"),
    )
    .located("/batch-voucher-storage/export-configurations/")
    .crossing(
        "batchGroupId",
        "batch_groups",
        "batchVoucherExportConfigs",
        "batchGroups",
    )
}

/// Names and passwords for the servers of exports, at most one for each configuration.
#[must_use]
pub fn credentials() -> Collection {
    list(
        "export_config_credentials",
        "credentials",
        include_str!("../shapes/export_config_credentials.shape"),
    )
    .reference("exportConfigId", "batch_voucher_export_configs")
    .index(Index::unique("exportConfigId"))
}

/// The exported vouchers.
#[must_use]
pub fn batch_vouchers() -> Collection {
    list(
        "batch_vouchers",
        "batchVouchers",
        include_str!("../shapes/batch_vouchers.shape"),
    )
    .located("/batch-voucher-storage/batch-vouchers/")
}

/// The runs of exports.
#[must_use]
pub fn batch_voucher_exports() -> Collection {
    Collection::new(
        "batch_voucher_exports",
        "batchVoucherExports",
        include_str!("../shapes/batch_voucher_exports.shape"),
    )
    .exact_count(super::EXACT_COUNT)
    .listed_conflicts()
    .located("/batch-voucher-storage/batch-voucher-exports/")
    .crossing(
        "batchGroupId",
        "batch_groups",
        "batchVoucherExports",
        "batchGroups",
    )
    .crossing(
        "batchVoucherId",
        "batch_vouchers",
        "batchVoucherExports",
        "batchVouchers",
    )
}
