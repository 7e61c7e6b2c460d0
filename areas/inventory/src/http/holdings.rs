//! `/holdings-storage/holdings` and `/inventory/holdings`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use crate::app::store_holdings::{self, IfMissing};
use crate::app::{manage_holdings, unguarded};

/// POST: a new holdings record.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let (id, stored) = store_holdings::create_holdings(&call.context(), call.record()?).await?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: a holdings record replaced, or made when there is none.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, holdings) = (call.id()?, call.record()?);
    let context = call.context();
    store_holdings::replace_holdings(&context, id, holdings, IfMissing::Store, unguarded).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PATCH: some of its properties replaced.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let (id, changes) = super::patch(&call)?;
    store_holdings::patch_holdings(&call.context(), id, &changes).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PUT of `/inventory/holdings`: a holdings record replaced, unless MARC controls what changes.
pub async fn replace_managed(call: Call) -> Result<Response, ApiError> {
    let (id, holdings) = (call.id()?, call.json()?);
    manage_holdings::replace(&call.context(), id, holdings).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
