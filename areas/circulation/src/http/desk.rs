//! `POST /circulation/check-out-by-barcode` and `check-in-by-barcode`.

use std::sync::Arc;
use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::{Map, Value, json};

use super::{desk, located, overrides, slip};
use crate::app::check_in::{CheckedIn, check_in};
use crate::app::check_out::check_out;
use crate::check_in::CheckInRequest;
use crate::check_out::CheckOutRequest;
use crate::config_cache::ConfigCache;
use crate::refusal::{OverridableBlock, Refusal};

/// The permissions that lift blocks of a check-out.
pub const OVERRIDES: &[&str] = &[
    "circulation.override-patron-block.post",
    "circulation.override-item-limit-block.post",
    "circulation.override-item-not-loanable-block.post",
];

/// The blocks of a check-out that can be overridden.
pub(super) const CHECK_OUT_BLOCKS: [OverridableBlock; 3] = [
    OverridableBlock::Patron,
    OverridableBlock::ItemLimit,
    OverridableBlock::ItemNotLoanable,
];

/// 201 with the loan.
///
/// # Errors
/// 422 with all refusals.
pub async fn check_out_by_barcode(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let request: CheckOutRequest = call.json_as()?;
    let permissions = overrides(&call, &CHECK_OUT_BLOCKS);
    let started = Instant::now();
    let loan = check_out(desk(&call, &cache), &request, &permissions).await?;
    call.timing.stage("circulation", started);
    Ok(located(StatusCode::CREATED, &loan))
}

/// 200 with the item, the loan if there was one, and the values for a slip.
///
/// # Errors
/// 422 with the refusal.
pub async fn check_in_by_barcode(
    cache: Arc<ConfigCache>,
    call: Call,
) -> Result<Response, ApiError> {
    let body = call.json()?;
    let request = CheckInRequest::from_body(&body).map_err(refused)?;
    let started = Instant::now();
    let done = check_in(desk(&call, &cache), &request).await?;
    call.timing.stage("circulation", started);
    let answer = check_in_answer(done, call.stamp().at);
    Ok(pretty(StatusCode::OK, &answer))
}

/// The answer to a check-in.
pub(super) fn check_in_answer(mut done: CheckedIn, now: Timestamp) -> Value {
    let context = slip::context(&mut done, now);
    let mut answer = Map::new();
    if let Some(loan) = done.loan {
        answer.insert("loan".to_owned(), loan);
    }
    answer.insert("item".to_owned(), done.item);
    answer.insert("staffSlipContext".to_owned(), context);
    answer.insert("inHouseUse".to_owned(), json!(done.in_house_use));
    Value::Object(answer)
}

fn refused(refusal: Refusal) -> ApiError {
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![refusal.to_error()])
}
