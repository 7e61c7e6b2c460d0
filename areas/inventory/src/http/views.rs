//! `/inventory-view` and the summary of an instance: instances with their related records.

use std::time::Instant;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call, incorrect, records_http};
use octavo_records::plan::renamed;
use octavo_records::{Search, Totals};

use super::parameters::flag;
use crate::rules::view_query;
use crate::store::inventory_view::{self, Parts};
use crate::store::{summary, view};

/// Maximal number of sets.
const SETS_MAX: i64 = 10;

/// GET `/inventory-view/instances`: a page of instances with their holdings and items.
///
/// # Errors
/// When the query cannot be run.
pub async fn instances(call: Call) -> Result<Response, ApiError> {
    let bound = flag(&call, "withBoundedItems", false)?;
    let mut paging = call.paging()?;
    paging.query = paging
        .query
        .map(|query| renamed(&query, view_query::of_inventory_view));
    let collection = call.context().collection("instance");
    let search = paging.search();
    let plan = call.store().plan(&call.tenant, collection, search.query)?;
    let schema = call.tenant.schema();
    let sql = inventory_view::instances(schema, &plan, search.limit, search.offset, bound);
    Ok(records_http::page_of(&call, collection, &plan, sql, search).await?)
}

/// GET `/inventory-view/instance-set`: some instances, each with the requested parts.
///
/// # Errors
/// 400 when the limit is missing or too high, or the query cannot be run.
pub async fn sets(call: Call) -> Result<Response, ApiError> {
    let parts = Parts {
        instance: flag(&call, "instance", false)?,
        holdings: flag(&call, "holdingsRecords", false)?,
        items: flag(&call, "items", false)?,
        preceding_titles: flag(&call, "precedingTitles", false)?,
        succeeding_titles: flag(&call, "succeedingTitles", false)?,
        super_instances: flag(&call, "superInstanceRelationships", false)?,
        sub_instances: flag(&call, "subInstanceRelationships", false)?,
    };
    let expected = "must be a whole number from 1 to 10";
    let sent = call.parameter("limit")?;
    let sent = sent.ok_or_else(|| incorrect("limit", "null", expected))?;
    let limit = call.number("limit", SETS_MAX, 1)?;
    if limit > SETS_MAX {
        return Err(incorrect("limit", &sent, expected));
    }
    let offset = call.number("offset", 0, 0)?;
    let collection = call.context().collection("instance");
    let query = call.parameter("query")?;
    let started = Instant::now();
    let plan = call
        .store()
        .plan(&call.tenant, collection, query.as_deref())?;
    let sql = inventory_view::sets(call.tenant.schema(), &plan, limit, offset, parts);
    let store = call.store();
    let found = view::search(&store.database, &plan.predicate, &sql).await?;
    call.timing.stage("records", started);
    let search = Search {
        query: query.as_deref(),
        offset,
        limit,
        totals: Totals::None,
    };
    let elapsed = started.elapsed();
    store.note_own_search(&call.tenant, collection, &plan.predicate, search, elapsed);
    Ok(json_bytes(StatusCode::OK, found))
}

/// GET `instances/{id}/summary`: one instance with figures about its holdings and items.
///
/// # Errors
/// 404 when there is none.
pub async fn summary(call: Call) -> Result<Response, ApiError> {
    let started = Instant::now();
    let sql = summary::of(call.tenant.schema(), call.id()?);
    let found = view::read(&call.store().database, &sql).await?;
    call.timing.stage("records", started);
    Ok(json_bytes(
        StatusCode::OK,
        found.ok_or_else(ApiError::not_found)?,
    ))
}
