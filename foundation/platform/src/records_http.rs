//! The generic CRUD handlers: FOLIO's storage contract over any collection.

use std::time::Instant;

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use octavo_boxed::boxed;
use octavo_records::facet::FACETS_MAX;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, Facet, Page, PageBody, Search, StoreError};

use crate::call::{Call, incorrect};
use crate::error::{ApiError, of_record};
use crate::respond::{created, empty, json_bytes};
use crate::route::Operation;

/// Runs one of the generic operations.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn run(
    operation: Operation,
    collection: &Collection,
    call: Call,
) -> Result<Response, ApiError> {
    match operation {
        Operation::List => list(collection, &call).await,
        Operation::Read => read(collection, &call).await,
        Operation::Create => create(collection, &call).await,
        Operation::Replace => replace(collection, &call).await,
        Operation::Delete => delete(collection, &call).await,
        Operation::DeleteByQuery => delete_by_query(collection, &call, None).await,
        Operation::Clear => delete_by_query(collection, &call, Some(EVERYTHING)).await,
    }
}

async fn list(collection: &Collection, call: &Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    let facets = match collection.faceted {
        true => facets(call)?,
        false => Vec::new(),
    };
    let started = Instant::now();
    let page = call
        .store()
        .page_with_facets(&call.tenant, collection, paging.search(), &facets)
        .await?;
    call.timing.stage("records", started);
    Ok(page_response(page))
}

/// `facets=path` and `facets=path:n`, as often as the client likes within bounds.
fn facets(call: &Call) -> Result<Vec<Facet>, ApiError> {
    let given = call.parameters("facets")?;
    if given.len() > FACETS_MAX {
        return Err(ApiError::bad_request(format!(
            "'facets' parameter is incorrect. It is given {} times; ask for at most {FACETS_MAX} \
             facets at a time",
            given.len()
        )));
    }
    let read = |text: &String| {
        Facet::parse(text).ok_or_else(|| {
            incorrect(
                "facets",
                text,
                "must be a path such as personal.lastName or tags.tagList[], and may end with \
                 :n, the number of values from 1 to 10000",
            )
        })
    };
    given.iter().map(read).collect()
}

/// 200 with a page of a collection.
///
/// # Errors
/// When the query cannot be run or the database does not answer.
#[boxed]
pub async fn page(
    call: &Call,
    collection: &Collection,
    search: Search<'_>,
) -> Result<Response, StoreError> {
    let started = Instant::now();
    let page = call.store().page(&call.tenant, collection, search).await?;
    call.timing.stage("records", started);
    Ok(page_response(page))
}

/// 200 with a page whose rows an area's own `sql` composes of what `plan` finds.
///
/// # Errors
/// When the query cannot be run or the database does not answer.
#[boxed]
pub async fn page_of(
    call: &Call,
    collection: &Collection,
    plan: &Plan,
    sql: Sql,
    search: Search<'_>,
) -> Result<Response, StoreError> {
    let started = Instant::now();
    let page = call
        .store()
        .page_of(&call.tenant, collection, &plan.predicate, sql, search)
        .await?;
    call.timing.stage("records", started);
    Ok(page_response(page))
}

fn page_response(page: Page) -> Response {
    let body = match page.body {
        PageBody::Whole(bytes) => Body::from(bytes),
        PageBody::Pieces(pieces) => Body::from_stream(pieces),
    };
    json_bytes(StatusCode::OK, body)
}

async fn read(collection: &Collection, call: &Call) -> Result<Response, ApiError> {
    // An id that is no UUID belongs to no record.
    let id = call.id()?;
    let started = Instant::now();
    let stored = call.store().read(&call.tenant, collection, id).await?;
    call.timing.stage("records", started);
    Ok(json_bytes(
        StatusCode::OK,
        stored.ok_or_else(|| of_record(StoreError::NotFound, collection.missing.read))?,
    ))
}

async fn create(collection: &Collection, call: &Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let started = Instant::now();
    let (id, stored) = call
        .store()
        .create(&call.tenant, collection, document, &call.stamp())
        .await?;
    call.timing.stage("records", started);
    Ok(created(stored, &collection.location_of(id)))
}

async fn replace(collection: &Collection, call: &Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = call.record()?;
    let started = Instant::now();
    call.store()
        .replace(&call.tenant, collection, id, document, &call.stamp())
        .await
        .map_err(|error| of_record(error, collection.missing.change))?;
    call.timing.stage("records", started);
    Ok(empty(StatusCode::NO_CONTENT))
}

async fn delete(collection: &Collection, call: &Call) -> Result<Response, ApiError> {
    call.store()
        .delete(&call.tenant, collection, call.id()?)
        .await
        .map_err(|error| of_record(error, collection.missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The query that finds every record.
const EVERYTHING: &str = "cql.allRecords=1";

/// Deletes what a query finds; without a query what `otherwise` does.
async fn delete_by_query(
    collection: &Collection,
    call: &Call,
    otherwise: Option<&str>,
) -> Result<Response, ApiError> {
    let sent = call.parameter("query")?;
    let query = match sent.as_deref() {
        Some(query) if !query.trim().is_empty() => query,
        // An empty query is a mistake of who sent it, and no wish to lose everything.
        Some(_) => return Err(no_query()),
        None => otherwise.ok_or_else(no_query)?,
    };
    call.store()
        .delete_matching(&call.tenant, collection, query)
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn no_query() -> ApiError {
    ApiError::bad_request("Expected CQL but query parameter is empty")
}
