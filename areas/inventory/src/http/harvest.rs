//! `/inventory-hierarchy` and `/oai-pmh-view`, for harvesters. Responses are concatenated documents
//! without a list around them, as in FOLIO.

use std::time::Instant;

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::plan::Sql;
use octavo_records::{Search, StoreError, Totals};

use super::parameters::flag;
use crate::rules::harvest::{Named, dates, instant, named};
use crate::store::changed::{ChangeFilter, instances};
use crate::store::{hierarchy, oai_pmh};

/// GET `/inventory-hierarchy/updated-instance-ids`: the instances that changed in a span.
///
/// # Errors
/// 400 when a date or a flag is invalid.
pub async fn updated_ids(call: Call) -> Result<Response, ApiError> {
    let mut wanted = wanted(&call)?;
    let has_span = wanted.from.is_some() || wanted.to.is_some();
    wanted.with_items = has_span && !flag(&call, "onlyInstanceUpdateDate", true)?;
    wanted.source = call.parameter("source")?.filter(|one| !one.is_empty());
    let sql = hierarchy::updated(changed(&call, &wanted));
    stream_changed(&call, "updated-instance-ids", &wanted, sql).await
}

/// POST `/inventory-hierarchy/items-and-holdings`: instances with holdings and items.
///
/// # Errors
/// 422 when the body does not fit.
pub async fn items_and_holdings(call: Call) -> Result<Response, ApiError> {
    let Named {
        ids,
        skip_suppressed,
    } = body(&call)?;
    let sql = hierarchy::items_and_holdings(call.tenant.schema(), ids, skip_suppressed);
    stream(&call, "items-and-holdings", sql).await
}

/// GET `/oai-pmh-view/updatedInstanceIds`: the instances that changed, or whose holdings or items did.
///
/// # Errors
/// 400 when an end of the span or a switch is none.
pub async fn oai_updated_ids(call: Call) -> Result<Response, ApiError> {
    let wanted = of_oai(&call)?;
    let sql = oai_pmh::updated(changed(&call, &wanted));
    stream_changed(&call, "updatedInstanceIds", &wanted, sql).await
}

/// GET `/oai-pmh-view/instances`: the same with their items.
///
/// # Errors
/// 400 when an end of the span or a switch is none.
pub async fn oai_instances(call: Call) -> Result<Response, ApiError> {
    let wanted = of_oai(&call)?;
    let changed = changed(&call, &wanted);
    let sql = oai_pmh::instances(call.tenant.schema(), changed, wanted.skip_suppressed);
    stream_changed(&call, "oai-pmh-view", &wanted, sql).await
}

/// POST `/oai-pmh-view/enrichedInstances`: instances with their items.
///
/// # Errors
/// 422 when the body does not fit.
pub async fn enriched(call: Call) -> Result<Response, ApiError> {
    let Named {
        ids,
        skip_suppressed,
    } = body(&call)?;
    let sql = oai_pmh::enriched(call.tenant.schema(), ids, skip_suppressed);
    stream(&call, "enrichedInstances", sql).await
}

fn wanted(call: &Call) -> Result<ChangeFilter, ApiError> {
    let end = |name: &str| {
        let sent = call.parameter(name)?;
        instant(name, sent.as_deref()).map_err(ApiError::bad_request)
    };
    Ok(ChangeFilter {
        from: end("startDate")?,
        to: end("endDate")?,
        deleted: flag(call, "deletedRecordSupport", true)?,
        skip_suppressed: flag(call, "skipSuppressedFromDiscoveryRecords", true)?,
        source: None,
        with_items: false,
    })
}

fn of_oai(call: &Call) -> Result<ChangeFilter, ApiError> {
    Ok(ChangeFilter {
        with_items: true,
        ..wanted(call)?
    })
}

fn changed(call: &Call, wanted: &ChangeFilter) -> Sql {
    instances(
        &call.tenant,
        &call.writer().catalog_of(&call.tenant),
        wanted,
    )
}

fn body(call: &Call) -> Result<Named, ApiError> {
    Ok(named(call.json()?).map_err(StoreError::Invalid)?)
}

/// The same as [`stream`]. If dates of items matter and have no index, the query is recorded in the
/// advice about missing indexes.
async fn stream_changed(
    call: &Call,
    name: &'static str,
    wanted: &ChangeFilter,
    sql: Sql,
) -> Result<Response, ApiError> {
    let started = Instant::now();
    let answer = stream(call, name, sql).await?;
    let dates = dates(wanted.from, wanted.to).filter(|_| wanted.with_items);
    if let Some(query) = dates {
        // The first document arrives when all dates have been read.
        let elapsed = started.elapsed();
        let items = call.context().collection("item");
        let plan = call.writer().plan(&call.tenant, items, Some(&query))?;
        let search = Search {
            query: Some(&query),
            offset: 0,
            limit: 0,
            totals: Totals::None,
        };
        call.writer()
            .note_own_search(&call.tenant, items, &plan.predicate, search, elapsed);
    }
    Ok(answer)
}

async fn stream(call: &Call, name: &'static str, sql: Sql) -> Result<Response, ApiError> {
    // From the primary: a replica may cancel a long statement, and a response that has begun cannot be
    // retried.
    let documents = call.writer().documents(name, sql).await?;
    Ok(json_bytes(StatusCode::OK, Body::from_stream(documents)))
}
