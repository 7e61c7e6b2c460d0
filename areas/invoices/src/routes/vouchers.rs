//! mod-invoice-storage: vouchers, batch groups and exports.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module};

use crate::http::{credentials, numbers, storage};

/// Adds the interfaces.
pub(super) fn extend(module: Module) -> Module {
    module
        .interface(
            Interface::new("voucher-storage.vouchers", "1.2")
                .records(
                    "/voucher-storage/vouchers",
                    "vouchers",
                    "voucher-storage.vouchers",
                )
                .hooked("/voucher-storage/vouchers", &storage::VOUCHERS),
        )
        .interface(
            Interface::new("voucher-storage.voucher-lines", "2.1").records(
                "/voucher-storage/voucher-lines",
                "voucher_lines",
                "voucher-storage.voucher-lines",
            ),
        )
        .interface(voucher_numbers())
        .interface(
            Interface::new("batch-group-storage.batch-groups", "1.0").records(
                "/batch-group-storage/batch-groups",
                "batch_groups",
                "batch-group-storage.batch-groups",
            ),
        )
        .interface(configurations())
        .interface(batch_vouchers())
        .interface(
            Interface::new("batch-voucher-storage.batch-voucher-exports", "1.1").records(
                "/batch-voucher-storage/batch-voucher-exports",
                "batch_voucher_exports",
                "batch-voucher-storage.batch-voucher-exports",
            ),
        )
}

fn voucher_numbers() -> Interface {
    Interface::new("voucher-storage.voucher-number", "1.1")
        .route(
            Method::GET,
            "/voucher-storage/voucher-number",
            "voucher-storage.voucher-number.get",
            Handler::call(numbers::voucher),
        )
        .route(
            Method::GET,
            "/voucher-storage/voucher-number/start",
            "voucher-storage.voucher-number.start.get",
            Handler::call(numbers::voucher_start),
        )
        .route(
            Method::POST,
            "/voucher-storage/voucher-number/start/{value}",
            "voucher-storage.voucher-number.start.post",
            Handler::call(numbers::set_voucher_start),
        )
}

fn configurations() -> Interface {
    let (path, below, stem) = (
        "/batch-voucher-storage/export-configurations",
        "/batch-voucher-storage/export-configurations/{id}/credentials",
        "batch-voucher-storage.export-configurations",
    );
    let record = Content::Record("export_config_credentials");
    Interface::new(stem, "1.0")
        .records(path, "batch_voucher_export_configs", stem)
        .hooked(path, &storage::CONFIGURATIONS)
        .route(
            Method::POST,
            below,
            "batch-voucher-storage.export-configurations.credentials.item.post",
            Handler::call(credentials::create_stored),
        )
        .taking(record)
        .answering(record)
        .route(
            Method::GET,
            below,
            "batch-voucher-storage.export-configurations.credentials.item.get",
            Handler::call(credentials::stored),
        )
        .answering(record)
        .route(
            Method::PUT,
            below,
            "batch-voucher-storage.export-configurations.credentials.item.put",
            Handler::transaction(credentials::replace_stored),
        )
        .taking(record)
        .route(
            Method::DELETE,
            below,
            "batch-voucher-storage.export-configurations.credentials.item.delete",
            Handler::transaction(credentials::delete),
        )
}

fn batch_vouchers() -> Interface {
    let (path, table, stem) = (
        "/batch-voucher-storage/batch-vouchers",
        "batch_vouchers",
        "batch-voucher-storage.batch-vouchers",
    );
    Interface::new(stem, "2.0")
        .route(
            Method::POST,
            path,
            "batch-voucher-storage.batch-vouchers.item.post",
            Handler::create(table),
        )
        .by_id(
            Method::GET,
            path,
            "batch-voucher-storage.batch-vouchers.item.get",
            Handler::read(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "batch-voucher-storage.batch-vouchers.item.delete",
            Handler::delete(table),
        )
}
