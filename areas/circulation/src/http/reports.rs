//! Items in transit, and the items of a title.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::{Search, StoreError, Totals};
use serde_json::json;

use crate::store::reports;

const IN_TRANSIT: &str = "status.name==\"In transit\"";
/// Maximal number of items of a title.
const ITEMS_MAX: i64 = 10_000;

/// 200 with all items in transit, streamed.
pub async fn items_in_transit(call: Call) -> Result<Response, ApiError> {
    let search = Search {
        query: Some(IN_TRANSIT),
        offset: 0,
        limit: i64::from(i32::MAX),
        totals: Totals::Exact,
    };
    let store = call.store();
    let collection = store.catalog.get("item").ok_or(StoreError::NotFound)?;
    let plan = store.plan(&call.tenant, collection, search.query)?;
    let sql = reports::items_in_transit(call.tables(), &plan, search.limit, search.offset);
    Ok(page_of(&call, collection, &plan, sql, search).await?)
}

/// 200 with the first title that the query finds and its items, or with an empty object.
///
/// # Errors
/// 400 when there is no query or it cannot be run.
pub async fn items_by_instance(call: Call) -> Result<Response, ApiError> {
    let query = call.parameter("query")?;
    let Some(query) = query else {
        return Err(ApiError::bad_request("query is empty"));
    };
    let store = call.store();
    let collection = store.catalog.get("instance").ok_or(StoreError::NotFound)?;
    let plan = store.plan(&call.tenant, collection, Some(&query))?;
    let (database, tables) = (&store.database, call.tables());
    let found = match reports::first_title(database, tables, &plan).await? {
        Some(id) => reports::title_with_items(database, tables, id, ITEMS_MAX).await?,
        None => None,
    };
    Ok(pretty(StatusCode::OK, &found.unwrap_or_else(|| json!({}))))
}
