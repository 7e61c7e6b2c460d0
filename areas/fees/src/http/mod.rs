//! Accounts and patron blocks over HTTP: requests and responses, no decisions.

pub mod account_records;
pub mod accounts;
pub mod automated_blocks;
pub mod block_conditions;
pub mod block_limits;
pub mod fee_types;
pub mod manual_blocks;
pub mod plain_lists;
pub mod policies;
pub mod reports;
pub mod user_summary;

use octavo_platform::{ApiError, Call};
use octavo_records::{Shape, StoreError};
use serde::de::DeserializeOwned;

use crate::app::block_rules::Broken;

/// The body of a request that is not a record.
fn body<T: DeserializeOwned>(call: &Call, shape: &Shape) -> Result<T, ApiError> {
    let mut body = call.json()?;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    serde_json::from_value(body).map_err(|error| ApiError::invalid(error.to_string(), "", ""))
}

fn refused(broken: Broken) -> ApiError {
    ApiError::invalid(broken.message, broken.key, broken.value)
}
