//! An interface of mod-feesfines that is about circulation's records.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::Interface;

use super::with;
use crate::config_cache::ConfigCache;
use crate::http::actual_cost;

/// `/actual-cost-fee-fine`, to be handed to the area of fees, whose module provides it.
#[must_use]
pub fn actual_cost_fee_fine() -> Interface {
    // The operations need no cached rules or calendars; `Desk` requires a cache anyway.
    let cache = Arc::new(ConfigCache::default());
    Interface::new("actual-cost-fee-fine", "0.3")
        .route(
            Method::POST,
            "/actual-cost-fee-fine/bill",
            "actual-cost-fee-fine-bill.post",
            with(&cache, actual_cost::bill),
        )
        .route(
            Method::POST,
            "/actual-cost-fee-fine/cancel",
            "actual-cost-fee-fine-cancel.post",
            with(&cache, actual_cost::cancel),
        )
}
