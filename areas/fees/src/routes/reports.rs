//! mod-feesfines: reports.

use ::http::Method;
use octavo_platform::{Handler, Interface};

use crate::http::reports;

pub(super) fn interface() -> Interface {
    Interface::new("feefine-reports", "2.3")
        .route(
            Method::POST,
            "/feefine-reports/refund",
            "feefine-reports.refund.post",
            Handler::call(reports::refunds),
        )
        .route(
            Method::POST,
            "/feefine-reports/cash-drawer-reconciliation",
            "feesfines.feefine-reports.cash-drawer-reconciliation.post",
            Handler::call(reports::cash_drawer),
        )
        .route(
            Method::POST,
            "/feefine-reports/cash-drawer-reconciliation/sources",
            "feesfines.feefine-reports.cash-drawer-reconciliation-source.post",
            Handler::call(reports::sources),
        )
        .route(
            Method::POST,
            "/feefine-reports/financial-transactions-detail",
            "feefine-reports.financial-transactions-detail.post",
            Handler::call(reports::financial),
        )
}
