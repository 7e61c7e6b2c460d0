//! mod-invoice: batch groups and exports of vouchers.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, Timer};

use crate::http::{credentials, exports, vouchers};

/// Adds the interfaces.
pub(super) fn extend(module: Module) -> Module {
    module
        .interface(
            Interface::new("batch-group", "1.1")
                .records("/batch-groups", "batch_groups", "batch-groups")
                .hooked("/batch-groups", &vouchers::LISTED),
        )
        .interface(configurations())
        .interface(Interface::new("batch-voucher.batch-vouchers", "2.0").by_id(
            Method::GET,
            "/batch-voucher/batch-vouchers",
            "batch-voucher.batch-vouchers.item.get",
            Handler::call(exports::batch_voucher),
        ))
        .interface(runs())
        .timer(Timer::every(
            1,
            "minute",
            "/batch-voucher/go-on-with-exports",
            Handler::call(exports::go_on),
        ))
}

fn configurations() -> Interface {
    let (path, below, stem) = (
        "/batch-voucher/export-configurations",
        "/batch-voucher/export-configurations/{id}/credentials",
        "batch-voucher.export-configurations",
    );
    let record = Content::Record("export_config_credentials");
    Interface::new(stem, "1.1")
        .records(path, "batch_voucher_export_configs", stem)
        .hooked(path, &vouchers::CONFIGURATIONS)
        .route(
            Method::POST,
            below,
            "batch-voucher.export-configurations.credentials.item.post",
            Handler::call(credentials::create),
        )
        .taking(record)
        .answering(record)
        .route(
            Method::GET,
            below,
            "batch-voucher.export-configurations.credentials.item.get",
            Handler::call(credentials::read),
        )
        .answering(record)
        .route(
            Method::PUT,
            below,
            "batch-voucher.export-configurations.credentials.item.put",
            Handler::transaction(credentials::replace),
        )
        .taking(record)
        .route(
            Method::POST,
            "/batch-voucher/export-configurations/{id}/credentials/test",
            "batch-voucher.export-configurations.credentials.test",
            Handler::call(exports::try_credentials),
        )
}

fn runs() -> Interface {
    let (path, table, stem) = (
        "/batch-voucher/batch-voucher-exports",
        "batch_voucher_exports",
        "batch-voucher.batch-voucher-exports",
    );
    let record = Content::Record(table);
    Interface::new(stem, "1.2")
        .readable(path, table, stem)
        .by_id(
            Method::PUT,
            path,
            "batch-voucher.batch-voucher-exports.item.put",
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            "batch-voucher.batch-voucher-exports.item.delete",
            Handler::delete(table),
        )
        .hooked(path, &vouchers::LISTED)
        .route(
            Method::POST,
            path,
            "batch-voucher.batch-voucher-exports.item.post",
            Handler::call(exports::create),
        )
        .taking(record)
        .answering(record)
        .route(
            Method::POST,
            "/batch-voucher/batch-voucher-exports/scheduled",
            "batch-voucher.batch-voucher-exports.scheduled.item.post",
            Handler::call(exports::scheduled),
        )
        .route(
            Method::POST,
            "/batch-voucher/batch-voucher-exports/{id}/upload",
            "batch-voucher.batch-voucher-exports.upload.item.post",
            Handler::call(exports::upload_again),
        )
        .answering(record)
}
