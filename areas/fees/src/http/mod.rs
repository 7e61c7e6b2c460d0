//! Accounts and patron blocks over HTTP: requests in, answers out; no decisions.

pub mod account_records;
pub mod accounts;
pub mod automated_blocks;
pub mod block_conditions;
pub mod block_limits;
pub mod fee_types;
pub mod plain_lists;
pub mod policies;
pub mod reports;
pub mod user_summary;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call, of_record};
use octavo_records::{Collection, Shape, StoreError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::account_followers::Place;
use crate::app::block_rules::Broken;

/// Where a request is carried out.
fn place(call: &Call) -> Place<'_> {
    Place {
        store: call.store(),
        tenant: &call.tenant,
        stamp: call.stamp(),
    }
}

/// The body of a request that is no record.
fn body<T: DeserializeOwned>(call: &Call, shape: &Shape) -> Result<T, ApiError> {
    let mut body = call.json()?;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    serde_json::from_value(body).map_err(|error| ApiError::invalid(error.to_string(), "", ""))
}

fn refused(broken: Broken) -> ApiError {
    ApiError::invalid(broken.message, broken.key, broken.value)
}

fn collection<'a>(call: &'a Call, table: &str) -> &'a Collection {
    call.store()
        .catalog
        .get(table)
        .expect("invariant: fees declares its own tables")
}

/// A record with a rule of its own replaced.
async fn replace(
    call: &Call,
    table: &str,
    rule: fn(&Value) -> Result<(), Broken>,
) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.json()?;
    rule(&document).map_err(refused)?;
    let (store, collection) = (call.store(), collection(call, table));
    store
        .replace(&call.tenant, collection, id, document, &call.stamp())
        .await
        .map_err(|error| of_record(error, collection.missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}
