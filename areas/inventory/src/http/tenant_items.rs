//! `/inventory/tenant-items`: items of several tenants at once. A token is valid for one tenant: items
//! of others are left out, as FOLIO does for tenants that do not answer.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use uuid::Uuid;

use crate::app::Refusal;
use crate::rules::tenant_item_pairs;
use crate::store::items;

/// Maximal number of items: the response is one document held in memory.
const ITEMS_MAX: usize = 10_000;

/// POST of pairs: 200 with the items, in the order in which they were asked for.
///
/// # Errors
/// 422 when a pair is not one, 413 when there are too many.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let tenant = &call.tenant;
    let ids: Vec<Uuid> = tenant_item_pairs::of_tenant(&call.json()?, tenant.id())
        .map_err(|(sentence, key)| ApiError::invalid(sentence, key, "null"))?;
    if ids.len() > ITEMS_MAX {
        return Err(Refusal::TooMany {
            most: ITEMS_MAX,
            sent: ids.len(),
        }
        .into());
    }
    let body = items::of_tenant(&call.store().database, tenant, &ids).await?;
    Ok(json_bytes(StatusCode::OK, body))
}
