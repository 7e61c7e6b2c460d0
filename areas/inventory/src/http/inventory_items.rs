//! `/inventory/items` and `/inventory/items-by-holdings-id`.

use std::sync::OnceLock;
use std::time::Instant;

use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_platform::records_http;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call, Paging};
use octavo_records::plan::{Plan, Predicate, SortTerm};
use octavo_records::{Collection, Totals};
use uuid::Uuid;

use super::{inventory_paging, retrieve};
use crate::app::{Refusal, manage_items};
use crate::rules::items_query;
use crate::store::item_view;

/// GET: a page of items.
///
/// # Errors
/// When the query cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = inventory_paging(&call)?;
    page(&call, &paging).await
}

/// POST `retrieve`: the same, with the parameters in the body.
///
/// # Errors
/// When the query cannot be run.
pub async fn retrieve(call: Call) -> Result<Response, ApiError> {
    let paging = retrieve::paging(&call)?;
    page(&call, &paging).await
}

async fn page(call: &Call, paging: &Paging) -> Result<Response, ApiError> {
    let collection = call.context().collection("item");
    let plan = call
        .store()
        .plan(&call.tenant, collection, paging.query.as_deref())?;
    page_of(call, paging, &plan).await
}

async fn page_of(call: &Call, paging: &Paging, plan: &Plan) -> Result<Response, ApiError> {
    let collection = call.context().collection("item");
    let search = paging.search();
    let sql = item_view::page(call.tenant.schema(), plan, search.limit, search.offset);
    // Made once: the declaration is the same for every request and tenant.
    static LISTED: OnceLock<Collection> = OnceLock::new();
    let listed = LISTED.get_or_init(|| collection.without_result_info());
    Ok(records_http::page_of(call, listed, plan, sql, search).await?)
}

/// GET: the items of one holdings record with those that it shares with others, sorted as the query says, else
/// by barcode.
///
/// # Errors
/// 400 when the query is about anything else.
pub async fn of_holdings(call: Call) -> Result<Response, ApiError> {
    let query = call.parameter("query")?;
    let relations = call.parameter("relations")?;
    let wanted = items_query::parse(query.as_deref(), relations.as_deref())
        .map_err(ApiError::bad_request)?;
    let holdings_id = wanted.holdings_id;
    let [limit, offset] = [("limit", 200), ("offset", 0)].map(|(name, default)| {
        let sent = call.parameter(name)?;
        Ok::<_, ApiError>(items_query::number(sent.as_deref(), default))
    });
    let paging = Paging {
        query: None,
        limit: limit?.min(items_query::LIMIT_MAX),
        offset: offset?,
        totals: Totals::Exact,
    };
    let bound = item_view::bound_with(holdings_id);
    let own = Predicate::IdIn("holdingsrecordid".to_owned(), vec![holdings_id]);
    let predicate = match (wanted.own_items, wanted.bound_items_of_own) {
        (true, _) => Predicate::Any(vec![own, bound]),
        (false, true) => bound,
        (false, false) => Predicate::Except(Box::new(bound), Box::new(own)),
    };
    let sort = match &wanted.sort {
        Some(clause) => {
            let all = format!("cql.allRecords=1 {clause}");
            let collection = call.context().collection("item");
            call.store()
                .plan(&call.tenant, collection, Some(&all))?
                .sort
        }
        None => vec![SortTerm {
            expression: "jsonb->>'barcode'".to_owned(),
            descending: false,
        }],
    };
    let plan = Plan { predicate, sort };
    page_of(&call, &paging, &plan).await
}

/// GET: one item.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let started = Instant::now();
    let shown = shown(&call, call.id()?).await?;
    call.timing.stage("records", started);
    Ok(json_bytes(StatusCode::OK, shown))
}

async fn shown(call: &Call, id: Uuid) -> Result<Bytes, ApiError> {
    super::shown(call, &item_view::one(call.tenant.schema(), id)).await
}

/// POST: a new item.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let id = manage_items::create(&call.context(), call.json()?).await?;
    Ok(created(
        shown(&call, id).await?,
        &format!("/inventory/items/{id}"),
    ))
}

/// PUT: an item replaced.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, form) = (call.id()?, call.json()?);
    manage_items::replace(&call.context(), id, form)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// PATCH: some of its properties replaced.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let (id, changes) = super::patch(&call)?;
    manage_items::patch(&call.context(), id, changes)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
