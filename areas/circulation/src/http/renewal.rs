//! `POST /circulation/renew-by-barcode` and `renew-by-id`.

use std::sync::Arc;
use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::{ApiError, Call};

use super::{desk, located, overrides};
use crate::app::Declined;
use crate::app::renew::renew;
use crate::config_cache::ConfigCache;
use crate::refusal::{OverridableBlock, Refusal};
use crate::renewal::{RenewalBody, RenewalRequest};

/// The permissions that lift blocks of a renewal.
pub const OVERRIDES: &[&str] = &[
    "circulation.override-patron-block.post",
    "circulation.override-renewal-block.post",
];

/// 200 with the loan, found by barcodes.
///
/// # Errors
/// 422 with all refusals.
pub async fn by_barcode(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body: RenewalBody = call.json_as()?;
    renewed(cache, call, body.by_barcodes()).await
}

/// 200 with the loan, found by ids.
///
/// # Errors
/// 422 with all refusals.
pub async fn by_id(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let body: RenewalBody = call.json_as()?;
    renewed(cache, call, body.by_ids()).await
}

async fn renewed(
    cache: Arc<ConfigCache>,
    call: Call,
    request: Result<RenewalRequest, Refusal>,
) -> Result<Response, ApiError> {
    let request = request.map_err(|refusal| Declined::Refused(vec![refusal]))?;
    let blocks = [OverridableBlock::Patron, OverridableBlock::Renewal];
    let permissions = overrides(&call, &blocks);
    let started = Instant::now();
    let loan = renew(desk(&call, &cache), &request, permissions).await?;
    call.timing.stage("circulation", started);
    Ok(located(StatusCode::OK, &loan))
}
